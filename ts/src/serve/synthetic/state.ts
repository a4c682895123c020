/**
 * A block's state, as far as light clients see into it: its slot, what it has finalized, and two sync committees, each in its
 * place of a BeaconState (specs/fulu/beacon-chain.md, 38 fields). All else is zero chunks, since nobody is served a state.
 */
import { lengthChunk, levelsOf, parentOf, siblings } from '../ssz/merkle.ts'

const DEPTH = 6
const SLOT = 2
const FINALIZED_CHECKPOINT = 20
const CURRENT_SYNC_COMMITTEE = 22
const NEXT_SYNC_COMMITTEE = 23

export interface StateTerms {
  readonly slot: number
  readonly finalized: { readonly epoch: number; readonly root: Uint8Array }
  /** Roots. */
  readonly currentSyncCommittee: Uint8Array
  readonly nextSyncCommittee: Uint8Array
}

export interface MadeState {
  readonly root: Uint8Array
  /** FINALIZED_ROOT_GINDEX_ELECTRA: 7 nodes. */
  readonly finalityBranch: readonly Uint8Array[]
  /** CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA: 6 nodes. */
  readonly currentSyncCommitteeBranch: readonly Uint8Array[]
  /** NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA: 6 nodes. */
  readonly nextSyncCommitteeBranch: readonly Uint8Array[]
}

export function makeState(terms: StateTerms): MadeState {
  const { slot, finalized, currentSyncCommittee, nextSyncCommittee } = terms
  const leaves = Array.from({ length: NEXT_SYNC_COMMITTEE + 1 }, () => new Uint8Array(32))
  const epoch = lengthChunk(finalized.epoch)
  leaves[SLOT] = lengthChunk(slot)
  leaves[FINALIZED_CHECKPOINT] = parentOf(epoch, finalized.root)
  leaves[CURRENT_SYNC_COMMITTEE] = new Uint8Array(currentSyncCommittee)
  leaves[NEXT_SYNC_COMMITTEE] = new Uint8Array(nextSyncCommittee)
  const levels = levelsOf(leaves, DEPTH)
  return {
    root: levels[DEPTH]![0]!,
    finalityBranch: [epoch, ...siblings(levels, FINALIZED_CHECKPOINT)],
    currentSyncCommitteeBranch: siblings(levels, CURRENT_SYNC_COMMITTEE),
    nextSyncCommitteeBranch: siblings(levels, NEXT_SYNC_COMMITTEE),
  }
}
