/**
 * Headers and blocks. Blocks are those of Electra and Fulu, which have the same containers. Lists that are always empty here have
 * no element type. Sources: specs/{phase0,altair,bellatrix,capella,deneb,electra}/beacon-chain.md.
 */
import { MINIMAL_COMMITTEE } from '../../beacon/block/preset.ts'
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import {
  byteList,
  bytes,
  type Container,
  container,
  emptyList,
  type Fields,
  list,
  remembered,
  type Type,
  uint256,
  uint64,
} from './types.ts'

export interface SyncAggregate {
  /** A bit for each member, the first one the lowest of the first byte. */
  readonly sync_committee_bits: Uint8Array
  /** 96 bytes. */
  readonly sync_committee_signature: Uint8Array
}

/** The type for committees of so many members. */
export function SyncAggregate(size: number): Container<SyncAggregate> {
  return container<SyncAggregate>({
    sync_committee_bits: bytes(size / 8),
    sync_committee_signature: bytes(96),
  })
}

/** The header of a beacon block, as the specification has it: roots of 32 bytes. Source: specs/phase0/beacon-chain.md. */
export interface BeaconBlockHeader {
  readonly slot: number
  readonly proposer_index: number
  readonly parent_root: Uint8Array
  readonly state_root: Uint8Array
  readonly body_root: Uint8Array
}

export const BeaconBlockHeader: Container<BeaconBlockHeader> = container<BeaconBlockHeader>({
  slot: uint64,
  proposer_index: uint64,
  parent_root: bytes(32),
  state_root: bytes(32),
  body_root: bytes(32),
})

/** The header of a beacon block with its proposer's signature. Source: specs/phase0/beacon-chain.md. */
export interface SignedBeaconBlockHeader {
  readonly message: BeaconBlockHeader
  /** 96 bytes. */
  readonly signature: Uint8Array
}

export const SignedBeaconBlockHeader: Container<SignedBeaconBlockHeader> = container<SignedBeaconBlockHeader>(
  { message: BeaconBlockHeader, signature: bytes(96) },
)

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

/** The fields that a payload shares with its header. */
export const payloadFields: Fields<Shared> = {
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

export const ExecutionPayloadHeader: Container<ExecutionPayloadHeader> = container<ExecutionPayloadHeader>({
  ...payloadFields,
  transactions_root: bytes32,
  withdrawals_root: bytes32,
  ...blobGas,
})

/** The type of a payload, which depends on the preset. */
export interface PayloadTypes {
  readonly ExecutionPayload: Container<ExecutionPayload>
  /** The header of a payload: its root is the payload's. */
  readonly headerOfPayload: (payload: ExecutionPayload) => ExecutionPayloadHeader
}

function payloadTypes(syncCommitteeSize: number): PayloadTypes {
  // MAX_WITHDRAWALS_PER_PAYLOAD (presets/{minimal,mainnet}/capella.yaml): it is in the root of a list without any, too.
  const withdrawals = emptyList(syncCommitteeSize === MINIMAL_COMMITTEE ? 4 : 16)
  return {
    ExecutionPayload: container<ExecutionPayload>({
      ...payloadFields,
      transactions,
      withdrawals,
      ...blobGas,
    }),
    headerOfPayload: (payload) => ({
      ...payload,
      transactions_root: transactions.root(payload.transactions),
      withdrawals_root: withdrawals.root(payload.withdrawals),
    }),
  }
}

export interface Eth1Data {
  readonly deposit_root: Uint8Array
  readonly deposit_count: number
  readonly block_hash: Uint8Array
}

export interface ExecutionRequests {
  readonly deposits: readonly never[]
  readonly withdrawals: readonly never[]
  readonly consolidations: readonly never[]
}

export interface BeaconBlockBody {
  readonly randao_reveal: Uint8Array
  readonly eth1_data: Eth1Data
  readonly graffiti: Uint8Array
  readonly proposer_slashings: readonly never[]
  readonly attester_slashings: readonly never[]
  readonly attestations: readonly never[]
  readonly deposits: readonly never[]
  readonly voluntary_exits: readonly never[]
  readonly sync_aggregate: SyncAggregate
  readonly execution_payload: ExecutionPayload
  readonly bls_to_execution_changes: readonly never[]
  readonly blob_kzg_commitments: readonly Uint8Array[]
  readonly execution_requests: ExecutionRequests
}

/** A block of any fork, with the body of that fork. */
export interface SignedBeaconBlock<Body> {
  readonly message: Omit<BeaconBlockHeader, 'body_root'> & { readonly body: Body }
  /** 96 bytes. */
  readonly signature: Uint8Array
}

export const Eth1DataType: Container<Eth1Data> = container<Eth1Data>({
  deposit_root: bytes(32),
  deposit_count: uint64,
  block_hash: bytes(32),
})

/** MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const MAX_COMMITMENTS = MAX_BLOB_COMMITMENTS_PER_BLOCK

const BlobKzgCommitments: Type<readonly Uint8Array[]> = list(remembered(bytes(48)), MAX_COMMITMENTS)

/** The types of a block's parts, for a sync committee of so many members. */
export interface BlockTypes<Body = BeaconBlockBody> {
  readonly BeaconBlockBody: Container<Body>
  readonly SignedBeaconBlock: Container<SignedBeaconBlock<Body>>
}

/** The types of a block with this body: what is around it is the same in each fork. */
export function blockTypesOf<Body>(body: Container<Body>): BlockTypes<Body> {
  const message = container<SignedBeaconBlock<Body>['message']>({
    slot: uint64,
    proposer_index: uint64,
    parent_root: bytes(32),
    state_root: bytes(32),
    body,
  } as Fields<SignedBeaconBlock<Body>['message']>)
  return {
    BeaconBlockBody: body,
    SignedBeaconBlock: container<SignedBeaconBlock<Body>>({ message, signature: bytes(96) }),
  }
}

/** Those of Electra and Fulu, and of the payloads in their blocks. */
export type FuluBlockTypes = BlockTypes & PayloadTypes

export function blockTypes(syncCommitteeSize: number): FuluBlockTypes {
  const payload = payloadTypes(syncCommitteeSize)
  const body = container<BeaconBlockBody>({
    randao_reveal: bytes(96),
    eth1_data: Eth1DataType,
    graffiti: bytes(32),
    proposer_slashings: emptyList(16),
    attester_slashings: emptyList(1),
    attestations: emptyList(8),
    deposits: emptyList(16),
    voluntary_exits: emptyList(16),
    sync_aggregate: remembered(SyncAggregate(syncCommitteeSize)),
    execution_payload: payload.ExecutionPayload,
    bls_to_execution_changes: emptyList(16),
    blob_kzg_commitments: BlobKzgCommitments,
    execution_requests: remembered(
      container<ExecutionRequests>({
        deposits: emptyList(8192),
        withdrawals: emptyList(16),
        consolidations: emptyList(2),
      }),
    ),
  })
  return { ...blockTypesOf(body), ...payload }
}
