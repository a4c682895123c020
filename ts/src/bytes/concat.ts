/** Many byte strings as one, with their lengths: how a list crosses into WebAssembly in one copy. */

export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: Uint32Array<ArrayBuffer>
}

export function pack(parts: readonly Uint8Array[]): Packed {
  const lengths = Uint32Array.from(parts, (part) => part.length)
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return { bytes, lengths }
}
