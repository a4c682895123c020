/** `TransactionPayloadBody` of a signed blob transaction (EIP-4844): fourteen fields, each of its own width, as `crates/execution` has them. */
import { TransactionError, type TransactionErrorReason } from './error.ts'
import { type RlpItem, RlpItems } from './rlp.ts'

/** The bytes of the next item, which must be a string. */
function readString(items: RlpItems): Uint8Array<ArrayBuffer> {
  const { isList, payload } = items.next()
  if (isList) throw new TransactionError('transaction-fields')
  return payload
}

/** The next item, which must be a list. */
export function readList(items: RlpItems): RlpItem {
  const item = items.next()
  if (!item.isList) throw new TransactionError('transaction-fields')
  return item
}

/** An integer, big-endian, without leading zeros. */
function readInteger(items: RlpItems, maxBytes = 32): Uint8Array {
  const digits = readString(items)
  if (digits[0] === 0 || digits.length > maxBytes) throw new TransactionError('transaction-fields')
  return digits
}

/** All items of a list, which must be strings of so many bytes; `otherwise` says what to call another length. */
export function readFixed(
  { payload }: RlpItem,
  bytes: number,
  otherwise: TransactionErrorReason,
): Uint8Array<ArrayBuffer>[] {
  const items = new RlpItems(payload)
  const all: Uint8Array<ArrayBuffer>[] = []
  while (!items.isEmpty) {
    const item = readString(items)
    if (item.length !== bytes)
      throw new TransactionError(otherwise, otherwise === 'transaction-fields' ? null : all.length)
    all.push(item)
  }
  return all
}

/** Refuses what is left. */
export function readEnd(items: RlpItems): void {
  if (!items.isEmpty) throw new TransactionError('transaction-fields')
}

/** Holds each field of a body to its type, and returns its versioned hashes, of 32 bytes each. Throws `TransactionError`. */
export function readVersionedHashes({ payload }: RlpItem): Uint8Array<ArrayBuffer>[] {
  const fields = new RlpItems(payload)
  const refuse = (wrong: boolean): void => {
    if (wrong) throw new TransactionError('transaction-fields')
  }
  readInteger(fields) // chain_id
  const nonce = readInteger(fields, 8)
  // EIP-2681: the largest of 64 bits is none.
  refuse(nonce.length === 8 && nonce.every((digit) => digit === 0xff))
  readInteger(fields) // max_priority_fee_per_gas
  readInteger(fields) // max_fee_per_gas
  readInteger(fields, 8) // gas_limit
  // A blob transaction creates no contract.
  refuse(readString(fields).length !== 20) // to
  readInteger(fields) // value
  readString(fields) // data
  readAccessList(readList(fields))
  readInteger(fields) // max_fee_per_blob_gas
  const versionedHashes = readFixed(readList(fields), 32, 'transaction-fields')
  refuse((readInteger(fields, 1)[0] ?? 0) > 1) // y_parity
  readInteger(fields) // r
  readInteger(fields) // s
  readEnd(fields)
  return versionedHashes
}

/** A list of `[address, [storage key, …]]` (EIP-2930). */
function readAccessList({ payload }: RlpItem): void {
  const entries = new RlpItems(payload)
  while (!entries.isEmpty) {
    const entry = new RlpItems(readList(entries).payload)
    if (readString(entry).length !== 20) throw new TransactionError('transaction-fields')
    readFixed(readList(entry), 32, 'transaction-fields')
    readEnd(entry)
  }
}
