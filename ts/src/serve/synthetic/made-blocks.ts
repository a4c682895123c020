/** The blocks of a made chain: each is made over the one before, and finality follows as where all attest. */
import type { ChainCheckpoint, ChainCheckpoints, LabelledNetwork } from '../chain.ts'
import type { ProvenBlob } from '../sidecars.ts'
import { blockTypes, type FuluBlockTypes } from '../ssz/block.ts'
import { gloasBlockTypes, type GloasBlockTypes } from '../ssz/gloas.ts'
import type { MadeBlock } from './block.ts'
import { FuluBlock } from './fulu-block.ts'
import { GloasBlock } from './gloas-block.ts'
import { makeState } from './light-client.ts'
import type { ChainSettings } from './options.ts'
import { Committees, signByProposer, signingRoot } from './signing.ts'

/** What blocks are made by. */
export interface MadeBlocksSettings extends ChainSettings {
  readonly network: LabelledNetwork
  /** What blocks draw their blobs from. */
  readonly pool: readonly ProvenBlob[]
}

/** A block that became final, and the epoch of its checkpoint. */
interface NewlyFinal {
  readonly block: MadeBlock
  readonly epoch: number
}

export class MadeBlocks {
  readonly committees: Committees
  readonly #settings: MadeBlocksSettings
  readonly #types: FuluBlockTypes
  readonly #gloasTypes: GloasBlockTypes
  /** In order. */
  readonly #all: MadeBlock[] = []
  readonly #bySlot = new Map<number, MadeBlock>()
  readonly #byRoot = new Map<string, MadeBlock>()

  /** With genesis, and the block of the first slot. */
  constructor(settings: MadeBlocksSettings) {
    this.#settings = settings
    this.#types = blockTypes(settings.syncCommitteeSize)
    this.#gloasTypes = gloasBlockTypes(settings.syncCommitteeSize)
    this.committees = new Committees(settings.network, settings.syncCommitteeSize)
    this.add(0)
    this.add(settings.firstSlot)
  }

  get genesis(): MadeBlock {
    return this.#all[0]!
  }

  /** The block of the first slot. */
  get first(): MadeBlock {
    return this.#all[1]!
  }

  get newest(): MadeBlock {
    return this.#all.at(-1)!
  }

  at(slot: number): MadeBlock | null {
    return this.#bySlot.get(slot) ?? null
  }

  /** The block of a root, 0x hex in lower case. */
  ofRoot(root: string): MadeBlock | null {
    return this.#byRoot.get(root) ?? null
  }

  /** The block before another; null before genesis. */
  before({ index }: MadeBlock): MadeBlock | null {
    return this.#all[index - 1] ?? null
  }

  /** The last block of a sync committee's period; null where it has none but genesis. */
  lastOf(period: number): MadeBlock | null {
    const slots = this.#slotsPerPeriod
    return this.#lastUpTo((period + 1) * slots - 1, period * slots)
  }

  /** Makes the block of a slot after the newest one. */
  add(slot: number): MadeBlock {
    const { network, pool, blobsAt, isPayloadWithheld, signHeaders, secondsPerSlot } = this.#settings
    const count = slot === 0 ? 0 : Math.min(blobsAt(slot), pool.length)
    const epoch = this.epochOf(slot)
    const parent = this.#all.at(-1) ?? null
    const options = {
      ...{ slot, parent },
      timestamp: network.genesisTime + slot * secondsPerSlot,
      blobs: Array.from({ length: count }, (_blob, at) => pool[(slot + at) % pool.length]!),
      state: this.#state(slot),
      syncAggregate: this.committees.nobody,
      sign: (root: Uint8Array): Uint8Array =>
        signHeaders ? signByProposer(signingRoot(network, epoch, 0, root)) : new Uint8Array(96),
    }
    const block =
      parent !== null && this.#isGloas(slot)
        ? new GloasBlock({ ...options, parent, isRevealed: !isPayloadWithheld(slot) }, this.#gloasTypes)
        : new FuluBlock(options, this.#types)
    this.#all.push(block)
    this.#bySlot.set(slot, block)
    this.#byRoot.set(block.root, block)
    return block
  }

  /** What a block's state has finalized: two epochs before, and at least the first block; null for that one and genesis. */
  finalizedBy({ slot }: MadeBlock): MadeBlock | null {
    if (slot <= this.#settings.firstSlot) return null
    return this.#lastUpTo(this.#finalizedEpoch(slot) * this.#settings.slotsPerEpoch)
  }

  /** What a block's state has justified: one epoch before, or what is final, at least genesis. */
  justifiedBy(block: MadeBlock): MadeBlock {
    const before = (this.epochOf(block.slot) - 1) * this.#settings.slotsPerEpoch
    return this.#lastUpTo(before) ?? this.finalizedBy(block) ?? this.genesis
  }

  /** The checkpoints in the state of a block: as where all attest, the epoch before its own is justified, and the one before that final. */
  checkpointsBy({ slot }: MadeBlock): ChainCheckpoints {
    const { firstSlot, slotsPerEpoch } = this.#settings
    const none: ChainCheckpoint = { epoch: 0, root: `0x${'00'.repeat(32)}` }
    const of = (epoch: number): ChainCheckpoint => {
      const first = slot > firstSlot ? this.#lastUpTo(epoch * slotsPerEpoch) : null
      return first === null ? none : { epoch, root: first.root }
    }
    const finalized = of(this.#finalizedEpoch(slot))
    const justified = of(Math.max(this.epochOf(slot) - 1, firstSlot / slotsPerEpoch))
    return { previousJustified: finalized, currentJustified: justified, finalized }
  }

  /** What a block finalized that the one before it had not; null where that is nothing, or what the chain began with. */
  newlyFinalBy(block: MadeBlock): NewlyFinal | null {
    const { slotsPerEpoch, firstSlot } = this.#settings
    const epoch = this.#finalizedEpoch(block.slot)
    const finalized = this.finalizedBy(block)
    if (finalized === null || this.#finalizedEpoch(this.before(block)!.slot) === epoch) return null
    return epoch * slotsPerEpoch > firstSlot ? { block: finalized, epoch } : null
  }

  epochOf(slot: number): number {
    return Math.floor(slot / this.#settings.slotsPerEpoch)
  }

  /** The period of the sync committee that signs in a slot. */
  periodOf(slot: number): number {
    return Math.floor(slot / this.#slotsPerPeriod)
  }

  get #slotsPerPeriod(): number {
    return this.#settings.slotsPerEpoch * this.#settings.epochsPerSyncCommitteePeriod
  }

  #isGloas(slot: number): boolean {
    return this.epochOf(slot) >= this.#settings.gloasForkEpoch
  }

  #finalizedEpoch(slot: number): number {
    const { slotsPerEpoch, firstSlot } = this.#settings
    return Math.max(this.epochOf(slot) - 2, firstSlot / slotsPerEpoch)
  }

  /** The last block of the slots from one to another; never genesis. */
  #lastUpTo(slot: number, from: number = 0): MadeBlock | null {
    for (let at = Math.min(slot, this.newest.slot); at >= Math.max(from, this.#settings.firstSlot); at--) {
      const block = this.#bySlot.get(at)
      if (block !== undefined) return block
    }
    return null
  }

  #state(slot: number): MadeBlock['state'] {
    const isEarly = slot <= this.#settings.firstSlot
    const epoch = isEarly ? 0 : this.#finalizedEpoch(slot)
    const finalized = isEarly ? null : this.#lastUpTo(epoch * this.#settings.slotsPerEpoch)
    const period = this.periodOf(slot)
    return makeState({
      slot,
      isGloas: this.#isGloas(slot),
      finalized: { epoch, root: finalized?.rootBytes ?? new Uint8Array(32) },
      currentSyncCommittee: this.committees.of(period).root,
      nextSyncCommittee: this.committees.of(period + 1).root,
    })
  }
}
