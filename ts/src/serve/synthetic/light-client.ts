/**
 * What a made chain tells light clients (specs/altair/light-client/full-node.md), and the part of a block's state that its proofs
 * lead into. Signatures are made when they are asked for; the latest few updates are kept.
 */
import type { ChainLightClient, Encoded, EncodedUpdate } from '../chain.ts'
import type {
  BlockHashHeader,
  LightClientTypes,
  LightClientUpdate,
  PayloadHeader,
} from '../ssz/light-client.ts'
import { activeFields, lengthChunk, levelsOf, parentOf, progressiveTree, siblings } from '../ssz/merkle.ts'
import type { Container } from '../ssz/types.ts'
import type { MadeBlock, MadeState } from './block.ts'
import type { Committees } from './signing.ts'

/** What is asked of the chain. */
interface ChainAccess {
  readonly types: LightClientTypes<PayloadHeader>
  readonly gloasTypes: LightClientTypes<BlockHashHeader>
  readonly committees: Committees
  periodOf(slot: number): number
  epochOf(slot: number): number
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
  readonly #updates = new Map<string, Update>()

  constructor(chain: ChainAccess) {
    this.#chain = chain
  }

  bootstrap(root: string): Encoded | null {
    const { types, gloasTypes, committees, periodOf, byRoot } = this.#chain
    const block = byRoot(root)
    if (block === null || block.slot === 0) return null
    const committee = {
      current_sync_committee: committees.of(periodOf(block.slot)).committee,
      current_sync_committee_branch: block.state.currentSyncCommitteeBranch,
    }
    return block.version === 'gloas'
      ? encoded('gloas', gloasTypes.LightClientBootstrap, { header: block.blockHashHeader, ...committee })
      : encoded('fulu', types.LightClientBootstrap, { header: block.payloadHeader, ...committee })
  }

  update(period: number): EncodedUpdate | null {
    const { forkDigestAt, lastOf, parentOf, periodOf } = this.#chain
    const signer = lastOf(period)
    const attested = signer === null ? null : parentOf(signer)
    if (signer === null || attested === null || periodOf(attested.slot) !== period) return null
    const update = this.#encodedUpdate(signer, 'LightClientUpdate')
    return update && { ...update, forkDigest: forkDigestAt(attested.slot) }
  }

  finalityUpdate(root?: string): Encoded | null {
    return this.#encodedUpdate(this.#signer(root), 'LightClientFinalityUpdate')
  }

  optimisticUpdate(root?: string): Encoded | null {
    return this.#encodedUpdate(this.#signer(root), 'LightClientOptimisticUpdate')
  }

  #signer(root: string | undefined): MadeBlock | null {
    return root === undefined ? this.#chain.head() : this.#chain.byRoot(root)
  }

  /** In the containers of the attested header's fork. */
  #encodedUpdate(
    signer: MadeBlock | null,
    type: 'LightClientUpdate' | 'LightClientFinalityUpdate' | 'LightClientOptimisticUpdate',
  ): Encoded | null {
    const { types, gloasTypes } = this.#chain
    const update = signer && this.#updateBy(signer)
    if (update === null) return null
    // Containers take what they need of a value, and no more.
    return update.version === 'gloas'
      ? encoded('gloas', gloasTypes[type] as Container<LightClientUpdate<BlockHashHeader>>, update.value)
      : encoded('fulu', types[type] as Container<LightClientUpdate<PayloadHeader>>, update.value)
  }

  /** The update that a block's committee signs: it attests to the parent. Null where that has finalized nothing. */
  #updateBy(signer: MadeBlock): Update | null {
    const known = this.#updates.get(signer.root)
    if (known !== undefined) return known
    const { committees, epochOf, periodOf, parentOf, finalizedBy } = this.#chain
    const attested = parentOf(signer)
    const finalized = attested === null ? null : finalizedBy(attested)
    if (attested === null || finalized === null) return null
    const common = {
      next_sync_committee: committees.of(periodOf(attested.slot) + 1).committee,
      next_sync_committee_branch: attested.state.nextSyncCommitteeBranch,
      finality_branch: attested.state.finalityBranch,
      sync_aggregate: committees.sign(periodOf(signer.slot), epochOf(signer.slot - 1), attested.rootBytes),
      signature_slot: signer.slot,
    }
    const update: Update =
      attested.version === 'gloas'
        ? {
            version: 'gloas',
            value: { ...common, ...headersOf(attested.blockHashHeader, finalized.blockHashHeader) },
          }
        : {
            version: 'fulu',
            value: { ...common, ...headersOf(attested.payloadHeader, finalized.payloadHeader) },
          }
    this.#updates.set(signer.root, update)
    for (const root of this.#updates.keys()) {
      if (this.#updates.size <= KEPT) break
      this.#updates.delete(root)
    }
    return update
  }
}

/** An update in the containers of its attested header's fork; a finalized header of before Gloas is in Gloas's, too. */
type Update =
  | { readonly version: 'fulu'; readonly value: LightClientUpdate<PayloadHeader> }
  | { readonly version: 'gloas'; readonly value: LightClientUpdate<BlockHashHeader> }

const headersOf = <Header>(attested: Header, finalized: Header) => ({
  attested_header: attested,
  finalized_header: finalized,
})

function encoded<V>(version: 'fulu' | 'gloas', type: Container<V>, value: V): Encoded {
  return { version, ssz: () => type.serialize(value), json: () => type.json(value) }
}

const DEPTH = 6
const SLOT = 2
const FINALIZED_CHECKPOINT = 20
const CURRENT_SYNC_COMMITTEE = 22
const NEXT_SYNC_COMMITTEE = 23

interface MadeStateOptions {
  readonly slot: number
  readonly isGloas: boolean
  readonly finalized: { readonly epoch: number; readonly root: Uint8Array }
  /** Roots. */
  readonly currentSyncCommittee: Uint8Array
  readonly nextSyncCommittee: Uint8Array
}

/** How many fields a BeaconState of Gloas has. */
const GLOAS_FIELDS = 45

/**
 * Makes a block's state as far as light clients see into it: its slot, what it has finalized, and two sync committees, each in its
 * place of a BeaconState (specs/fulu/beacon-chain.md, 38 fields; specs/gloas/beacon-chain.md, 45 fields in a progressive container). All
 * other fields are zero chunks, since nobody is served a state.
 */
export function makeState(options: MadeStateOptions): MadeState {
  const { slot, isGloas, finalized, currentSyncCommittee, nextSyncCommittee } = options
  const count = isGloas ? GLOAS_FIELDS : NEXT_SYNC_COMMITTEE + 1
  const leaves = Array.from({ length: count }, () => new Uint8Array(32))
  const epoch = lengthChunk(finalized.epoch)
  leaves[SLOT] = lengthChunk(slot)
  leaves[FINALIZED_CHECKPOINT] = parentOf(epoch, finalized.root)
  leaves[CURRENT_SYNC_COMMITTEE] = new Uint8Array(currentSyncCommittee)
  leaves[NEXT_SYNC_COMMITTEE] = new Uint8Array(nextSyncCommittee)
  const { root, branch } = isGloas ? gloasTree(leaves) : fuluTree(leaves)
  return {
    root,
    finalityBranch: [epoch, ...branch(FINALIZED_CHECKPOINT)],
    currentSyncCommitteeBranch: branch(CURRENT_SYNC_COMMITTEE),
    nextSyncCommitteeBranch: branch(NEXT_SYNC_COMMITTEE),
  }
}

interface StateTree {
  readonly root: Uint8Array
  readonly branch: (field: number) => Uint8Array[]
}

function fuluTree(leaves: readonly Uint8Array[]): StateTree {
  const levels = levelsOf(leaves, DEPTH)
  return { root: levels[DEPTH]![0]!, branch: (field) => siblings(levels, field) }
}

function gloasTree(leaves: readonly Uint8Array[]): StateTree {
  const tree = progressiveTree(leaves)
  const active = activeFields(leaves.length)
  return { root: parentOf(tree.root, active), branch: (field) => [...tree.branch(field), active] }
}
