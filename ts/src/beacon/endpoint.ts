/** One endpoint: its name, its record, and when to ask it again. */
import { BeaconFailure, type FailureKind, isTransient, isUnreadable } from './failure.ts'
import { type BeaconAnswer, type Fetch, request } from './request.ts'
import { Places } from '../util/places.ts'
import { backOff } from '../util/timers.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'

/** What is known of an endpoint, and how it has answered so far. Its URL is not in it, since providers put keys into paths. */
export interface EndpointReport {
  /** Its origin; `#2` and so on where several endpoints share one. */
  readonly name: string
  /**
   * `good`: will be asked. `waiting`: has failed, and is left alone for a while unless the others fail, too.
   * `distrusted`: has said what is false, and is asked last.
   */
  readonly state: 'good' | 'waiting' | 'distrusted'
  /** How many requests were sent to it, those that failed included. */
  readonly requests: number
  /** Answers that were complete, well formed and not refused. */
  readonly answers: number
  /** How often it failed, by the kind of the failure. */
  readonly failures: { readonly [kind in FailureKind]?: number }
  /** Its newest failure: what it was, in words for people, and when, in milliseconds of Unix time. Null where there was none. */
  readonly lastFailure: { readonly kind: FailureKind; readonly detail: string; readonly at: number } | null
  /**
   * Recent time to a complete answer in milliseconds, a moving average; null where there was none. A status that says that there is none, such as
   * 404, counts where it took longer.
   */
  readonly latencyMs: number | null
}

/** Options of an endpoint, complete: callers have filled in their defaults. */
export interface EndpointOptions {
  readonly fetch: Fetch
  /** From a request to the last byte of its answer. */
  readonly timeoutMs: number
  /** Milliseconds of Unix time. */
  readonly now: () => number
  /** In [0, 1): spreads clients that failed at the same time. */
  readonly random: () => number
  /** Requests to one endpoint at the same time; default: no limit. Those beyond wait for their turn. */
  readonly atOnce?: number
}

/** What to ask for. */
export interface Route {
  /** Path and query, from `/eth/` on; none where something is posted, which goes to the endpoint's URL as it is. */
  readonly path: string
  /** What is posted, as JSON-RPC is: JSON, and so is the answer. */
  readonly body?: string
  /** Longest honest answer, in bytes. */
  readonly maxBytes: number
  /** Whether JSON alone is asked for, where the API has no SSZ: some servers send a form of their own where SSZ may be sent. */
  readonly jsonOnly?: boolean
}

/** Puts an endpoint's answer to the test: what it says, or `BeaconFailure` where the endpoint is to be named for it. */
export type Test<T> = (answer: BeaconAnswer, endpoint: Endpoint) => Promise<T>

/**
 * Puts a question to one endpoint, in as many requests as it takes. A test that takes time is to be wrapped by `inTurn`, which runs it once no
 * other answer is under test. When such a test succeeds, its value is the answer to the question and has to be returned at once, without further requests:
 * the other endpoints wait from then on for this one to end.
 */
export type Ask<T> = (
  endpoint: Endpoint,
  inTurn: (test: Test<T>) => Test<T>,
  signal: PlatformSignal | undefined,
) => Promise<Reply<T>>

/** Asks an endpoint as its own `ask` does. */
export type Send = <T>(
  endpoint: Endpoint,
  route: Route,
  test: Test<T>,
  signal: PlatformSignal | undefined,
  onSent: () => void,
) => Promise<Reply<T>>

export const send: Send = (endpoint, ...request) => endpoint.ask(...request)

/**
 * What came of asking an endpoint: what its answer says, once that stood the test, or what was wrong. `isUnsent`: the request was called off
 * while it waited for its turn, so that nothing was wrong with the endpoint.
 */
export type Reply<T> = { readonly endpoint: Endpoint } & (
  | { readonly value: T }
  | { readonly failure: BeaconFailure; readonly isUnsent?: boolean }
)

/** How often one endpoint is asked the same question, if it fails in ways that may pass. */
export const TRIES = 3
/** After the first of these failures; after the second, twice as long. */
export const RETRY_DELAY_MS = 400
const BACK_OFF_MS = 1_000
const MAX_BACK_OFF_MS = 300_000
/** What has lied is not asked again for this long while another answers. */
const DISTRUST_MS = 3_600_000

/** One Beacon API endpoint: sends requests, keeps a record of what came of them, and says when it is best asked again. */
export class Endpoint {
  readonly name: string
  /** The most values of one key that it takes in a question, as far as its answers have told. */
  mostValues: number = Number.POSITIVE_INFINITY
  readonly #base: string
  /** Without what follows `#`, which no server sees. */
  readonly #url: string
  /** Some providers take their keys there. */
  readonly #query: string
  readonly #terms: EndpointOptions
  readonly #places: Places
  readonly #failures: { [kind in FailureKind]?: number } = {}
  #last: EndpointReport['lastFailure'] = null
  #requests = 0
  #answers = 0
  #inARow = 0
  #waitUntil = Number.NEGATIVE_INFINITY
  /** As `Retry-After` wants it. */
  #leaveUntil = Number.NEGATIVE_INFINITY
  #wish: BeaconFailure | null = null
  #distrustUntil = Number.NEGATIVE_INFINITY
  #latencyMs: number | null = null
  #sentAt = Number.NEGATIVE_INFINITY
  #jsonOnly = false

  constructor(name: string, url: PlatformUrl, terms: EndpointOptions) {
    this.name = name
    this.#url = url.href.replace(/#.*$/, '')
    this.#base = url.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
    this.#query = url.search
    this.#terms = terms
    this.#places = new Places(terms.atOnce ?? Number.POSITIVE_INFINITY)
  }

  /**
   * Sends one request, and puts its answer to the test: what came of it, which is counted. `onSent` is called when it is its turn. Rejects
   * with the signal's reason, and with what the test throws that is no `BeaconFailure`.
   */
  async ask<T>(
    route: Route,
    test: Test<T>,
    signal: PlatformSignal | undefined,
    onSent?: () => void,
  ): Promise<Reply<T>> {
    let isUnsent = true
    try {
      const answer = await this.#answer(route, signal, () => {
        isUnsent = false
        onSent?.()
      })
      const value = await test(answer, this)
      this.succeeded()
      return { endpoint: this, value }
    } catch (failure) {
      if (!(failure instanceof BeaconFailure)) throw failure
      // What was called off while it waited for its turn says nothing of the endpoint.
      if (!isUnsent) this.failed(failure)
      return { endpoint: this, failure, isUnsent }
    }
  }

  /** An answer, in the request's turn. Rejects with `BeaconFailure` or the signal's reason. */
  async #answer(route: Route, signal: PlatformSignal | undefined, onSent: () => void): Promise<BeaconAnswer> {
    return await this.#places.run(async () => {
      onSent()
      const start = (this.#sentAt = performance.now())
      try {
        const answer = await this.#negotiate(route, signal)
        this.#took(performance.now() - start)
        return answer
      } catch (error) {
        // A late "not found" takes as much time as late data, and counts. An early one says nothing of how quickly the endpoint delivers data.
        const isAnswer = error instanceof BeaconFailure && !isTransient(error.kind)
        if (isAnswer && this.#latencyMs !== null)
          this.#took(Math.max(this.#latencyMs, performance.now() - start))
        throw error
      }
    }, signal)
  }

  #took(ms: number): void {
    this.#latencyMs = this.#latencyMs === null ? ms : 0.7 * this.#latencyMs + 0.3 * ms
  }

  /** Its answer stood the test. */
  succeeded(): void {
    this.#answers++
    this.#inARow = 0
    this.#waitUntil = Number.NEGATIVE_INFINITY
  }

  /** Something was wrong with it. */
  failed(failure: BeaconFailure): void {
    const { kind } = failure
    const now = performance.now()
    this.#failures[kind] = (this.#failures[kind] ?? 0) + 1
    this.#last = { kind, detail: failure.message, at: this.#terms.now() }
    if (kind === 'invalid') this.#distrustUntil = now + DISTRUST_MS
    if (failure.retryAfterMs > 0) {
      this.#leaveUntil = now + failure.retryAfterMs
      this.#wish = failure
    }
    // What is old or not there is no reason to wait: the next question is another one.
    if (!isTransient(kind) && !isUnreadable(kind)) return
    const delay = backOff(++this.#inARow, BACK_OFF_MS, this.#terms.random, MAX_BACK_OFF_MS)
    this.#waitUntil = now + Math.max(delay, failure.retryAfterMs)
  }

  /** It was accused by mistake. What it asked for itself (`Retry-After`) still holds. */
  pardon(): void {
    this.#inARow = 0
    this.#distrustUntil = this.#waitUntil = Number.NEGATIVE_INFINITY
  }

  /**
   * Its place in the order of asking; less is sooner. Who was never asked comes first, since it may be the quickest; then those whose last
   * answer could be used, the quick before the slow; then those that were asked and never answered; then those whose last request failed,
   * though their back-off is over: each of these that is silent costs a hedged request a second.
   */
  get rank(): number {
    const { state } = this
    if (state === 'distrusted') return 4e9 + this.#inARow
    if (state === 'waiting') return 3e9 + this.#inARow
    if (this.#inARow > 0) return 2e9 + this.#inARow
    return this.#latencyMs ?? (this.#requests === 0 ? 0 : 1e9)
  }

  /** Whether a request would have to wait for its turn. */
  get isBusy(): boolean {
    return this.#places.isFull
  }

  /** When a request had its turn last, as `performance.now()` tells the time. */
  get sentAt(): number {
    return this.#sentAt
  }

  /** How long it still wants to be left alone (`Retry-After`), in milliseconds. */
  get waitMs(): number {
    return Math.max(0, this.#leaveUntil - performance.now())
  }

  /** The failure by which it asked last to be left alone (`Retry-After`), or null. */
  get wish(): BeaconFailure | null {
    return this.#wish
  }

  get state(): EndpointReport['state'] {
    const now = performance.now()
    return now < this.#distrustUntil ? 'distrusted' : now < this.#waitUntil ? 'waiting' : 'good'
  }

  report(): EndpointReport {
    return {
      name: this.name,
      state: this.state,
      requests: this.#requests,
      answers: this.#answers,
      failures: { ...this.#failures },
      lastFailure: this.#last,
      latencyMs: this.#latencyMs === null ? null : Math.round(this.#latencyMs),
    }
  }

  /** A server that knows no SSZ is asked once more, for JSON, and from then on for nothing else. */
  async #negotiate(route: Route, signal: PlatformSignal | undefined): Promise<BeaconAnswer> {
    const jsonOnly = this.#jsonOnly || route.jsonOnly === true || route.body !== undefined
    try {
      return await this.#once(route, jsonOnly, signal)
    } catch (error) {
      const status = error instanceof BeaconFailure ? error.cause : undefined
      if (jsonOnly || (status !== 406 && status !== 415)) throw error
      const answer = await this.#once(route, true, signal)
      this.#jsonOnly = true
      return answer
    }
  }

  #once(
    { path, body, maxBytes }: Route,
    jsonOnly: boolean,
    signal: PlatformSignal | undefined,
  ): Promise<BeaconAnswer> {
    this.#requests++
    const { fetch, timeoutMs, now } = this.#terms
    const terms = { fetch, timeoutMs, maxBytes, jsonOnly, now, signal }
    if (body !== undefined) return request(this.#url, { ...terms, body })
    const query = this.#query === '' ? '' : path.includes('?') ? `&${this.#query.slice(1)}` : this.#query
    return request(`${this.#base}${path}${query}`, terms)
  }
}
