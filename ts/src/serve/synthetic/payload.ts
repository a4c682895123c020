/** Execution payloads of made blocks, with blob transactions in them. */
import { versionedHash } from '../../beacon/hashes.ts'
import { concatAll } from '../../util/bytes.ts'
import type { ExecutionPayload } from '../ssz/block.ts'
import { hash } from '../ssz/merkle.ts'
import { uint64 } from '../ssz/types.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** GAS_PER_BLOB. */
const GAS_PER_BLOB = 2 ** 17

/** What a payload is made of. */
interface PayloadOptions {
  readonly slot: number
  /** The payload that it builds on; null for the first one. */
  readonly parent: ExecutionPayload | null
  /** Unix time of the slot, in seconds. */
  readonly timestamp: number
  readonly commitments: readonly Uint8Array[]
}

const zeros = (length: number): Uint8Array => new Uint8Array(length)

/** A payload whose own hash is made up: nobody has the execution layer's block. */
export function payloadOf({ slot, parent, timestamp, commitments }: PayloadOptions): ExecutionPayload {
  const root = zeros(32)
  return {
    parent_hash: parent?.block_hash ?? root,
    fee_recipient: zeros(20),
    state_root: root,
    receipts_root: root,
    logs_bloom: zeros(256),
    prev_randao: root,
    block_number: parent === null ? 0 : parent.block_number + 1,
    gas_limit: 30_000_000,
    gas_used: 21_000 * Math.ceil(commitments.length / BLOBS_PER_TRANSACTION),
    timestamp,
    extra_data: zeros(0),
    base_fee_per_gas: 7n,
    block_hash: hash(uint64.serialize(slot)),
    transactions: transactionsOf(commitments, slot),
    withdrawals: [],
    blob_gas_used: GAS_PER_BLOB * commitments.length,
    excess_blob_gas: 0,
  }
}

type Rlp = Uint8Array | readonly Rlp[]

/** Blobs of one transaction, since Osaka. */
const BLOBS_PER_TRANSACTION = 6

/** Transactions whose versioned hashes are those of the commitments, in order. Their signatures are nobody's. */
function transactionsOf(commitments: readonly Uint8Array[], slot: number): Bytes[] {
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
