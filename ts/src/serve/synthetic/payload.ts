/** Execution payloads of made blocks, with blob transactions in them, and the blocks of the execution layer that they are. */
import { GAS_PER_BLOB } from '../../beacon/constants.ts'
import { encodeRlp } from '../../execution/rlp.ts'
import { orderedTrieRoot } from '../../execution/trie.ts'
import { concatAll } from '../../util/bytes.ts'
import { decodeHex } from '../../util/hex.ts'
import { keccak_256 } from '../../vendor/keccak.ts'
import type { ExecutionBlock } from '../chain.ts'
import { integerBytes } from '../execution/quantity.ts'
import type { ExecutionPayload } from '../ssz/block.ts'
import { hash } from '../ssz/merkle.ts'
import { hexOf } from '../ssz/types.ts'
import { GAS_PER_TRANSACTION, makeTransactions, type Nonces } from './transactions.ts'

/** What a payload is made of. */
interface PayloadOptions {
  readonly slot: number
  readonly isGloas: boolean
  /** The payload that it builds on; null for the first one. */
  readonly parent: MadePayload | null
  /** The root of the beacon block before the one that the payload belongs to, whether that has a payload or not (EIP-4788). */
  readonly parentBeaconBlockRoot: Uint8Array
  /** Unix time of the slot, in seconds. */
  readonly timestamp: number
  readonly commitments: readonly Uint8Array[]
}

const zeros = (length: number): Uint8Array => new Uint8Array(length)
const nothing = zeros(0)
const noRoot = zeros(32)
const noAddress = zeros(20)
const noLogs = zeros(256)
const noNonce = zeros(8)

/** The RLP of a list without items: of uncles, and of a block access list (EIP-7928). */
export const emptyList: Uint8Array = encodeRlp([])
const hashOfEmptyList = keccak_256(emptyList)
const trieRoot = (values: readonly Uint8Array[]): Uint8Array => decodeHex(orderedTrieRoot(values))!
const emptyTrieRoot = trieRoot([])
/** `compute_requests_hash` of no requests (EIP-7685). */
const noRequestsHash = hash(nothing)

/** A payload, and what it is to the execution layer. */
export interface MadePayload {
  readonly payload: ExecutionPayload
  readonly block: ExecutionBlock
  /** Of the senders, for the payload that comes next. */
  readonly nonces: Nonces
}

/** A payload whose hash is that of its header. The state is made up: there is none. */
export function makePayload(options: PayloadOptions): MadePayload {
  const { slot, isGloas, parent, parentBeaconBlockRoot, timestamp, commitments } = options
  const { transactions, types, nonces } = makeTransactions(commitments, slot, parent?.nonces ?? [0, 0, 0])
  const unhashed: ExecutionPayload = {
    parent_hash: parent?.payload.block_hash ?? noRoot,
    fee_recipient: noAddress,
    state_root: noRoot,
    receipts_root: receiptsRoot(types),
    logs_bloom: noLogs,
    prev_randao: noRoot,
    block_number: parent === null ? 0 : parent.payload.block_number + 1,
    gas_limit: 30_000_000,
    gas_used: GAS_PER_TRANSACTION * transactions.length,
    timestamp,
    extra_data: nothing,
    base_fee_per_gas: 7n,
    block_hash: noRoot,
    transactions,
    withdrawals: [],
    blob_gas_used: GAS_PER_BLOB * commitments.length,
    excess_blob_gas: 0,
  }
  const transactionsRoot = transactions.length === 0 ? emptyTrieRoot : trieRoot(transactions)
  const header = (): Uint8Array =>
    headerOf(unhashed, {
      transactionsRoot,
      parentBeaconBlockRoot,
      slotNumber: isGloas ? slot : null,
    })
  const payload = { ...unhashed, block_hash: keccak_256(header()) }
  return { payload, nonces, block: new MadeExecutionBlock(payload, header) }
}

/** A made payload as the execution layer has it. */
class MadeExecutionBlock implements ExecutionBlock {
  readonly number: number
  readonly transactions: readonly Uint8Array[]
  readonly blobGasPrice = 1n
  readonly #payload: ExecutionPayload
  readonly #header: () => Uint8Array

  constructor(payload: ExecutionPayload, header: () => Uint8Array) {
    this.number = payload.block_number
    this.transactions = payload.transactions
    this.#payload = payload
    this.#header = header
  }

  get hash(): string {
    return hexOf(this.#payload.block_hash)
  }

  /** Encoded when it is asked for, since chains are long. */
  get header(): Uint8Array {
    return this.#header()
  }

  get gasUsed(): readonly number[] {
    return this.transactions.map(() => GAS_PER_TRANSACTION)
  }
}

interface HeaderParts {
  readonly transactionsRoot: Uint8Array
  readonly parentBeaconBlockRoot: Uint8Array
  /** Null before Gloas, whose execution blocks are of Osaka; those of Gloas are of Amsterdam. */
  readonly slotNumber: number | null
}

/** The RLP of a payload’s header, in the order of `HEADER_FIELDS`. */
function headerOf(payload: ExecutionPayload, parts: HeaderParts): Uint8Array {
  const isAmsterdam = parts.slotNumber !== null
  return encodeRlp([
    payload.parent_hash,
    hashOfEmptyList,
    payload.fee_recipient,
    payload.state_root,
    parts.transactionsRoot,
    payload.receipts_root,
    payload.logs_bloom,
    nothing,
    ...[payload.block_number, payload.gas_limit, payload.gas_used, payload.timestamp].map(integerBytes),
    payload.extra_data,
    payload.prev_randao,
    noNonce,
    integerBytes(payload.base_fee_per_gas),
    emptyTrieRoot,
    ...[payload.blob_gas_used, payload.excess_blob_gas].map(integerBytes),
    parts.parentBeaconBlockRoot,
    noRequestsHash,
    ...(isAmsterdam ? [hashOfEmptyList, integerBytes(parts.slotNumber ?? 0)] : []),
  ])
}

const receiptsRoots = new Map<string, Uint8Array>()

/** The root of the receipts of transactions of these types: all of them succeeded, and logged nothing. Many blocks have the same ones. */
function receiptsRoot(types: readonly number[]): Uint8Array {
  const known = receiptsRoots.get(types.join())
  if (known !== undefined) return known
  const receipts = types.map((type, at) => {
    const receipt = encodeRlp([Uint8Array.of(1), integerBytes(GAS_PER_TRANSACTION * (at + 1)), noLogs, []])
    return type === 0 ? receipt : concatAll([Uint8Array.of(type), receipt])
  })
  const root = trieRoot(receipts)
  receiptsRoots.set(types.join(), root)
  return root
}
