/** Many byte strings as one, with their lengths: how a list crosses into WebAssembly in one copy. */

export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: Uint32Array<ArrayBuffer>
}

export function pack(parts: readonly Uint8Array[]): Packed {
  return { bytes: concatAll(parts), lengths: Uint32Array.from(parts, (part) => part.length) }
}

/** The parts again, as views of the one piece. */
export function split({ bytes, lengths }: Packed): Uint8Array<ArrayBuffer>[] {
  let at = 0
  return Array.from(lengths, (length) => bytes.subarray(at, (at += length)))
}

/** Many byte strings as one. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
