/**
 * The sidecars of one block, asked of several endpoints at the same time: each sidecar of one endpoint first, and where that
 * does not deliver it, of another, until it is there or nobody is left to be asked. Where an endpoint is silent, one that works is asked, too.
 */
import { type Endpoint, type Send, send } from '../../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import { MOST_VALUES } from '../../beacon/routes.ts'
import type { VerifierPool } from '../../verifier/worker/protocol.ts'
import { sleep } from '../../util/timers.ts'
import { SidecarAttempts } from './attempts.ts'
import { Copies, type Delivered, type Refusal } from './delivered.ts'
import { Ahead, type BlockTime, refuseForkToCome } from './fork-to-come.ts'
import { PendingRequests, type RequestEvents } from './pending.ts'
import { type Group, shareOut } from './share-out.ts'
import { type Entries, type SidecarKind, splitAnswer } from './sidecars.ts'
import { EndpointTally } from './tally.ts'

/** Which sidecars of which block are requested, of whom, and until when. */
export interface SidecarRequestsOptions {
  readonly kind: SidecarKind
  /** The block's root, 0x hex. */
  readonly root: string
  /** The most blobs that the block can have. */
  readonly maxBlobs: number
  /** By which an answer may be of a fork to come; null where it is known of which fork the block is. */
  readonly time: BlockTime | null
  readonly endpoints: BeaconEndpoints
  readonly pool: VerifierPool
  /** The caller's: once it is aborted, `fetch` rejects with its reason. */
  readonly signal: AbortSignal | undefined
  /** Aborted with the signal, or at the block's deadline: then what is there is all there is. */
  readonly until: AbortSignal
  /** The block's deadline, as `performance.now()` tells the time. */
  readonly endsAt: number
  readonly onFetched: (delivered: Delivered) => void
  /** What requests are sent with, in the place of `Endpoint.ask`. */
  readonly send?: Send | undefined
}

/**
 * So many copies of a sidecar of one answer are looked at. More than one is of an honest node that answers for all blocks of a slot, as Teku does
 * where a proposer has made several.
 */
const MOST_COPIES = 3

const cutShort = new BeaconFailure('truncated', 'the list may have been longer: its end is missing')
const late = new BeaconFailure('timeout', 'there was no complete answer by the block’s deadline')

/** The requests for one block's sidecars, what became of each sidecar (`attemptsOf`), and what each endpoint did (`tallies`). */
export class SidecarRequests {
  readonly #options: SidecarRequestsOptions
  readonly #attempts = new Map<number, SidecarAttempts>()
  readonly #tallies: ReadonlyMap<Endpoint, EndpointTally>
  /** Null where it is known of which fork the block is. */
  #time: BlockTime | null
  readonly #ahead = new Ahead()
  /** Who does not serve the route (`no-route`): it is asked for nothing more, and denies nothing. */
  readonly #withoutRoute = new Set<Endpoint>()
  readonly #pending: PendingRequests
  readonly #copies = new Copies()

  constructor(options: SidecarRequestsOptions) {
    this.#options = options
    this.#time = options.time
    this.#pending = new PendingRequests(options.until)
    this.#tallies = new Map(
      options.endpoints.all.map((endpoint) => [endpoint, new EndpointTally(endpoint.name)]),
    )
  }

  get kind(): SidecarKind {
    return this.#options.kind
  }

  /**
   * What could be had of these, one of each. Rejects with the signal's reason alone. In waves: what several endpoints failed at goes to the
   * next one in one question, which counts where requests are few. Where some of a wave are silent for two seconds, what is lacking, theirs
   * included, is asked of those who work and have nothing to do; whatever comes first counts. The silent ones are not given up before `end`.
   */
  async fetch(indices: readonly number[]): Promise<Delivered[]> {
    const { onFetched, signal, until } = this.#options
    const delivered: Delivered[] = []
    let lacking = indices
    // Ends: each attempt uses up one of few that there are for a sidecar and an endpoint, or is the last of so many values.
    for (;;) {
      signal?.throwIfAborted()
      const came = this.#copies.take(lacking)
      // Once of each answer, however many copies it has.
      came.filter(({ isFirst }) => isFirst).forEach(onFetched)
      delivered.push(...came)
      const there = new Set(came.map(({ index }) => index))
      lacking = lacking.filter((index) => !there.has(index))
      const groups = until.aborted ? [] : this.#assign(lacking)
      if (lacking.length === 0 || (groups.length === 0 && this.#pending.size === 0)) return delivered
      if (groups.length > 0 && this.#pending.awaited.length === 0)
        for (const group of groups) this.#pending.begin(group, (own, events) => this.#ask(group, own, events))
      else await this.#pending.next(groups.length > 0)
    }
  }

  /** Nobody waits for any more of these: who is asked and was silent while another one had an answer is named for it, and the others for nothing. */
  async end(): Promise<void> {
    await this.#pending.end()
    this.#copies.clear()
  }

  /** The verifier said yes to it. */
  accept({ index, endpoint }: Delivered): void {
    this.attemptsOf(index).delivered(endpoint)
    this.#tallies.get(endpoint)?.verify(index)
    this.#copies.settle(index, true)
    this.knowFork()
  }

  /**
   * The block is of no fork to come, as a sidecar or the block itself has shown: who answered as of one was wrong, and is named for it. What
   * comes from now on in another container is refused by the verifier.
   */
  knowFork(): void {
    this.#time = null
    this.#ahead.contradict()
  }

  /**
   * The verifier refused it. Whoever sent it is not asked for it again, and last for anything else: the reason that is told. Null where another
   * copy of the same answer is to be looked at first (`fetch` gives it): that of two blocks, one is the wanted one.
   */
  refuse(delivered: Delivered, refusal: Refusal): Refusal | null {
    const { index, endpoint, isWhole } = delivered
    const reason = this.#copies.refused(delivered, refusal)
    if (reason === null) return null
    this.attemptsOf(index).refused(endpoint, reason, isWhole)
    this.#tallies.get(endpoint)?.refuse({ index, reason })
    endpoint.failed(new BeaconFailure('invalid', `${this.#options.kind.delivery} ${index}: ${reason}`))
    return reason
  }

  /** Our own workers crashed on it, so that another endpoint is asked for it. */
  crash({ index, endpoint }: Delivered): void {
    this.#copies.settle(index, false)
    this.attemptsOf(index).crashed(endpoint)
  }

  /**
   * Whether everyone who serves the route, one at least, gave a complete answer about a sidecar, or a false one, and nobody a true one. Only
   * that is evidence that there is none.
   */
  isDenied(index: number): boolean {
    const serving = this.#serving
    const attempts = this.attemptsOf(index)
    const isOfBlock = (endpoint: Endpoint): boolean => this.#tallies.get(endpoint)?.isOfBlock === true
    return serving.length > 0 && serving.every((one) => attempts.isDeniedBy(one, isOfBlock(one)))
  }

  get #serving(): readonly Endpoint[] {
    return this.#options.endpoints.all.filter((endpoint) => !this.#withoutRoute.has(endpoint))
  }

  attemptsOf(index: number): SidecarAttempts {
    const known = this.#attempts.get(index) ?? new SidecarAttempts()
    this.#attempts.set(index, known)
    return known
  }

  get tallies(): readonly EndpointTally[] {
    return [...this.#tallies.values()]
  }

  /** Who is to be asked for which of these now. */
  #assign(indices: readonly number[]): Group[] {
    return shareOut(indices, {
      serving: this.#serving,
      attemptsOf: (index) => this.attemptsOf(index),
      tallyOf: (endpoint) => this.#tallies.get(endpoint),
      busy: this.#pending.endpoints,
      asked: this.#pending.indices,
      isTime: (waitMs) => this.#isTime(waitMs),
    })
  }

  /** Whether there is time to ask again after so long. */
  #isTime(waitMs: number): boolean {
    return performance.now() + waitMs < this.#options.endsAt
  }

  /** Asks one endpoint, once. `own` is aborted with `until`, and at the end. */
  async #ask({ endpoint, wanted, pauseMs }: Group, own: AbortSignal, events: RequestEvents): Promise<void> {
    const { kind, maxBlobs, pool, root, signal, until } = this.#options
    const tally = this.#tallies.get(endpoint)
    let isSent = false
    try {
      if (pauseMs > 0) await sleep(pauseMs, own)
      const reply = await (this.#options.send ?? send)(
        endpoint,
        kind.route(root, wanted, maxBlobs),
        async (answer) => {
          events.onAnswer()
          if (tally !== undefined) tally.bytes += answer.body.length
          const time = this.#time
          if (time !== null && answer.version !== null) refuseForkToCome(answer.version, time)
          const entries = await splitAnswer(kind, answer, maxBlobs, pool, time !== null)
          // Browsers hide what an answer says of its fork.
          const isOfGloas = entries.entries.some(
            ({ sidecar }) => sidecar instanceof Uint8Array && kind.isOfGloas(sidecar),
          )
          if (time !== null && isOfGloas) refuseForkToCome('gloas', time)
          return entries
        },
        own,
        () => {
          isSent = true
          events.onSent()
          tally?.ask(wanted)
        },
      )
      if ('value' in reply) return this.#take(endpoint, wanted, reply.value)
      if (!isSent) return
      const { failure } = reply
      // It may be so many values alone that it refuses: it is asked again in parts, and from then on at once.
      const isTooLong = failure.cause === 400 && wanted.length > MOST_VALUES
      if (isTooLong) endpoint.mostValues = MOST_VALUES
      this.#fail(endpoint, isTooLong ? [] : wanted, failure)
    } catch (error) {
      signal?.throwIfAborted()
      if (!own.aborted) throw error
      // What waited for its turn until then says nothing of the endpoint.
      if (until.aborted && isSent) this.#fail(endpoint, wanted, late)
    }
  }

  #take(
    endpoint: Endpoint,
    wanted: readonly number[],
    { entries, incomplete: cut, mayBeCut, status }: Entries,
  ): void {
    const tally = this.#tallies.get(endpoint) ?? new EndpointTally(endpoint.name)
    const open = new Set(wanted)
    tally.isFailing = false
    const copies = new Map<number, number>()
    const isWhole = cut === null && !mayBeCut && status === 200
    for (const { index, sidecar, bytes } of entries) {
      if (index === null || !wanted.includes(index)) {
        tally.unrequested++
        continue
      }
      const nth = copies.get(index) ?? 0
      const copy = { index, sidecar, bytes, endpoint, isWhole, isFirst: nth === 0 }
      copies.set(index, nth + 1)
      if (nth > 0) tally.duplicates++
      open.delete(index)
      // Of what is there nothing more is looked at.
      if (nth < MOST_COPIES && !this.attemptsOf(index).isThere) this.#copies.add(copy)
    }
    const isDenial = status === 200 || open.size === 0
    const incomplete =
      cut ?? (isDenial ? null : new BeaconFailure('malformed', `status ${status}, and not all of it`))
    if (incomplete !== null) {
      endpoint.failed(incomplete)
      this.#fail(endpoint, [...open], incomplete)
    } else {
      // A list that was cut between two entries looks whole. What is missing at its end is asked for once more by itself: an answer without any is whole for sure.
      // What has no order may have lost any of them.
      const last = this.kind.isInOrder ? Math.max(...copies.keys()) : -1
      const cutOff = mayBeCut && copies.size > 0 ? [...open].filter((index) => index > last) : []
      if (cutOff.length > 0) this.#fail(endpoint, cutOff, cutShort)
      for (const index of open) {
        if (cutOff.includes(index)) continue
        tally.withhold(index)
        this.attemptsOf(index).withheld(endpoint)
      }
    }
  }

  #fail(endpoint: Endpoint, wanted: readonly number[], failure: BeaconFailure): void {
    const tally = this.#tallies.get(endpoint)
    tally?.fail(failure)
    this.#ahead.add(endpoint, tally, failure)
    if (failure.kind === 'no-route') this.#withoutRoute.add(endpoint)
    for (const index of wanted) {
      if (failure.kind === 'not-found') tally?.withhold(index)
      this.attemptsOf(index).failed(endpoint, failure, this.#isTime(failure.retryAfterMs))
    }
  }
}
