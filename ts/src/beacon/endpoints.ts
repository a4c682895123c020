/**
 * Several endpoints, none of them trusted. A request goes to one, and to the next one where that fails or is silent, until an answer
 * stands the test that the caller puts it to; what each of them did is in its report.
 */
import { BeaconUnavailableError } from './errors.ts'
import { Endpoint, type EndpointReport, type EndpointOptions, type Route } from './endpoint.ts'
import { BeaconFailure, isTransient } from './failure.ts'
import type { BeaconAnswer } from './request.ts'
import { joinSignals, SignalFan } from '../util/signals.ts'
import { sleep } from '../util/timers.ts'

/** Puts an answer to the test: throws `BeaconFailure` where the endpoint is to be named for it. */
export type Test<T> = (answer: BeaconAnswer, endpoint: Endpoint) => Promise<T>

/** What one endpoint said to a question that several were asked. */
export type Reply<T> = { readonly endpoint: Endpoint } & (
  { readonly value: T } | { readonly failure: BeaconFailure }
)

/** How often all endpoints are tried for one question, if all fail in ways that may pass. */
const ROUNDS = 3
const ROUND_DELAY_MS = 400
/** How long those that were asked may be silent before one more is asked. */
const HEDGE_MS = 1_000
/** How many endpoints a cross-check asks. */
const WITNESSES = 3
/** How long the others may take once what one answered is enough. */
const GRACE_MS = 2_000
const late = new BeaconFailure('timeout', `more than ${GRACE_MS} ms after another endpoint`)
const ignore = (): void => {}

export class BeaconEndpoints {
  readonly #endpoints: readonly Endpoint[]
  readonly #terms: EndpointOptions

  /** `others`: whose names are taken. */
  constructor(urls: readonly URL[], terms: EndpointOptions, others: readonly URL[] = []) {
    this.#terms = terms
    const seen = new Map<string, number>()
    for (const { origin } of others) seen.set(origin, (seen.get(origin) ?? 0) + 1)
    this.#endpoints = urls.map((url) => {
      const count = (seen.get(url.origin) ?? 0) + 1
      seen.set(url.origin, count)
      return new Endpoint(count === 1 ? url.origin : `${url.origin}#${count}`, url, terms)
    })
  }

  /**
   * The first answer that stands the test. The best endpoint is asked first; the next one as soon as one has failed, or when none of
   * those that were asked has answered for a second (a hedged request). Once an answer stands, the other requests are aborted: for an
   * endpoint that was asked earlier than the one that answered, that is a `timeout` in its report. Tests run one after the other.
   *
   * Throws `BeaconUnavailableError`, which names what each endpoint did, or the signal's reason. An endpoint that failed for a reason
   * that will not pass is not asked the same again. `onFailure` is told of each failure, those before an answer that stands included.
   */
  async first<T>(
    route: Route,
    test: Test<T>,
    signal?: AbortSignal,
    onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void = ignore,
  ): Promise<T> {
    const failures = new Map<Endpoint, BeaconFailure>()
    for (let round = 0; round < ROUNDS; round++) {
      const candidates = this.#ranked().filter((endpoint) => {
        const failure = failures.get(endpoint)
        // Whoever asks to be left alone for a while (`Retry-After`) is.
        return failure === undefined || (isTransient(failure.kind) && failure.retryAfterMs === 0)
      })
      if (candidates.length === 0) break
      if (round > 0) await sleep(ROUND_DELAY_MS * 2 ** (round - 1) * (0.5 + this.#terms.random() / 2), signal)
      const answered = await this.#hedged(candidates, route, test, signal, (endpoint, failure) => {
        failures.set(endpoint, failure)
        onFailure(endpoint, failure)
      })
      if (answered !== null) return answered.value
    }
    throw new BeaconUnavailableError(
      Array.from(failures, ([{ name }, { kind, message }]) => ({ endpoint: name, kind, detail: message })),
    )
  }

  /** One round of `first`: the answer that stood the test, or null where every candidate failed. */
  async #hedged<T>(
    candidates: readonly Endpoint[],
    route: Route,
    test: Test<T>,
    signal: AbortSignal | undefined,
    onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void,
  ): Promise<{ readonly value: T } | null> {
    const waiting = candidates.values()
    const running = new Set<HedgedRequest<T>>()
    const tests = new InTurn(signal)
    let isAnswered = false
    let end = ignore
    const ended = new Promise<void>((resolve) => (end = resolve))
    const untilAnswered: Test<T> = async (answer, endpoint) => {
      if (isAnswered) {
        await ended
        throw unneeded
      }
      const value = await test(answer, endpoint)
      isAnswered = true
      return value
    }
    try {
      for (let next = waiting.next(); ;) {
        if (next.done !== true && !isAnswered) {
          running.add(this.#begin(next.value, route, tests.wrap(untilAnswered), signal))
          next = waiting.next()
        }
        if (running.size === 0) return null
        const first = await firstEnded(running, next.done === true || isAnswered ? null : tests)
        if (first === null) continue
        const { request, reply } = first
        running.delete(request)
        if ('failure' in reply) {
          onFailure(reply.endpoint, reply.failure)
          continue
        }
        await overtake(running, request, onFailure)
        return reply
      }
    } finally {
      end()
      for (const { abort } of running) abort(unneeded)
    }
  }

  #begin<T>(
    endpoint: Endpoint,
    route: Route,
    test: Test<T>,
    signal: AbortSignal | undefined,
  ): HedgedRequest<T> {
    const own = new AbortController()
    const { either, release } = joinSignals([signal, own.signal])
    const startedAt = performance.now()
    let hasAnswered = false
    const noted: Test<T> = (answer, one) => {
      hasAnswered = true
      return test(answer, one)
    }
    const reply = this.askOne(endpoint, route, noted, either).finally(release)
    reply.catch(ignore) // where nobody waits for it any more
    return {
      ...{ endpoint, startedAt, reply, abort: (reason) => own.abort(reason) },
      isSilent: () => !hasAnswered,
    }
  }

  /**
   * Asks several at the same time, those that work alone, and then all others, too, where what the first said is not
   * enough: what each said. One of the first is drawn at random from beyond the quickest, since whoever is quick would be
   * asked alone. Rejects with the signal's reason alone.
   */
  async several<T>(
    route: Route,
    test: Test<T>,
    isEnough: (replies: readonly Reply<T>[]) => boolean,
    signal?: AbortSignal,
  ): Promise<Reply<T>[]> {
    const ranked = this.#ranked()
    const working = ranked.filter(({ state }) => state === 'good')
    const [quickest, others] = [working.slice(0, WITNESSES), working.slice(WITNESSES)]
    const drawn = others.slice(Math.floor(this.#terms.random() * others.length)).slice(0, 1)
    const witnesses = working.length > 0 ? [...quickest, ...drawn] : ranked.slice(0, WITNESSES)
    const replies = await this.#together(witnesses, route, test, isEnough, signal)
    if (isEnough(replies)) return replies
    const rest = ranked.filter((one) => !witnesses.includes(one))
    return [...replies, ...(await this.#together(rest, route, test, isEnough, signal))]
  }

  /**
   * Asks all of these at once. When what one answered is enough, the others have a little time: what is true and old would
   * cut off a slower one who knows better. The tests run one after the other.
   */
  async #together<T>(
    asked: readonly Endpoint[],
    route: Route,
    test: Test<T>,
    isEnough: (replies: readonly Reply<T>[]) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Reply<T>[]> {
    const patience = new AbortController()
    const { either, release } = joinSignals([signal, patience.signal])
    const fan = new SignalFan(either)
    let timer: ReturnType<typeof setTimeout> | undefined
    const inTurn = new InTurn(signal).wrap<T>(async (answer, endpoint) => {
      const value = await test(answer, endpoint)
      if (isEnough([{ endpoint, value }])) timer ??= setTimeout(() => patience.abort(late), GRACE_MS)
      return value
    })
    try {
      return await Promise.all(
        asked.map((endpoint) => fan.run((until) => this.askOne(endpoint, route, inTurn, until))),
      )
    } finally {
      clearTimeout(timer)
      fan.release()
      release()
    }
  }

  /** Asks all of them again as if none had failed; what they did stays on record. */
  pardon(): void {
    for (const endpoint of this.#endpoints) endpoint.pardon()
  }

  report(): EndpointReport[] {
    return this.#endpoints.map((endpoint) => endpoint.report())
  }

  /** All of them, in the order in which they were given. */
  get all(): readonly Endpoint[] {
    return this.#endpoints
  }

  /** Those that work first, the quick before the slow. */
  #ranked(): Endpoint[] {
    return [...this.#endpoints].sort((a, b) => a.rank - b.rank)
  }

  /** Asks one, once. Rejects with the signal's reason alone, and what the test throws that is no `BeaconFailure`. */
  async askOne<T>(
    endpoint: Endpoint,
    route: Route,
    test: Test<T>,
    signal: AbortSignal | undefined,
  ): Promise<Reply<T>> {
    let answer: BeaconAnswer
    try {
      answer = await endpoint.ask(route, signal)
    } catch (failure) {
      if (failure instanceof BeaconFailure) return { endpoint, failure }
      throw failure
    }
    try {
      const value = await test(answer, endpoint)
      endpoint.succeeded()
      return { endpoint, value }
    } catch (failure) {
      if (!(failure instanceof BeaconFailure)) throw failure
      endpoint.failed(failure)
      return { endpoint, failure }
    }
  }
}

/** One of the requests of `first`. */
interface HedgedRequest<T> {
  readonly endpoint: Endpoint
  readonly startedAt: number
  readonly reply: Promise<Reply<T>>
  readonly abort: (reason: unknown) => void
  /** Whether it has no answer yet. */
  readonly isSilent: () => boolean
}

/** Why requests end that were begun later than the one that was answered: nothing can be said of those endpoints. */
const unneeded = new DOMException('another endpoint has answered', 'AbortError')

/** Ends the requests that were begun earlier than the one that was answered: those endpoints were asked, and silent. */
async function overtake<T>(
  running: ReadonlySet<HedgedRequest<T>>,
  answered: HedgedRequest<T>,
  onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void,
): Promise<void> {
  for (const { abort, endpoint, isSilent, reply, startedAt } of running) {
    if (!isSilent() || startedAt > answered.startedAt) continue
    const ms = Math.round(performance.now() - startedAt)
    const failure = new BeaconFailure(
      'timeout',
      `no complete answer in ${ms} ms, when another endpoint had one`,
    )
    abort(failure)
    await reply.catch(ignore) // by then it is in the endpoint's report
    onFailure(endpoint, failure)
  }
}

/** The next request that ends; or null once all of them, and the tests of their answers, have been silent for `HEDGE_MS`. */
async function firstEnded<T>(
  running: ReadonlySet<HedgedRequest<T>>,
  tests: InTurn | null,
): Promise<{ readonly request: HedgedRequest<T>; readonly reply: Reply<T> } | null> {
  const timer = new AbortController()
  const silence =
    tests === null
      ? []
      : [
          sleep(HEDGE_MS, timer.signal).then(async () => {
            await tests.idle()
            return null
          }),
        ]
  try {
    const ends = Array.from(running, async (request) => ({ request, reply: await request.reply }))
    return await Promise.race([...ends, ...silence])
  } finally {
    timer.abort()
  }
}

/** Has tests run one after the other. */
class InTurn {
  readonly #signal: AbortSignal | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  wrap<T>(test: Test<T>): Test<T> {
    return async (answer, endpoint) => {
      const tested = this.#last.then(() => {
        // Whoever asked has gone; what comes next must find no test at work.
        this.#signal?.throwIfAborted()
        return test(answer, endpoint)
      })
      this.#last = tested.catch(ignore)
      return await tested
    }
  }

  /** Resolves when no test is under way. */
  async idle(): Promise<void> {
    for (let last: Promise<unknown> | null = null; last !== this.#last;) await (last = this.#last)
  }
}
