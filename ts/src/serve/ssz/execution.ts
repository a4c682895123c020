/** The execution layer's part of a block. Sources: specs/{bellatrix,capella,deneb}/beacon-chain.md. */
import { type Container, container, type Fields } from './container.ts'
import { byteList, bytes, emptyList, list, type Type, uint256, uint64 } from './type.ts'

interface Shared {
  readonly parent_hash: Uint8Array
  readonly fee_recipient: Uint8Array
  readonly state_root: Uint8Array
  readonly receipts_root: Uint8Array
  readonly logs_bloom: Uint8Array
  readonly prev_randao: Uint8Array
  readonly block_number: number
  readonly gas_limit: number
  readonly gas_used: number
  readonly timestamp: number
  readonly extra_data: Uint8Array
  readonly base_fee_per_gas: bigint
  readonly block_hash: Uint8Array
}

interface BlobGas {
  readonly blob_gas_used: number
  readonly excess_blob_gas: number
}

export interface ExecutionPayload extends Shared, BlobGas {
  /** Each as its bytes in a block: a type, and its payload. */
  readonly transactions: readonly Uint8Array[]
  readonly withdrawals: readonly never[]
}

export interface ExecutionPayloadHeader extends Shared, BlobGas {
  readonly transactions_root: Uint8Array
  readonly withdrawals_root: Uint8Array
}

const bytes32 = bytes(32)

const shared: Fields<Shared> = {
  parent_hash: bytes32,
  fee_recipient: bytes(20),
  state_root: bytes32,
  receipts_root: bytes32,
  logs_bloom: bytes(256),
  prev_randao: bytes32,
  block_number: uint64,
  gas_limit: uint64,
  gas_used: uint64,
  timestamp: uint64,
  extra_data: byteList(32),
  base_fee_per_gas: uint256,
  block_hash: bytes32,
}

const blobGas: Fields<BlobGas> = { blob_gas_used: uint64, excess_blob_gas: uint64 }
const transactions: Type<readonly Uint8Array[]> = list(byteList(2 ** 30), 2 ** 20)
const withdrawals: Type<readonly never[]> = emptyList(16)

export const ExecutionPayload: Container<ExecutionPayload> = container<ExecutionPayload>({
  ...shared,
  transactions,
  withdrawals,
  ...blobGas,
})

export const ExecutionPayloadHeader: Container<ExecutionPayloadHeader> = container<ExecutionPayloadHeader>({
  ...shared,
  transactions_root: bytes32,
  withdrawals_root: bytes32,
  ...blobGas,
})

/** The header of a payload: its root is the payload's. */
export function headerOfPayload(payload: ExecutionPayload): ExecutionPayloadHeader {
  return {
    ...payload,
    transactions_root: transactions.root(payload.transactions),
    withdrawals_root: withdrawals.root(payload.withdrawals),
  }
}
