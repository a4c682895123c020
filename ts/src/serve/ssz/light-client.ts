/**
 * Sync committees, and what light clients are served, in Electra's containers, which Fulu keeps, and in those of Gloas. Sources:
 * specs/altair/beacon-chain.md, specs/{electra,gloas}/light-client/sync-protocol.md.
 */
import { BeaconBlockHeader, ExecutionPayloadHeader, SyncAggregate } from './block.ts'
import { bytes, type Container, container, type Type, uint64, vector } from './types.ts'

export interface SyncCommittee {
  /** 48 bytes each. */
  readonly pubkeys: readonly Uint8Array[]
  readonly aggregate_pubkey: Uint8Array
}

/** The type for committees of so many members. */
export function SyncCommittee(size: number): Container<SyncCommittee> {
  return container<SyncCommittee>({ pubkeys: vector(bytes(48), size), aggregate_pubkey: bytes(48) })
}

/** LightClientHeader of Electra and Fulu. */
export interface PayloadHeader {
  readonly beacon: BeaconBlockHeader
  readonly execution: ExecutionPayloadHeader
  /** 4 nodes. */
  readonly execution_branch: readonly Uint8Array[]
}

/** LightClientHeader of Gloas. */
export interface BlockHashHeader {
  readonly beacon: BeaconBlockHeader
  /** `bid.parent_block_hash`; of a block before Gloas, the hash of its own payload. */
  readonly execution_block_hash: Uint8Array
  /** 11 nodes. */
  readonly execution_branch: readonly Uint8Array[]
}

export interface LightClientBootstrap<Header> {
  readonly header: Header
  readonly current_sync_committee: SyncCommittee
  /** 6 nodes, or 11 in Gloas. */
  readonly current_sync_committee_branch: readonly Uint8Array[]
}

export interface LightClientOptimisticUpdate<Header> {
  readonly attested_header: Header
  readonly sync_aggregate: SyncAggregate
  readonly signature_slot: number
}

export interface LightClientFinalityUpdate<Header> extends LightClientOptimisticUpdate<Header> {
  readonly finalized_header: Header
  /** 7 nodes, or 9 in Gloas. */
  readonly finality_branch: readonly Uint8Array[]
}

export interface LightClientUpdate<Header> extends LightClientFinalityUpdate<Header> {
  readonly next_sync_committee: SyncCommittee
  /** 6 nodes, or 11 in Gloas. */
  readonly next_sync_committee_branch: readonly Uint8Array[]
}

/** The types for committees of one size. */
export interface LightClientTypes<Header> {
  readonly LightClientBootstrap: Container<LightClientBootstrap<Header>>
  readonly LightClientUpdate: Container<LightClientUpdate<Header>>
  readonly LightClientFinalityUpdate: Container<LightClientFinalityUpdate<Header>>
  readonly LightClientOptimisticUpdate: Container<LightClientOptimisticUpdate<Header>>
}

const branch = (depth: number): Type<readonly Uint8Array[]> => vector(bytes(32), depth)

/** Those of Electra and Fulu. */
export function lightClientTypes(syncCommitteeSize: number): LightClientTypes<PayloadHeader> {
  const header = container<PayloadHeader>({
    beacon: BeaconBlockHeader,
    execution: ExecutionPayloadHeader,
    execution_branch: branch(4),
  })
  return typesWith(header, { committee: 6, finality: 7 }, syncCommitteeSize)
}

/** Those of Gloas. */
export function gloasLightClientTypes(syncCommitteeSize: number): LightClientTypes<BlockHashHeader> {
  const header = container<BlockHashHeader>({
    beacon: BeaconBlockHeader,
    execution_block_hash: bytes(32),
    execution_branch: branch(11),
  })
  return typesWith(header, { committee: 11, finality: 9 }, syncCommitteeSize)
}

function typesWith<Header>(
  header: Container<Header>,
  depths: { readonly committee: number; readonly finality: number },
  syncCommitteeSize: number,
): LightClientTypes<Header> {
  const committee = SyncCommittee(syncCommitteeSize)
  const signed = { sync_aggregate: SyncAggregate(syncCommitteeSize), signature_slot: uint64 }
  const finality = { finalized_header: header, finality_branch: branch(depths.finality) }
  return {
    LightClientBootstrap: container<LightClientBootstrap<Header>>({
      header,
      current_sync_committee: committee,
      current_sync_committee_branch: branch(depths.committee),
    }),
    LightClientUpdate: container<LightClientUpdate<Header>>({
      attested_header: header,
      next_sync_committee: committee,
      next_sync_committee_branch: branch(depths.committee),
      ...finality,
      ...signed,
    }),
    LightClientFinalityUpdate: container<LightClientFinalityUpdate<Header>>({
      attested_header: header,
      ...finality,
      ...signed,
    }),
    LightClientOptimisticUpdate: container<LightClientOptimisticUpdate<Header>>({
      attested_header: header,
      ...signed,
    }),
  }
}
