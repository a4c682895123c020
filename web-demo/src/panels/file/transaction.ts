/** As much of RLP as it takes to find the blobs of a blob transaction in network form, and the rules that it follows. The verifier reads it all. */
import { BLOB_BYTES } from '../../shared/sizes.ts'

/** A fork that changed the form of blob transactions; of those after it, all have that of Osaka. */
export type TransactionFork = 'prague' | 'osaka'

/**
 * The newest fork whose transactions look like this one. Since Osaka the transaction is followed by a wrapper version, 1; before it by the
 * list of blobs (EIP-7594). Of anything else nothing is known: the newest rules will refuse it.
 */
export function forkOf(transaction: Uint8Array): TransactionFork {
  const body = bodyOf(transaction)
  const next = body === null ? undefined : transaction[body.to]
  return next !== undefined && next >= 0xc0 ? 'prague' : 'osaka'
}

/** The blobs of a transaction; none where they are not to be found. */
export function blobsOfTransaction(transaction: Uint8Array): Uint8Array[] {
  const body = bodyOf(transaction)
  if (body === null) return []
  const list = listAt(transaction, body.to) ?? listAt(transaction, body.to + 1)
  if (list === null) return []
  const blobs: Uint8Array[] = []
  // Each is a string of 131,072 bytes behind a head of four: 0xba, and its length.
  for (let at = list.from + 4; at + BLOB_BYTES <= Math.min(list.to, transaction.length); at += 4 + BLOB_BYTES)
    blobs.push(transaction.subarray(at, at + BLOB_BYTES))
  return blobs
}

interface List {
  /** Where its contents begin. */
  readonly from: number
  /** Where they end. */
  readonly to: number
}

/** The transaction itself, the first entry of the list behind the type. */
function bodyOf(transaction: Uint8Array): List | null {
  const wrapper = listAt(transaction, 1)
  return wrapper && listAt(transaction, wrapper.from)
}

function listAt(bytes: Uint8Array, at: number): List | null {
  const first = bytes[at]
  if (first === undefined || first < 0xc0) return null
  const digits = Math.max(0, first - 0xf7)
  const from = at + 1 + digits
  const length =
    digits === 0 ? first - 0xc0 : bytes.subarray(at + 1, from).reduce((sum, byte) => sum * 256 + byte, 0)
  return { from, to: from + length }
}
