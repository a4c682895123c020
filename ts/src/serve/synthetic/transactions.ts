/** Blob transactions as they stand in a block, so that the blobs of a made block are somebody's (EIP-4844, EIP-7594). */
import { versionedHash } from '../../beacon/hashes.ts'
import { concatAll } from '../../util/bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Rlp = Uint8Array | readonly Rlp[]

/** Blobs of one transaction, since Osaka. */
const BLOBS_PER_TRANSACTION = 6

/** Transactions whose versioned hashes are those of the commitments, in order. Their signatures are nobody's. */
export function transactionsOf(commitments: readonly Uint8Array[], slot: number): Bytes[] {
  const count = Math.ceil(commitments.length / BLOBS_PER_TRANSACTION)
  return Array.from({ length: count }, (_, at) => {
    const own = commitments.slice(at * BLOBS_PER_TRANSACTION, (at + 1) * BLOBS_PER_TRANSACTION)
    return transaction(own.map(versionedHash), slot, at)
  })
}

function transaction(versionedHashes: readonly Bytes[], slot: number, nonce: number): Bytes {
  const [none, one, gas] = [number(0), number(1), number(21_000)]
  const to = new Uint8Array(20).fill(0xbc)
  // chain_id, nonce, max_priority_fee_per_gas, max_fee_per_gas, gas_limit, to, value, data, access_list,
  // max_fee_per_blob_gas, blob_versioned_hashes, y_parity, r, s
  const fields = [one, number(nonce), one, one, gas, to, none, number(slot), [], one, versionedHashes]
  return concatAll([Uint8Array.of(3), rlp([...fields, none, one, one])])
}

/** An integer without leading zeros; 0 is no byte at all. */
function number(value: number): Bytes {
  const digits = value === 0 ? '' : value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from({ length: even.length / 2 }, (_, at) =>
    Number.parseInt(even.slice(2 * at, 2 * at + 2), 16),
  )
}

function rlp(value: Rlp): Bytes {
  const isString = value instanceof Uint8Array
  if (isString && value.length === 1 && value[0]! < 0x80) return new Uint8Array(value)
  const payload = isString ? new Uint8Array(value) : concatAll(value.map(rlp))
  return concatAll([prefix(isString ? 0x80 : 0xc0, payload.length), payload])
}

function prefix(base: number, length: number): Bytes {
  if (length < 56) return Uint8Array.of(base + length)
  const digits = number(length)
  return concatAll([Uint8Array.of(base + 55 + digits.length), digits])
}
