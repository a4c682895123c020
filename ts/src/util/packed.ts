/** Lists of byte strings as one, to cross into WebAssembly in one copy. Apart from the rest: a page needs none where its workers compute. */
import { concatAll } from './bytes.ts'

/** A list of byte strings as one, with their lengths in bytes: how a list crosses into WebAssembly in one copy. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: Uint32Array<ArrayBuffer>
}

/** Packs a list of byte strings. */
export function pack(parts: readonly Uint8Array[]): Packed {
  return { bytes: concatAll(parts), lengths: Uint32Array.from(parts, (part) => part.length) }
}

/** The byte strings of a packed list, as views of its bytes. */
export function split({ bytes, lengths }: Packed): Uint8Array<ArrayBuffer>[] {
  let at = 0
  return Array.from(lengths, (length) => bytes.subarray(at, (at += length)))
}
