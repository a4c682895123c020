/**
 * What a made chain tells light clients (specs/altair/light-client/full-node.md), and the part of a block's state that its proofs
 * lead into. Signatures are made when they are asked for; the latest few updates are kept.
 */
import type { ChainLightClient, Encoded, EncodedUpdate } from '../chain.ts'
import type { LightClientFinalityUpdate, LightClientTypes, LightClientUpdate } from '../ssz/light-client.ts'
import { lengthChunk, levelsOf, parentOf, siblings } from '../ssz/merkle.ts'
import type { Container } from '../ssz/types.ts'
import type { MadeBlock, MadeState } from './block.ts'
import type { Committees } from './signing.ts'

/** What is asked of the chain. */
interface ChainAccess {
  readonly types: LightClientTypes
  readonly committees: Committees
  periodOf(slot: number): number
  forkDigestAt(slot: number): Uint8Array
  byRoot(root: string): MadeBlock | null
  head(): MadeBlock
  /** The last block of a period, up to the head; null where it has none but genesis. */
  lastOf(period: number): MadeBlock | null
  parentOf(block: MadeBlock): MadeBlock | null
  /** What a block's state has finalized; null for nothing but genesis. */
  finalizedBy(block: MadeBlock): MadeBlock | null
}

/** Updates that are kept. */
const KEPT = 64

export class MadeLightClient implements ChainLightClient {
  readonly #chain: ChainAccess
  /** By the root of the block that signed. */
  readonly #updates = new Map<string, LightClientUpdate>()

  constructor(chain: ChainAccess) {
    this.#chain = chain
  }

  bootstrap(root: string): Encoded | null {
    const { types, committees, periodOf, byRoot } = this.#chain
    const block = byRoot(root)
    if (block === null || block.slot === 0) return null
    return encoded(types.LightClientBootstrap, {
      header: block.lightClientHeader,
      current_sync_committee: committees.of(periodOf(block.slot)).committee,
      current_sync_committee_branch: block.state.currentSyncCommitteeBranch,
    })
  }

  update(period: number): EncodedUpdate | null {
    const { types, forkDigestAt, lastOf, parentOf, periodOf } = this.#chain
    const signer = lastOf(period)
    const attested = signer === null ? null : parentOf(signer)
    if (signer === null || attested === null || periodOf(attested.slot) !== period) return null
    const update = this.#updateBy(signer)
    if (update === null) return null
    return { ...encoded(types.LightClientUpdate, update), forkDigest: forkDigestAt(attested.slot) }
  }

  finalityUpdate(): Encoded | null {
    const update = this.#updateBy(this.#chain.head())
    return update === null
      ? null
      : encoded(this.#chain.types.LightClientFinalityUpdate, update as LightClientFinalityUpdate)
  }

  optimisticUpdate(): Encoded | null {
    const update = this.#updateBy(this.#chain.head())
    return update === null ? null : encoded(this.#chain.types.LightClientOptimisticUpdate, update)
  }

  /** The update that a block's committee signs: it attests to the parent. Null where that has finalized nothing. */
  #updateBy(signer: MadeBlock): LightClientUpdate | null {
    const known = this.#updates.get(signer.root)
    if (known !== undefined) return known
    const { committees, periodOf, parentOf, finalizedBy } = this.#chain
    const attested = parentOf(signer)
    const finalized = attested === null ? null : finalizedBy(attested)
    if (attested === null || finalized === null) return null
    const update: LightClientUpdate = {
      attested_header: attested.lightClientHeader,
      next_sync_committee: committees.of(periodOf(attested.slot) + 1).committee,
      next_sync_committee_branch: attested.state.nextSyncCommitteeBranch,
      finalized_header: finalized.lightClientHeader,
      finality_branch: attested.state.finalityBranch,
      sync_aggregate: committees.sign(periodOf(signer.slot), attested.rootBytes),
      signature_slot: signer.slot,
    }
    this.#updates.set(signer.root, update)
    for (const root of this.#updates.keys()) {
      if (this.#updates.size <= KEPT) break
      this.#updates.delete(root)
    }
    return update
  }
}

/** Containers take what they need of a value, and no more. */
function encoded<V>(type: Container<V>, value: V): Encoded {
  return { version: 'fulu', ssz: () => type.serialize(value), json: () => type.json(value) }
}

const DEPTH = 6
const SLOT = 2
const FINALIZED_CHECKPOINT = 20
const CURRENT_SYNC_COMMITTEE = 22
const NEXT_SYNC_COMMITTEE = 23

interface MadeStateOptions {
  readonly slot: number
  readonly finalized: { readonly epoch: number; readonly root: Uint8Array }
  /** Roots. */
  readonly currentSyncCommittee: Uint8Array
  readonly nextSyncCommittee: Uint8Array
}

/**
 * Makes a block's state as far as light clients see into it: its slot, what it has finalized, and two sync committees, each in its
 * place of a BeaconState (specs/fulu/beacon-chain.md, 38 fields). All other fields are zero chunks, since nobody is served a state.
 */
export function makeState(options: MadeStateOptions): MadeState {
  const { slot, finalized, currentSyncCommittee, nextSyncCommittee } = options
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
