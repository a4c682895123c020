/**
 * The stream of updates in SSZ: for each update its length as a uint64, little-endian, then so many bytes: a fork digest
 * of four, and the object (beacon-APIs, getLightClientUpdatesByRange).
 */
import { Undecodable } from './undecodable.ts'

/** One chunk of the stream. */
export interface Chunk {
  /** 4 bytes. */
  readonly digest: Uint8Array
  readonly ssz: Uint8Array
}

/** Splits a stream of at most `maxCount` chunks. The parts are views on it. */
export function splitStream(stream: Uint8Array, maxCount: number): Chunk[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const chunks: Chunk[] = []
  let at = 0
  while (at < stream.length) {
    if (chunks.length === maxCount) throw new Undecodable(`more than ${maxCount} updates`)
    if (stream.length - at < 8) throw new Undecodable('the stream ends within a length', 'truncated')
    const length = view.getBigUint64(at, true)
    at += 8
    if (length < 4n) throw new Undecodable('a chunk without a fork digest')
    if (length > BigInt(stream.length - at))
      throw new Undecodable('the stream ends within a chunk', 'truncated')
    const end = at + Number(length)
    chunks.push({ digest: stream.subarray(at, at + 4), ssz: stream.subarray(at + 4, end) })
    at = end
  }
  return chunks
}
