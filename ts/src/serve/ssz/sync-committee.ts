/** Sync committees and what they sign with. Source: specs/altair/beacon-chain.md. */
import { type Container, container } from './container.ts'
import { bytes, vector } from './type.ts'

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

export interface SyncCommittee {
  /** 48 bytes each. */
  readonly pubkeys: readonly Uint8Array[]
  readonly aggregate_pubkey: Uint8Array
}

/** The type for committees of so many members. */
export function SyncCommittee(size: number): Container<SyncCommittee> {
  return container<SyncCommittee>({ pubkeys: vector(bytes(48), size), aggregate_pubkey: bytes(48) })
}
