/**
 * The sidecars of one block, asked of several endpoints at the same time: each sidecar of one endpoint first, and where that
 * does not deliver it, of another, until it is there or nobody is left to be asked. Where an endpoint is silent, one that works is asked, too.
 */
import { type Endpoint, RETRY_DELAY_MS, type Send, send } from '../../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import { overtaken, unneeded } from '../../beacon/hedged-requests.ts'
import { MOST_VALUES } from '../../beacon/routes.ts'
import type { VerifierPool } from '../../verifier/worker/protocol.ts'
import { joinSignals } from '../../util/signals.ts'
import { backOff, sleep } from '../../util/timers.ts'
import type { InvalidReason, MalformedReason } from '../../verdict/reasons.ts'
import { OF_ANOTHER_BLOCK, SidecarAttempts } from './attempts.ts'
import { Ahead, type BlockTime, refuseForkToCome } from './fork-to-come.ts'
import { type Entries, type Entry, type SidecarKind, splitAnswer } from './sidecars.ts'
import { EndpointTally } from './tally.ts'

/** A sidecar as it came: nothing of it is verified. */
export interface Delivered {
  readonly index: number
  readonly sidecar: Entry['sidecar']
  readonly bytes: number
  readonly endpoint: Endpoint
  /** Whether the answer that it was in was complete, as far as can be told. */
  readonly isWhole: boolean
}

/** Why a sidecar was refused. */
type Refusal = InvalidReason | MalformedReason

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

/** One request: which sidecars it asks an endpoint for, and how long to wait before it is sent. */
interface Group {
  readonly endpoint: Endpoint
  readonly wanted: readonly number[]
  readonly pauseMs: number
}

/** A request that has not ended. What it brings is among what was not looked at when it has. */
interface Pending {
  readonly endpoint: Endpoint
  readonly wanted: readonly number[]
  /** When it is sent, unless it has to wait for its turn, as `performance.now()` tells the time. */
  readonly startedAt: number
  readonly end: Promise<void>
  readonly stop: (reason: unknown) => void
  /** Whether its answer has come; it may still be under test. */
  hasAnswered: boolean
  /** Whether it had no answer for so long that others may be asked for the same. */
  isSilent: boolean
}

const ignore = (): void => {}

/**
 * How long who was asked may be silent before others are asked for the same: longer than with a block, since there is more to be sent, and since
 * what came of several endpoints is worth more. And half of that after the last of the others had its answer, who may have been slow, too.
 */
const PATIENCE_MS = 2_000

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
  /** Requests that have not ended: of each endpoint one at most, or the parts of one question. */
  readonly #pending = new Set<Pending>()
  /** When the last request ended, as `performance.now()` tells the time. */
  #endedAt = Number.NEGATIVE_INFINITY
  /** What came and was not looked at yet, by index: of several copies of an answer, and of who was asked for the same. */
  readonly #spare = new Map<number, Delivered[]>()
  /** Why copies were refused on which another one follows. */
  readonly #refusals = new Map<number, Refusal[]>()

  constructor(options: SidecarRequestsOptions) {
    this.#options = options
    this.#time = options.time
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
      const came = lacking.flatMap((index) => this.#spare.get(index)?.splice(0, 1) ?? [])
      came.forEach(onFetched)
      delivered.push(...came)
      const there = new Set(came.map(({ index }) => index))
      lacking = lacking.filter((index) => !there.has(index))
      const groups = until.aborted ? [] : this.#assign(lacking)
      if (lacking.length === 0 || (groups.length === 0 && this.#pending.size === 0)) return delivered
      if (groups.length > 0 && this.#underWay.length === 0) for (const group of groups) this.#begin(group)
      else await this.#next(groups.length > 0)
    }
  }

  /** Nobody waits for any more of these: who is asked and was silent while another one had an answer is named for it, and the others for nothing. */
  async end(): Promise<void> {
    const pending = [...this.#pending]
    for (const { isSilent, startedAt, stop } of pending) stop(isSilent ? overtaken(startedAt) : unneeded)
    await Promise.allSettled(pending.map(({ end }) => end))
    this.#spare.clear()
  }

  /** What is under way, and not silent. */
  get #underWay(): Pending[] {
    return [...this.#pending].filter(({ isSilent }) => !isSilent)
  }

  #begin(group: Group): void {
    const own = new AbortController()
    const { either, release } = joinSignals([this.#options.until, own.signal])
    const { endpoint, wanted } = group
    const onAnswer = (): void => void (pending.hasAnswered = true)
    const end = this.#ask(group, either, onAnswer).finally(() => {
      release()
      this.#pending.delete(pending)
      this.#endedAt = performance.now()
    })
    end.catch(ignore) // where nobody waits for it any more
    const pending: Pending = {
      ...{ endpoint, wanted, startedAt: performance.now() + group.pauseMs, end },
      stop: (reason) => own.abort(reason),
      ...{ hasAnswered: false, isSilent: false },
    }
    this.#pending.add(pending)
  }

  /** Waits for the next request that ends; `isHedged`: or until one has been silent for so long that others are to be asked for the same. */
  async #next(isHedged: boolean): Promise<void> {
    const ends = Array.from(this.#pending, ({ end }) => end)
    const awaited = this.#underWay.filter(({ hasAnswered }) => !hasAnswered)
    if (!isHedged || awaited.length === 0) return await Promise.race(ends)
    const begun = Math.min(...awaited.map(({ startedAt }) => startedAt))
    const silentAt = Math.max(begun + PATIENCE_MS, this.#endedAt + PATIENCE_MS / 2)
    const timer = new AbortController()
    const silence = async (): Promise<void> => {
      await sleep(silentAt - performance.now(), timer.signal)
      for (const one of awaited) one.isSilent = !one.hasAnswered && one.startedAt <= begun
    }
    try {
      await Promise.race([...ends, silence()])
    } finally {
      timer.abort()
    }
  }

  /** The verifier said yes to it. */
  accept({ index, endpoint }: Delivered): void {
    this.attemptsOf(index).delivered(endpoint)
    this.#tallies.get(endpoint)?.verify(index)
    this.#spare.delete(index)
    this.#refusals.delete(index)
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
  refuse({ index, endpoint, isWhole }: Delivered, refusal: Refusal): Refusal | null {
    const refusals = [...(this.#refusals.get(index) ?? []), refusal]
    this.#refusals.set(index, refusals)
    if (this.#spare.get(index)?.[0]?.endpoint === endpoint) return null
    this.#refusals.delete(index)
    const reason = refusals.find((one) => one !== OF_ANOTHER_BLOCK) ?? refusal
    this.attemptsOf(index).refused(endpoint, reason, isWhole)
    this.#tallies.get(endpoint)?.refuse({ index, reason })
    endpoint.failed(new BeaconFailure('invalid', `${this.#options.kind.delivery} ${index}: ${reason}`))
    return reason
  }

  /** Our own workers crashed on it, so that another endpoint is asked for it. */
  crash({ index, endpoint }: Delivered): void {
    this.#refusals.delete(index)
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

  /**
   * Shares the sidecars out among those of whom nothing is under way: each to an endpoint that works, if there is one, and as evenly as can be. What another
   * one is asked for already goes to one that works, or to nobody.
   */
  #assign(indices: readonly number[]): Group[] {
    const busy = new Set(Array.from(this.#pending, ({ endpoint }) => endpoint))
    const asked = new Set(Array.from(this.#pending).flatMap(({ wanted }) => wanted))
    const order = ['good', 'waiting', 'distrusted']
    const groups = new Map<Endpoint, { wanted: number[]; tries: number }>()
    for (const index of indices) {
      const attempts = this.attemptsOf(index)
      const candidates = this.#serving.flatMap((endpoint) => {
        const tries = attempts.triesOf(endpoint)
        if (tries === null || busy.has(endpoint)) return []
        const load = groups.get(endpoint)?.wanted.length ?? 0
        // Who lacked something of the block may lack this, too: one question to another is better than many.
        const lacks = Number(this.#tallies.get(endpoint)?.isLacking === true)
        // Nor is anybody waited for who wants to be left alone, whatever its state, while another can be asked.
        const isLeft = Number(endpoint.waitMs > RETRY_DELAY_MS)
        const isWorking = endpoint.state === 'good' && this.#tallies.get(endpoint)?.isFailing !== true
        if (asked.has(index) && (isLeft > 0 || !isWorking)) return []
        const rank = [isLeft, order.indexOf(endpoint.state), tries, lacks, load, Math.random()]
        return [{ endpoint, tries, rank }]
      })
      const best = candidates.reduce<(typeof candidates)[number] | undefined>(
        (a, b) => (a === undefined || isBefore(b.rank, a.rank) ? b : a),
        undefined,
      )
      if (best === undefined) continue
      const group = groups.get(best.endpoint) ?? { wanted: [], tries: 0 }
      group.wanted.push(index)
      group.tries = Math.max(group.tries, best.tries)
      groups.set(best.endpoint, group)
    }
    const shared = Array.from(groups).flatMap(([endpoint, { wanted, tries }]) => {
      const backOffMs = tries === 0 ? 0 : backOff(tries, RETRY_DELAY_MS, Math.random)
      const waitMs = this.#isTime(endpoint.waitMs) ? endpoint.waitMs : 0
      const pauseMs = Math.max(backOffMs, waitMs)
      return inParts(wanted, endpoint.mostValues).map((part) => ({ endpoint, wanted: part, pauseMs }))
    })
    // Nobody waits for those who want to be left alone while others can be asked: what is theirs is shared out anew.
    const soonest = Math.min(...shared.map(({ pauseMs }) => pauseMs))
    return shared.filter(({ pauseMs }) => pauseMs <= soonest + RETRY_DELAY_MS)
  }

  /** Whether there is time to ask again after so long. */
  #isTime(waitMs: number): boolean {
    return performance.now() + waitMs < this.#options.endsAt
  }

  /** Asks one endpoint, once. `own` is aborted with `until`, and at the end. */
  async #ask({ endpoint, wanted, pauseMs }: Group, own: AbortSignal, onAnswer: () => void): Promise<void> {
    const { kind, maxBlobs, pool, root, signal, until } = this.#options
    const tally = this.#tallies.get(endpoint)
    let isSent = false
    try {
      if (pauseMs > 0) await sleep(pauseMs, own)
      const reply = await (this.#options.send ?? send)(
        endpoint,
        kind.route(root, wanted, maxBlobs),
        async (answer) => {
          onAnswer()
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
      const copy = { index, sidecar, bytes, endpoint, isWhole }
      const nth = copies.get(index) ?? 0
      copies.set(index, nth + 1)
      if (nth > 0) tally.duplicates++
      open.delete(index)
      // Of what is there nothing more is looked at.
      if (nth < MOST_COPIES && !this.attemptsOf(index).isThere)
        this.#spare.set(index, [...(this.#spare.get(index) ?? []), copy])
    }
    const isDenial = status === 200 || open.size === 0
    const incomplete =
      cut ?? (isDenial ? null : new BeaconFailure('malformed', `status ${status}, and not all of it`))
    if (incomplete !== null) {
      endpoint.failed(incomplete)
      this.#fail(endpoint, [...open], incomplete)
    } else {
      // A list that was cut between two entries looks whole. What is missing at its end is asked for once more by itself: an answer without any is whole for sure.
      const last = Math.max(...copies.keys())
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

/** In parts of so many at most, each as long as the others or longer by one. */
function inParts(indices: readonly number[], most: number): (readonly number[])[] {
  const parts = Math.max(1, Math.ceil(indices.length / most))
  return Array.from({ length: parts }, (_, at) => indices.filter((_index, nth) => nth % parts === at))
}

/** Lexicographic. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, place) => value !== b[place])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}
