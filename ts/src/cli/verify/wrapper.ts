/** The rules that a blob transaction in network form is to follow, where nobody says: those of its own time. */
import type { ForkName } from '../../beacon/networks.ts'

/**
 * The newest fork whose transactions look like this one. Since Osaka the transaction is followed by a wrapper version, 1;
 * before it by the list of blobs (EIP-7594). Of anything else nothing is known: the newest rules will refuse it.
 */
export function forkOfWrapper(bytes: Uint8Array): ForkName {
  const list = headOf(bytes, 1)
  const body = list && headOf(bytes, list.contentsAt)
  const second = body && bytes[body.contentsAt + body.length]
  return second !== null && second !== undefined && second >= 0xc0 ? 'prague' : 'osaka'
}

/** Where the contents of an RLP list begin, and how long they are; null where there is no list. */
function headOf(bytes: Uint8Array, at: number): { contentsAt: number; length: number } | null {
  const first = bytes[at]
  if (first === undefined || first < 0xc0) return null
  if (first < 0xf8) return { contentsAt: at + 1, length: first - 0xc0 }
  const contentsAt = at + 1 + (first - 0xf7)
  // Eight bytes at most: less precise than that only where there is nothing to be found.
  const length = bytes.subarray(at + 1, contentsAt).reduce((sum, byte) => sum * 256 + byte, 0)
  return { contentsAt, length }
}
