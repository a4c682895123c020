/**
 * Sync committees, and what light clients are served, in Electra's containers, which Fulu keeps. Sources:
 * specs/altair/beacon-chain.md, specs/electra/light-client/sync-protocol.md.
 */
import { BeaconBlockHeader, ExecutionPayloadHeader, SyncAggregate } from './block.ts'
import { bytes, type Container, container, uint64, vector } from './types.ts'

export interface SyncCommittee {
  /** 48 bytes each. */
  readonly pubkeys: readonly Uint8Array[]
  readonly aggregate_pubkey: Uint8Array
}

/** The type for committees of so many members. */
export function SyncCommittee(size: number): Container<SyncCommittee> {
  return container<SyncCommittee>({ pubkeys: vector(bytes(48), size), aggregate_pubkey: bytes(48) })
}

export interface LightClientHeader {
  readonly beacon: BeaconBlockHeader
  readonly execution: ExecutionPayloadHeader
  /** 4 nodes. */
  readonly execution_branch: readonly Uint8Array[]
}

export interface LightClientBootstrap {
  readonly header: LightClientHeader
  readonly current_sync_committee: SyncCommittee
  /** 6 nodes. */
  readonly current_sync_committee_branch: readonly Uint8Array[]
}

export interface LightClientOptimisticUpdate {
  readonly attested_header: LightClientHeader
  readonly sync_aggregate: SyncAggregate
  readonly signature_slot: number
}

export interface LightClientFinalityUpdate extends LightClientOptimisticUpdate {
  readonly finalized_header: LightClientHeader
  /** 7 nodes. */
  readonly finality_branch: readonly Uint8Array[]
}

export interface LightClientUpdate extends LightClientFinalityUpdate {
  readonly next_sync_committee: SyncCommittee
  /** 6 nodes. */
  readonly next_sync_committee_branch: readonly Uint8Array[]
}

/** The types for committees of one size. */
export interface LightClientTypes {
  readonly LightClientBootstrap: Container<LightClientBootstrap>
  readonly LightClientUpdate: Container<LightClientUpdate>
  readonly LightClientFinalityUpdate: Container<LightClientFinalityUpdate>
  readonly LightClientOptimisticUpdate: Container<LightClientOptimisticUpdate>
}

export function lightClientTypes(syncCommitteeSize: number): LightClientTypes {
  const branch = (depth: number): ReturnType<typeof vector<Uint8Array>> => vector(bytes(32), depth)
  const header = container<LightClientHeader>({
    beacon: BeaconBlockHeader,
    execution: ExecutionPayloadHeader,
    execution_branch: branch(4),
  })
  const committee = SyncCommittee(syncCommitteeSize)
  const signed = { sync_aggregate: SyncAggregate(syncCommitteeSize), signature_slot: uint64 }
  const finality = { finalized_header: header, finality_branch: branch(7) }
  return {
    LightClientBootstrap: container<LightClientBootstrap>({
      header,
      current_sync_committee: committee,
      current_sync_committee_branch: branch(6),
    }),
    LightClientUpdate: container<LightClientUpdate>({
      attested_header: header,
      next_sync_committee: committee,
      next_sync_committee_branch: branch(6),
      ...finality,
      ...signed,
    }),
    LightClientFinalityUpdate: container<LightClientFinalityUpdate>({
      attested_header: header,
      ...finality,
      ...signed,
    }),
    LightClientOptimisticUpdate: container<LightClientOptimisticUpdate>({
      attested_header: header,
      ...signed,
    }),
  }
}
