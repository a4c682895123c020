/** Follows a chain from a checkpoint: a light client, a sampler behind it, and each slot on the instrument and in a ribbon. */
import {
  createVerifier,
  type Links,
  type NetworkConfig,
  type NetworkName,
  type TraceEvent,
  type Verifier,
} from 'blobcheck'
import { type Fetch, LightClient, type LightClientReport, type StoreOption } from 'blobcheck/light-client'
import { createSampler, type SampleReport, type SlotReport } from 'blobcheck/sampler'
import type { Stage } from '../instrument/stage.ts'
import { Answers } from './answers.ts'
import { openLinks } from './links.ts'
import { networkTitle } from './network.ts'
import { SlotRecord } from './record.ts'
import { type FollowedSlot, RIBBON_SLOTS, samplingSlot, slotsOf, stoppedSlot } from './slot.ts'

/** How far the light client is: `checkpoint` comes first; `following` is told once, when there is nothing left to catch up with. */
export interface FollowProgress {
  readonly stage: 'checkpoint' | 'periods' | 'finality' | 'optimistic' | 'following'
  readonly done: number
  readonly total: number
}

export interface FollowOptions {
  readonly stage: Stage
  /** Takes the stage from another source, which ended the chain when it took it, so that a slot can be shown again. */
  readonly takeAgain: () => Stage
  readonly network: NetworkName | NetworkConfig
  /** URLs of Beacon API endpoints. */
  readonly beacon: readonly string[]
  /** The root of a block that the visitor trusts: 32 bytes as 0x hex. */
  readonly checkpoint: string
  /** Ends everything, as does the stage's own signal. */
  readonly signal: AbortSignal
  readonly fetch?: Fetch
  /** Milliseconds of Unix time; default `Date.now`. */
  readonly now?: () => number
  /** Where the light client keeps what it has verified; default: IndexedDB where there is one. */
  readonly store?: StoreOption
  readonly onProgress?: (progress: FollowProgress) => void
  /** Told of a slot when it begins to be sampled, when it is over, and where it comes again. */
  readonly onSlot?: (slot: FollowedSlot) => void
  /** Told after each slot, and once in the time of a slot: whether the light client keeps up, and what endpoints do. */
  readonly onHealth?: (report: LightClientReport) => void
}

export interface FollowedChain {
  /**
   * Shows a slot of the ribbon, and stays with it; null: the newest from now on, which is so from the beginning. Of a chain that has ended, too:
   * where another source has taken the stage, it is taken again.
   */
  show(slot: number | null): void
  /**
   * Resolves when a signal has ended it, and rejects with what makes it impossible to go on, such as `BeaconUnavailableError` and
   * `StaleCheckpointError` at the start. Workers, timers and requests are gone then.
   */
  readonly ended: Promise<void>
}

export function followChain(options: FollowOptions): FollowedChain {
  const follower = new Follower(options)
  return { show: (slot) => follower.show(slot), ended: follower.run() }
}

class Follower {
  readonly #options: FollowOptions
  readonly #end = new AbortController()
  readonly #answers = new Answers()
  readonly #records = new Map<number, SlotRecord>()
  /** What is being sampled, or was last: not the newest slot, where one is sampled again. */
  #current: SlotRecord | null = null
  #pinned: number | null = null
  #stage: Stage
  #workers = 0

  constructor(options: FollowOptions) {
    this.#options = options
    this.#stage = options.stage
    for (const signal of [options.signal, options.stage.signal]) {
      if (signal.aborted) this.#end.abort(signal.reason)
      signal.addEventListener('abort', () => this.#end.abort(signal.reason), { signal: this.#end.signal })
    }
  }

  show(slot: number | null): void {
    const record = this.#records.get(slot ?? this.#newestSlot)
    if (record === undefined) return
    this.#pinned = slot
    if (this.#stage.signal.aborted) {
      this.#stage = this.#options.takeAgain()
      this.#stage.workers(this.#workers)
    }
    record.draw(this.#stage)
  }

  async run(): Promise<void> {
    const { signal } = this.#end
    let parts: readonly [Verifier, LightClient] | null = null
    let timer: ReturnType<typeof setInterval> | undefined
    try {
      parts = await this.#start()
      const [verifier, client] = parts
      const tell = (): void => this.#options.onHealth?.(client.report())
      timer = setInterval(tell, 1000 * secondsPerSlot(this.#options.network))
      await this.#follow(verifier, client, tell)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      clearInterval(timer)
      this.#end.abort()
      this.#stopped()
      await Promise.all(parts?.map((part) => part.dispose()) ?? [])
    }
  }

  /** A verifier, and a light client that stands on its checkpoint. */
  async #start(): Promise<[Verifier, LightClient]> {
    const { network, beacon, checkpoint, fetch, now, store, onProgress } = this.#options
    const stage = this.#stage
    const { signal } = this.#end
    signal.throwIfAborted()
    // Whatever was on the stage, nothing of it is of this chain.
    stage.subject({ network: networkTitle(network), slot: null, root: null, blobs: 0 })
    stage.begin()
    stage.links(openLinks('No slot has been sampled yet.'))
    onProgress?.({ stage: 'checkpoint', done: 0, total: 1 })
    const starting = [
      createVerifier({ network, cache: false, onTrace: (span) => this.#span(span) }),
      LightClient.fromCheckpoint({
        ...{ network, beacon, checkpoint, signal },
        ...(fetch && { fetch }),
        ...(now && { now }),
        ...(store !== undefined && { store }),
      }),
    ] as const
    const [verifier, client] = await Promise.allSettled(starting)
    if (verifier.status === 'fulfilled' && client.status === 'fulfilled' && !signal.aborted) {
      onProgress?.({ stage: 'checkpoint', done: 1, total: 1 })
      return [verifier.value, client.value]
    }
    for (const part of [verifier, client]) if (part.status === 'fulfilled') await part.value.dispose()
    signal.throwIfAborted()
    // The endpoint's trouble is what the visitor can do something about.
    throw client.status === 'rejected' ? client.reason : (verifier as PromiseRejectedResult).reason
  }

  async #follow(verifier: Verifier, client: LightClient, tell: () => void): Promise<void> {
    const { beacon, fetch = (url, init) => globalThis.fetch(url, init), now, onProgress } = this.#options
    const { signal } = this.#end
    this.#workers = verifier.workers
    this.#stage.workers(this.#workers)
    await client.sync({ signal, ...(onProgress && { onProgress }) })
    onProgress?.({ stage: 'following', done: 1, total: 1 })
    tell()
    const sampler = createSampler({
      ...{ verifier, headers: client, beacon, fetch: this.#answers.kept(fetch) },
      ...(now && { now }),
    })
    // One slot at a time: what the verifier does is of that slot, and drawn with it.
    const following = sampler.follow({
      signal,
      concurrency: 1,
      catchUpSlots: RIBBON_SLOTS,
      onProgress: (event) => {
        if (event.kind === 'block') this.#begin(samplingSlot(event.slot), event.root)
        this.#current?.take(event, this.#stageFor(event.slot))
      },
    })
    for await (const slot of following) {
      const header = await this.#headerLinks(client, slot.report)
      if (signal.aborted) return
      this.#conclude(slot, header)
      tell()
    }
  }

  #span(span: TraceEvent): void {
    if (this.#current !== null) this.#current.span(span, this.#stageFor(this.#current.slot))
  }

  /** `root`: of the slot's block; null where there is none, or it is not known. */
  #begin(view: FollowedSlot, root: string | null): void {
    const { network, onSlot } = this.#options
    const replaced = this.#records.get(view.slot)?.root ?? null
    if (replaced !== null && replaced !== root) this.#answers.forget(replaced)
    this.#current = new SlotRecord(view, networkTitle(network), this.#answers)
    this.#records.set(view.slot, this.#current)
    const oldest = this.#newestSlot - RIBBON_SLOTS + 1
    for (const [slot, { root }] of this.#records) {
      if (slot >= oldest) continue
      this.#records.delete(slot)
      if (root !== null) this.#answers.forget(root)
      if (slot === this.#pinned) this.#pinned = null
    }
    const stage = this.#stageFor(view.slot)
    if (stage !== null) this.#current.draw(stage)
    onSlot?.(view)
  }

  #conclude(report: SlotReport, header: Partial<Links>): void {
    for (const view of slotsOf(report, report.lastSlot - RIBBON_SLOTS + 1)) {
      // Of a slot without a block there was nothing to be told before.
      if (this.#current?.slot !== view.slot || this.#current.isConcluded) this.#begin(view, view.root)
      this.#current?.conclude(view, report.report, header, this.#stageFor(view.slot))
      this.#options.onSlot?.(view)
    }
  }

  /** What was under way has no verdict, and nothing goes on as if it would come. */
  #stopped(): void {
    const { onSlot } = this.#options
    const current = this.#current
    if (current === null) {
      this.#stage.conclude({ state: 'unknown', verdict: 'Nothing verified', resting: 'nothing' })
    } else if (!current.isConcluded) {
      const view = stoppedSlot(current.slot, current.root)
      current.conclude(view, null, {}, this.#stageFor(view.slot))
      onSlot?.(view)
    }
  }

  get #newestSlot(): number {
    return Math.max(...this.#records.keys())
  }

  /** The stage, where that slot is the one that is shown. */
  #stageFor(slot: number): Stage | null {
    return slot === (this.#pinned ?? this.#newestSlot) ? this.#stage : null
  }

  /** What is known of a block's header where no data came that says so: the light client has it, whoever withholds the data. */
  async #headerLinks(client: LightClient, report: SampleReport | null): Promise<Partial<Links>> {
    if (report === null || report.block === null || report.links.header !== 'absent') return {}
    const { slot, root } = report.block
    const known = await client.headerAt(slot, { signal: this.#end.signal }).catch(() => null)
    return known?.status === 'anchored' && known.header.root === root ? known.header.links : {}
  }
}

function secondsPerSlot(network: NetworkName | NetworkConfig): number {
  return typeof network === 'string' ? 12 : (network.secondsPerSlot ?? 12)
}
