/** A chain that never was: it grows as its clock says, and knows all of its blocks. */
import { notify } from '../../util/notify.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import { sleep } from '../../util/timers.ts'
import type {
  Chain,
  ChainCheckpoint,
  ChainCheckpoints,
  ChainEvent,
  ChainExecution,
  ChainLightClient,
  LabelledNetwork,
  MadeChainBlock,
} from '../chain.ts'
import { madeNetwork } from '../networks.ts'
import type { ProvenBlob } from '../sidecars.ts'
import { blockTypes, type FuluBlockTypes } from '../ssz/block.ts'
import { gloasBlockTypes, type GloasBlockTypes } from '../ssz/gloas.ts'
import { gloasLightClientTypes, lightClientTypes } from '../ssz/light-client.ts'
import type { MadeBlock } from './block.ts'
import { makeBlobs } from './blobs.ts'
import { type ChainClock, HandClock, RunningClock } from './clock.ts'
import { MadeExecution } from './execution.ts'
import { FuluBlock } from './fulu-block.ts'
import { GloasBlock } from './gloas-block.ts'
import { MadeLightClient, makeState } from './light-client.ts'
import { type ChainSettings, integer, type MakeChainOptions, readSettings } from './options.ts'
import { Committees, forkDigest, proposerKey, signByProposer, signingRoot } from './signing.ts'

interface MadeChainSettings extends ChainSettings {
  readonly network: LabelledNetwork
  readonly clock: ChainClock
  /** What blocks draw their blobs from. */
  readonly pool: readonly ProvenBlob[]
}

/** Slots that are made before others get a turn. */
const SLOTS_AT_ONCE = 64

/**
 * The synthetic chain that `makeChain` makes. It grows as its clock says, or by `advance`, and keeps all of its blocks. It can be served
 * (`createBeaconApp`, `serveBeacon`) and looked into. Whatever looks into it makes the blocks that are missing first, all at once and
 * some 1 ms each: where nobody has looked for hours, `await chain.catchUp()` before gives others turns between them, as apps do.
 *
 * @example
 * ```ts
 * import { makeChain } from 'blobcheck/serve'
 *
 * const chain = await makeChain({ slots: 64, clock: 'by-hand' })
 * const unsubscribe = chain.subscribe((event) => console.log(event))
 * chain.advance(32) // an epoch later
 * unsubscribe()
 * const block = chain.at(chain.head.slot)
 * console.log(block !== null && chain.byRoot(block.root) === block) // true
 * ```
 */
export class MadeChain implements Chain {
  readonly network: LabelledNetwork
  readonly checkpoint: string
  /** The public key of every proposer, 48 bytes: what a verifier’s `proposerKey` is to be for headers of this chain. */
  readonly proposerKey: Uint8Array = proposerKey
  readonly lightClient: ChainLightClient
  /** The execution layer: of the payloads that were revealed. */
  readonly execution: ChainExecution
  readonly #execution: MadeExecution
  readonly #settings: MadeChainSettings
  readonly #types: FuluBlockTypes
  readonly #gloasTypes: GloasBlockTypes
  readonly #committees: Committees
  /** In order; genesis, then the block of the first slot. */
  readonly #blocks: MadeBlock[] = []
  readonly #bySlot = new Map<number, MadeBlock>()
  readonly #byRoot = new Map<string, MadeBlock>()
  readonly #listeners = new Set<(event: ChainEvent) => void>()
  /** The last slot that has been looked at. */
  #slot: number
  #stopClock: (() => void) | null = null
  /** The slots that are being made for whoever catches up. */
  #slice: Promise<void> | null = null

  /**
   * With genesis and its first block; `head` brings the others.
   *
   * @internal
   */
  constructor(settings: MadeChainSettings) {
    this.#settings = settings
    this.network = settings.network
    this.#types = blockTypes(settings.syncCommitteeSize)
    this.#gloasTypes = gloasBlockTypes(settings.syncCommitteeSize)
    this.#committees = new Committees(settings.network, settings.syncCommitteeSize)
    this.#execution = new MadeExecution({
      head: () => this.#head,
      safe: () => this.#safe,
      finalized: () => this.#finalized,
    })
    this.execution = this.#execution
    this.#add(0)
    this.#add(settings.firstSlot)
    this.#slot = settings.firstSlot
    this.checkpoint = this.#first.root
    this.lightClient = new MadeLightClient({
      types: lightClientTypes(settings.syncCommitteeSize),
      gloasTypes: gloasLightClientTypes(settings.syncCommitteeSize),
      committees: this.#committees,
      periodOf: (slot) => this.#periodOf(slot),
      finalizedBy: (block) => this.#finalizedBy(block),
      epochOf: (slot) => this.#epochOf(slot),
      forkDigestAt: (slot) => forkDigest(settings.network, Math.floor(slot / settings.slotsPerEpoch)),
      byRoot: (root) => this.#ofRoot(root),
      head: () => this.#head,
      lastOf: (period) => {
        this.#growTo(this.#settings.clock.slot)
        return this.#lastUpTo((period + 1) * this.#slotsPerPeriod - 1, period)
      },
      parentOf: (block) => this.#blocks[block.index - 1] ?? null,
    })
  }

  /** The time by the chain’s clock, in milliseconds of Unix time. */
  now(): number {
    return this.#settings.clock.now()
  }

  /** The newest block. */
  get head(): MadeChainBlock {
    return this.#head
  }

  get #head(): MadeBlock {
    this.#growTo(this.#settings.clock.slot)
    return this.#blocks[this.#blocks.length - 1]!
  }

  /** The newest block that is final: of two epochs before the head’s, or the first block, or genesis. */
  get finalized(): MadeChainBlock {
    return this.#finalized
  }

  get #finalized(): MadeBlock {
    return this.#finalizedBy(this.#head) ?? this.#blocks[0]!
  }

  /** The newest block that is justified: of one epoch before the head’s, or what is final. */
  get #safe(): MadeBlock {
    const { slotsPerEpoch } = this.#settings
    const epoch = this.#epochOf(this.#head.slot) - 1
    return this.#lastUpTo(epoch * slotsPerEpoch) ?? this.#finalized
  }

  /** The block of a slot, up to the head; null where there is none. */
  at(slot: number): MadeChainBlock | null {
    this.#growTo(this.#settings.clock.slot)
    return this.#bySlot.get(slot) ?? null
  }

  /** The block of a root, 0x hex in lower case, up to the head; null where there is none. */
  byRoot(root: string): MadeChainBlock | null {
    return this.#ofRoot(root)
  }

  #ofRoot(root: string): MadeBlock | null {
    this.#growTo(this.#settings.clock.slot)
    return this.#byRoot.get(root) ?? null
  }

  /** The checkpoints in the state of a block, by its root: as where all attest, the epoch before its own is justified, and the one before that final. */
  checkpoints(root: string): ChainCheckpoints | null {
    const block = this.#ofRoot(root)
    if (block === null) return null
    const { firstSlot, slotsPerEpoch } = this.#settings
    const none: ChainCheckpoint = { epoch: 0, root: `0x${'00'.repeat(32)}` }
    const of = (epoch: number): ChainCheckpoint => {
      const first = block.slot > firstSlot ? this.#lastUpTo(epoch * slotsPerEpoch) : null
      return first === null ? none : { epoch, root: first.root }
    }
    const finalized = of(this.#finalizedEpoch(block.slot))
    const justified = of(Math.max(this.#epochOf(block.slot) - 1, firstSlot / slotsPerEpoch))
    return { previousJustified: finalized, currentJustified: justified, finalized }
  }

  /**
   * Moves the clock of a chain with `clock: 'by-hand'` on by so many slots (default 1). Throws `TypeError` where the clock runs by itself, and for
   * what is no integer from 0 on.
   */
  advance(slots: number = 1): void {
    const { clock } = this.#settings
    if (!(clock instanceof HandClock)) throw new TypeError('this chain has a clock that runs by itself')
    clock.advance(integer('slots', slots, 0))
    this.#growTo(clock.slot)
  }

  /** Calls the listener at each event from now on. The function that is returned ends that. */
  subscribe(listener: (event: ChainEvent) => void): () => void {
    this.#growTo(this.#settings.clock.slot)
    this.#listeners.add(listener)
    this.#stopClock ??= this.#followClock()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stopClock?.()
      this.#stopClock = null
    }
  }

  /** Makes the blocks of slots as they begin, until what comes back is called. */
  #followClock(): () => void {
    const { clock } = this.#settings
    const end = new AbortController()
    let isCatchingUp = false
    const catchUp = async (): Promise<void> => {
      isCatchingUp = true
      try {
        await this.catchUp(end.signal)
        this.#growTo(clock.slot)
      } catch (error) {
        if (!end.signal.aborted) throw error
      } finally {
        isCatchingUp = false
      }
    }
    const stop = clock.onSlot(() => {
      // Where the machine has slept, many have begun since the last one.
      if (clock.slot - this.#slot <= SLOTS_AT_ONCE) this.#growTo(clock.slot)
      else if (!isCatchingUp) void catchUp()
    })
    return () => {
      stop()
      end.abort()
    }
  }

  /**
   * Makes the blocks up to the present slot, but for the last 64 or fewer, and gives others turns between them. It rejects with the
   * signal's reason; where nobody waits for it any more, it ends.
   */
  async catchUp(signal?: PlatformSignal): Promise<void> {
    while (this.#settings.clock.slot - this.#slot > SLOTS_AT_ONCE) {
      signal?.throwIfAborted()
      await (this.#slice ??= this.#growSlice())
    }
  }

  /** Shared by all who catch up: with slices of their own they would leave nobody else a turn. */
  async #growSlice(): Promise<void> {
    try {
      await sleep(0)
      this.#growTo(Math.min(this.#slot + SLOTS_AT_ONCE, this.#settings.clock.slot))
    } finally {
      this.#slice = null
    }
  }

  /**
   * Makes the blocks up to a slot, as far as they are missing: those who look into the chain need not call it. Throws `TypeError` for a slot that has
   * not begun, and for what is no integer.
   */
  grow(slot: number): void {
    const { slot: present } = this.#settings.clock
    if (integer('slot', slot, 0) > present)
      throw new TypeError(`slot must have begun: the present one is ${present}, and ${slot} is to come`)
    this.#growTo(slot)
  }

  #growTo(slot: number): void {
    while (this.#slot < slot) {
      const next = this.#slot + 1
      const block = this.#settings.isMissed(next) ? null : this.#add(next)
      // Not before: where a caller's function throws, the slot is tried again.
      this.#slot = next
      if (block !== null) this.#tell(block)
    }
  }

  #periodOf(slot: number): number {
    return Math.floor(slot / this.#slotsPerPeriod)
  }

  /** What a block's state has finalized: two epochs before, and at least the first block; null for that one and genesis. */
  #finalizedBy(block: MadeBlock): MadeBlock | null {
    if (block.slot <= this.#settings.firstSlot) return null
    return this.#lastUpTo(this.#finalizedEpoch(block.slot) * this.#settings.slotsPerEpoch)
  }

  #epochOf(slot: number): number {
    return Math.floor(slot / this.#settings.slotsPerEpoch)
  }

  #isGloas(slot: number): boolean {
    return this.#epochOf(slot) >= this.#settings.gloasForkEpoch
  }

  #finalizedEpoch(slot: number): number {
    const { slotsPerEpoch, firstSlot } = this.#settings
    return Math.max(Math.floor(slot / slotsPerEpoch) - 2, firstSlot / slotsPerEpoch)
  }

  get #first(): MadeBlock {
    return this.#blocks[1]!
  }

  get #slotsPerPeriod(): number {
    return this.#settings.slotsPerEpoch * this.#settings.epochsPerSyncCommitteePeriod
  }

  /** The last block up to a slot, of a period where one is given; never genesis. */
  #lastUpTo(slot: number, period?: number): MadeBlock | null {
    const from = period === undefined ? this.#settings.firstSlot : period * this.#slotsPerPeriod
    for (let at = Math.min(slot, this.#slot); at >= Math.max(from, this.#settings.firstSlot); at--) {
      const block = this.#bySlot.get(at)
      if (block !== undefined) return block
    }
    return null
  }

  #add(slot: number): MadeBlock {
    const { network, pool, blobsAt, isPayloadWithheld, signHeaders, secondsPerSlot } = this.#settings
    const count = slot === 0 ? 0 : Math.min(blobsAt(slot), pool.length)
    const epoch = this.#epochOf(slot)
    const parent = this.#blocks[this.#blocks.length - 1] ?? null
    const options = {
      ...{ slot, parent },
      timestamp: network.genesisTime + slot * secondsPerSlot,
      blobs: Array.from({ length: count }, (_blob, at) => pool[(slot + at) % pool.length]!),
      state: this.#state(slot),
      syncAggregate: this.#committees.nobody,
      sign: (root: Uint8Array): Uint8Array =>
        signHeaders ? signByProposer(signingRoot(network, epoch, 0, root)) : new Uint8Array(96),
    }
    const block =
      parent !== null && this.#isGloas(slot)
        ? new GloasBlock({ ...options, parent, isRevealed: !isPayloadWithheld(slot) }, this.#gloasTypes)
        : new FuluBlock(options, this.#types)
    this.#blocks.push(block)
    this.#bySlot.set(slot, block)
    this.#byRoot.set(block.root, block)
    this.#execution.add(block)
    return block
  }

  #state(slot: number): MadeBlock['state'] {
    const isEarly = slot <= this.#settings.firstSlot
    const epoch = isEarly ? 0 : this.#finalizedEpoch(slot)
    const finalized = isEarly ? null : this.#lastUpTo(epoch * this.#settings.slotsPerEpoch)
    const period = this.#periodOf(slot)
    return makeState({
      slot,
      isGloas: this.#isGloas(slot),
      finalized: { epoch, root: finalized?.rootBytes ?? new Uint8Array(32) },
      currentSyncCommittee: this.#committees.of(period).root,
      nextSyncCommittee: this.#committees.of(period + 1).root,
    })
  }

  #tell(block: MadeBlock): void {
    const { slotsPerEpoch } = this.#settings
    const tell = (event: ChainEvent): void => this.#listeners.forEach((listener) => notify(listener, event))
    tell({ kind: 'block', block })
    const epoch = this.#finalizedEpoch(block.slot)
    const before = this.#blocks[this.#blocks.length - 2]!
    const finalized = this.#finalizedBy(block)
    if (finalized === null || this.#finalizedEpoch(before.slot) === epoch) return
    if (epoch * slotsPerEpoch > this.#settings.firstSlot) tell({ kind: 'finalized', block: finalized, epoch })
  }
}

/** Blobs that there are beyond those of one block, so that blocks are not all of the same ones. */
const SPARE_BLOBS = 3

/**
 * Makes a synthetic chain of Fulu, which goes on into Gloas where that is asked for: genesis, empty slots, and then a block in each slot. Its blobs are proved as real ones are, and a
 * light client can follow it from `chain.checkpoint` with `chain.network`; its signatures are of keys that everybody knows, which
 * the network's `label` says. Two blobs are proved in worker threads, the others follow from them, some 4 ms each. Rejects with
 * `TypeError` for options that are out of range, of another type or unknown, with `SetupUnavailableError` where the prover's setup cannot be had, and with
 * the signal's reason.
 *
 * @example
 * ```ts
 * import { makeChain } from 'blobcheck/serve'
 * import { serveBeacon } from 'blobcheck/serve/node'
 *
 * const chain = await makeChain({ slots: 64, blobsPerBlock: 6, clock: 'by-hand' })
 * chain.advance(32) // an epoch later
 * const server = await serveBeacon({ chain })
 * ```
 */
export async function makeChain(options: MakeChainOptions = {}): Promise<MadeChain> {
  const settings = readSettings(options)
  const { slots, firstSlot, blobsAt, slotsPerEpoch, secondsPerSlot, seed, genesisTime, firstBlob } = settings
  const { onProgress, signal } = options
  signal?.throwIfAborted()
  const last = firstSlot + slots - 1
  let most = 0
  for (let slot = firstSlot; slot <= last; slot++) most = Math.max(most, blobsAt(slot))
  const blobs = await makeBlobs({
    count: most === 0 ? 0 : most + SPARE_BLOBS,
    ...{ seed, firstBlob, onProgress, signal },
  })
  const clockOptions = { slot: last, secondsPerSlot, genesisTime }
  const ownClock = settings.isByHand ? new HandClock(clockOptions) : new RunningClock(clockOptions)
  if (ownClock.slot < last)
    throw new TypeError('genesisTime is so late that the last of the slots has not begun')
  const { maxBlobsPerBlock, epochsPerSyncCommitteePeriod, syncCommitteeSize, gloasForkEpoch } = settings
  const network = madeNetwork({
    genesisTime: ownClock.genesisTime,
    ...{ secondsPerSlot, slotsPerEpoch, epochsPerSyncCommitteePeriod, syncCommitteeSize, maxBlobsPerBlock },
    gloasForkEpoch,
  })
  const chain = new MadeChain({ ...settings, network, clock: ownClock, pool: blobs })
  await chain.catchUp(signal)
  return chain
}
