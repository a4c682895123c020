/**
 * Blocks of Gloas, their payloads, which are revealed apart from them, and their columns. Lists that are always empty here have no element
 * type. Sources: specs/gloas/beacon-chain.md, specs/gloas/p2p-interface.md.
 */
import { CELL_BYTES, POINT_BYTES } from '../../beacon/ssz/layout.ts'
import {
  type BeaconBlockBody,
  type BlockTypes,
  blockTypesOf,
  type Eth1Data,
  Eth1DataType,
  type ExecutionPayload,
  type ExecutionRequests,
  payloadFields,
  SyncAggregate,
} from './block.ts'
import {
  bytes,
  type Container,
  container,
  emptyProgressiveList,
  progressiveByteList,
  progressiveContainer,
  progressiveList,
  remembered,
  type Type,
  uint64,
} from './types.ts'

/** What a builder promises: a payload, by its hash, on top of another one. */
export interface ExecutionPayloadBid {
  readonly parent_block_hash: Uint8Array
  readonly parent_block_root: Uint8Array
  readonly block_hash: Uint8Array
  readonly prev_randao: Uint8Array
  readonly fee_recipient: Uint8Array
  readonly gas_limit: number
  readonly builder_index: bigint
  readonly slot: number
  readonly value: number
  readonly execution_payment: number
  readonly blob_kzg_commitments: readonly Uint8Array[]
  readonly execution_requests_root: Uint8Array
}

interface SignedExecutionPayloadBid {
  readonly message: ExecutionPayloadBid
  readonly signature: Uint8Array
}

export interface GloasExecutionRequests extends ExecutionRequests {
  readonly builder_deposits: readonly never[]
  readonly builder_exits: readonly never[]
}

type Kept = Omit<BeaconBlockBody, 'execution_payload' | 'blob_kzg_commitments' | 'execution_requests'>

export interface GloasBeaconBlockBody extends Kept {
  readonly signed_execution_payload_bid: SignedExecutionPayloadBid
  readonly payload_attestations: readonly never[]
  readonly parent_execution_requests: GloasExecutionRequests
}

export interface GloasExecutionPayload extends ExecutionPayload {
  readonly block_access_list: Uint8Array
  readonly slot_number: number
}

export interface SignedExecutionPayloadEnvelope {
  readonly message: {
    readonly payload: GloasExecutionPayload
    readonly execution_requests: GloasExecutionRequests
    readonly builder_index: bigint
    readonly beacon_block_root: Uint8Array
    readonly parent_beacon_block_root: Uint8Array
  }
  /** 96 bytes. */
  readonly signature: Uint8Array
}

/** A column as Gloas has it: its commitments are in the block’s bid, and nothing in it ties it to them. */
export interface GloasDataColumnSidecar {
  /** The index of the column, below 128. */
  readonly index: number
  /** A cell of 2,048 bytes for each blob. */
  readonly column: readonly Uint8Array[]
  readonly kzg_proofs: readonly Uint8Array[]
  readonly slot: number
  readonly beacon_block_root: Uint8Array
}

export const ExecutionPayloadBid: Container<ExecutionPayloadBid> = progressiveContainer<ExecutionPayloadBid>({
  parent_block_hash: bytes(32),
  parent_block_root: bytes(32),
  block_hash: bytes(32),
  prev_randao: bytes(32),
  fee_recipient: bytes(20),
  gas_limit: uint64,
  builder_index: uint64 as Type<bigint>,
  slot: uint64,
  value: uint64,
  execution_payment: uint64,
  blob_kzg_commitments: progressiveList(remembered(bytes(48))),
  execution_requests_root: bytes(32),
})

export const SignedExecutionPayloadBid: Container<SignedExecutionPayloadBid> =
  container<SignedExecutionPayloadBid>({ message: ExecutionPayloadBid, signature: bytes(96) })

export const GloasExecutionRequests: Type<GloasExecutionRequests> = remembered(
  progressiveContainer<GloasExecutionRequests>({
    deposits: emptyProgressiveList,
    withdrawals: emptyProgressiveList,
    consolidations: emptyProgressiveList,
    builder_deposits: emptyProgressiveList,
    builder_exits: emptyProgressiveList,
  }),
)

export const GloasDataColumnSidecar: Container<GloasDataColumnSidecar> = container<GloasDataColumnSidecar>({
  index: uint64 as Type<number>,
  column: progressiveList(bytes(CELL_BYTES)),
  kzg_proofs: progressiveList(bytes(POINT_BYTES)),
  slot: uint64 as Type<number>,
  beacon_block_root: bytes(32),
})

/** Answers in SSZ are lists. */
export const GloasDataColumnSidecars: Type<readonly GloasDataColumnSidecar[]> =
  progressiveList(GloasDataColumnSidecar)

const GloasExecutionPayload = progressiveContainer<GloasExecutionPayload>({
  ...payloadFields,
  transactions: progressiveList(progressiveByteList),
  withdrawals: emptyProgressiveList,
  blob_gas_used: uint64 as Type<number>,
  excess_blob_gas: uint64 as Type<number>,
  block_access_list: progressiveByteList,
  slot_number: uint64 as Type<number>,
})

export const SignedExecutionPayloadEnvelope: Container<SignedExecutionPayloadEnvelope> =
  container<SignedExecutionPayloadEnvelope>({
    message: progressiveContainer<SignedExecutionPayloadEnvelope['message']>({
      payload: GloasExecutionPayload,
      execution_requests: GloasExecutionRequests,
      builder_index: uint64 as Type<bigint>,
      beacon_block_root: bytes(32),
      parent_beacon_block_root: bytes(32),
    }),
    signature: bytes(96),
  })

/** The types of a block’s parts, for a sync committee of so many members. */
export type GloasBlockTypes = BlockTypes<GloasBeaconBlockBody>

export function gloasBlockTypes(syncCommitteeSize: number): GloasBlockTypes {
  const body = progressiveContainer<GloasBeaconBlockBody>({
    randao_reveal: bytes(96),
    eth1_data: Eth1DataType as Container<Eth1Data>,
    graffiti: bytes(32),
    proposer_slashings: emptyProgressiveList,
    attester_slashings: emptyProgressiveList,
    attestations: emptyProgressiveList,
    deposits: emptyProgressiveList,
    voluntary_exits: emptyProgressiveList,
    sync_aggregate: remembered(SyncAggregate(syncCommitteeSize)),
    bls_to_execution_changes: emptyProgressiveList,
    signed_execution_payload_bid: SignedExecutionPayloadBid,
    payload_attestations: emptyProgressiveList,
    parent_execution_requests: GloasExecutionRequests,
  })
  return blockTypesOf(body)
}
