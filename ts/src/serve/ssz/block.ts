/**
 * A block of Electra or Fulu, which have the same containers. Lists that are always empty here have no element type.
 * Sources: specs/{phase0,altair,capella,deneb,electra}/beacon-chain.md.
 */
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { type Container, container } from './container.ts'
import { ExecutionPayload } from './execution.ts'
import { SyncAggregate } from './sync-committee.ts'
import { bytes, emptyList, list, type Type, uint64 } from './type.ts'

interface Eth1Data {
  readonly deposit_root: Uint8Array
  readonly deposit_count: number
  readonly block_hash: Uint8Array
}

interface ExecutionRequests {
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

export interface BeaconBlock {
  readonly slot: number
  readonly proposer_index: number
  readonly parent_root: Uint8Array
  readonly state_root: Uint8Array
  readonly body: BeaconBlockBody
}

export interface SignedBeaconBlock {
  readonly message: BeaconBlock
  /** 96 bytes. */
  readonly signature: Uint8Array
}

/** MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const MAX_COMMITMENTS = MAX_BLOB_COMMITMENTS_PER_BLOCK

export const BlobKzgCommitments: Type<readonly Uint8Array[]> = list(bytes(48), MAX_COMMITMENTS)

/** The types of a block's parts, for a sync committee of so many members. */
export interface BlockTypes {
  readonly BeaconBlockBody: Container<BeaconBlockBody>
  readonly SignedBeaconBlock: Container<SignedBeaconBlock>
}

export function blockTypes(syncCommitteeSize: number): BlockTypes {
  const body = container<BeaconBlockBody>({
    randao_reveal: bytes(96),
    eth1_data: container<Eth1Data>({ deposit_root: bytes(32), deposit_count: uint64, block_hash: bytes(32) }),
    graffiti: bytes(32),
    proposer_slashings: emptyList(16),
    attester_slashings: emptyList(1),
    attestations: emptyList(8),
    deposits: emptyList(16),
    voluntary_exits: emptyList(16),
    sync_aggregate: SyncAggregate(syncCommitteeSize),
    execution_payload: ExecutionPayload,
    bls_to_execution_changes: emptyList(16),
    blob_kzg_commitments: BlobKzgCommitments,
    execution_requests: container<ExecutionRequests>({
      deposits: emptyList(8192),
      withdrawals: emptyList(16),
      consolidations: emptyList(2),
    }),
  })
  const block = container<BeaconBlock>({
    slot: uint64,
    proposer_index: uint64,
    parent_root: bytes(32),
    state_root: bytes(32),
    body,
  })
  return {
    BeaconBlockBody: body,
    SignedBeaconBlock: container<SignedBeaconBlock>({ message: block, signature: bytes(96) }),
  }
}
