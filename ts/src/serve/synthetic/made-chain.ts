/** A chain that never was: it grows as its clock says, and knows all of its blocks. */
import { notify } from '../../util/notify.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import { sleep } from '../../util/timers.ts'
import type {
  Chain,
  ChainCheckpoints,
  ChainEvent,
  ChainExecution,
  ChainLightClient,
  LabelledNetwork,
  MadeChainBlock,
} from '../chain.ts'
import { gloasLightClientTypes, lightClientTypes } from '../ssz/light-client.ts'
import type { MadeBlock } from './block.ts'
import { type ChainClock, HandClock } from './clock.ts'
import { MadeExecution } from './execution.ts'
import { MadeLightClient } from './light-client.ts'
import { MadeBlocks, type MadeBlocksSettings } from './made-blocks.ts'
import { integer } from './options.ts'
import { forkDigest, proposerKey } from './signing.ts'

interface MadeChainSettings extends MadeBlocksSettings {
  readonly clock: ChainClock
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
  readonly #blocks: MadeBlocks
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
    const blocks = new MadeBlocks(settings)
    this.#blocks = blocks
    this.#execution = new MadeExecution({
      head: () => this.#head,
      safe: () => blocks.justifiedBy(this.#head),
      finalized: () => this.#finalized,
    })
    this.execution = this.#execution
    for (const block of [blocks.genesis, blocks.first]) this.#execution.add(block)
    this.#slot = settings.firstSlot
    this.checkpoint = blocks.first.root
    this.lightClient = new MadeLightClient({
      types: lightClientTypes(settings.syncCommitteeSize),
      gloasTypes: gloasLightClientTypes(settings.syncCommitteeSize),
      committees: blocks.committees,
      periodOf: (slot) => blocks.periodOf(slot),
      finalizedBy: (block) => blocks.finalizedBy(block),
      epochOf: (slot) => blocks.epochOf(slot),
      forkDigestAt: (slot) => forkDigest(settings.network, blocks.epochOf(slot)),
      byRoot: (root) => this.#ofRoot(root),
      head: () => this.#head,
      lastOf: (period) => this.#present.lastOf(period),
      parentOf: (block) => blocks.before(block),
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
    return this.#present.newest
  }

  /** The blocks, up to the present slot. */
  get #present(): MadeBlocks {
    this.#growTo(this.#settings.clock.slot)
    return this.#blocks
  }

  /** The newest block that is final: of two epochs before the head’s, or the first block, or genesis. */
  get finalized(): MadeChainBlock {
    return this.#finalized
  }

  get #finalized(): MadeBlock {
    return this.#blocks.finalizedBy(this.#head) ?? this.#blocks.genesis
  }

  /** The block of a slot, up to the head; null where there is none. */
  at(slot: number): MadeChainBlock | null {
    return this.#present.at(slot)
  }

  /** The block of a root, 0x hex in lower case, up to the head; null where there is none. */
  byRoot(root: string): MadeChainBlock | null {
    return this.#ofRoot(root)
  }

  #ofRoot(root: string): MadeBlock | null {
    return this.#present.ofRoot(root)
  }

  /** The checkpoints in the state of a block, by its root: as where all attest, the epoch before its own is justified, and the one before that final. */
  checkpoints(root: string): ChainCheckpoints | null {
    const block = this.#ofRoot(root)
    return block && this.#blocks.checkpointsBy(block)
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

  /** Makes the block of a slot, whose payload is of the execution layer from then on. */
  #add(slot: number): MadeBlock {
    const block = this.#blocks.add(slot)
    this.#execution.add(block)
    return block
  }

  #tell(block: MadeBlock): void {
    const tell = (event: ChainEvent): void => this.#listeners.forEach((listener) => notify(listener, event))
    tell({ kind: 'block', block })
    const final = this.#blocks.newlyFinalBy(block)
    if (final !== null) tell({ kind: 'finalized', ...final })
  }
}
