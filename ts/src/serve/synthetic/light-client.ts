/**
 * What a made chain tells light clients: specs/altair/light-client/full-node.md. Signatures are made when they are asked for;
 * the latest few updates are kept.
 */
import type { ChainLightClient, Encoded, EncodedUpdate } from '../chain.ts'
import type { Container } from '../ssz/container.ts'
import type { LightClientFinalityUpdate, LightClientTypes, LightClientUpdate } from '../ssz/light-client.ts'
import type { MadeBlock } from './block.ts'
import type { Committees } from './committees.ts'

/** What is asked of the chain. */
export interface LightClientTerms {
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
  readonly #terms: LightClientTerms
  /** By the root of the block that signed. */
  readonly #updates = new Map<string, LightClientUpdate>()

  constructor(terms: LightClientTerms) {
    this.#terms = terms
  }

  bootstrap(root: string): Encoded | null {
    const { types, committees, periodOf, byRoot } = this.#terms
    const block = byRoot(root)
    if (block === null || block.slot === 0) return null
    return encoded(types.LightClientBootstrap, {
      header: block.lightClientHeader,
      current_sync_committee: committees.of(periodOf(block.slot)).committee,
      current_sync_committee_branch: block.state.currentSyncCommitteeBranch,
    })
  }

  update(period: number): EncodedUpdate | null {
    const { types, forkDigestAt, lastOf, parentOf, periodOf } = this.#terms
    const signer = lastOf(period)
    const attested = signer === null ? null : parentOf(signer)
    if (signer === null || attested === null || periodOf(attested.slot) !== period) return null
    const update = this.#updateBy(signer)
    if (update === null) return null
    return { ...encoded(types.LightClientUpdate, update), forkDigest: forkDigestAt(attested.slot) }
  }

  finalityUpdate(): Encoded | null {
    const update = this.#updateBy(this.#terms.head())
    return update === null
      ? null
      : encoded(this.#terms.types.LightClientFinalityUpdate, update as LightClientFinalityUpdate)
  }

  optimisticUpdate(): Encoded | null {
    const update = this.#updateBy(this.#terms.head())
    return update === null ? null : encoded(this.#terms.types.LightClientOptimisticUpdate, update)
  }

  /** The update that a block's committee signs: it attests to the parent. Null where that has finalized nothing. */
  #updateBy(signer: MadeBlock): LightClientUpdate | null {
    const known = this.#updates.get(signer.root)
    if (known !== undefined) return known
    const { committees, periodOf, parentOf, finalizedBy } = this.#terms
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
