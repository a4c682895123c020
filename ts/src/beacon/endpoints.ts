/**
 * Several endpoints, none of them trusted. A request goes to one, and to the next one where that fails or is silent, until an answer
 * stands the test that the caller puts it to; what each of them did is in its report.
 */
import { BeaconUnavailableError, BeaconFailure, isTransient } from './failure.ts'
import {
  type Ask,
  Endpoint,
  type EndpointOptions,
  type EndpointReport,
  type Reply,
  type Route,
  RETRY_DELAY_MS,
  type Test,
  TRIES,
} from './endpoint.ts'
import { HedgedRequests, TestQueue } from './hedged-requests.ts'
import { joinSignals, SignalFan } from '../util/signals.ts'
import { backOff, sleep } from '../util/timers.ts'

/** How many endpoints a cross-check asks. */
const WITNESSES = 3
/** How long the others may take once what one answered is enough. */
const GRACE_MS = 2_000
const late = new BeaconFailure('timeout', `more than ${GRACE_MS} ms after another endpoint`)
const ignore = (): void => {}

/** Those that failed so far: how, the last time, and how often. */
type Tried = Map<Endpoint, { readonly failure: BeaconFailure; readonly tries: number }>

function fail(tried: Tried, endpoint: Endpoint, failure: BeaconFailure): void {
  tried.set(endpoint, { failure, tries: (tried.get(endpoint)?.tries ?? 0) + 1 })
}

/** A failure as `BeaconUnavailableError` has it. */
export function named(
  { name }: Endpoint,
  { kind, message }: BeaconFailure,
): BeaconUnavailableError['failures'][number] {
  return { endpoint: name, kind, detail: message }
}

/** Endpoints that are asked together, in the order in which they have proven themselves. */
export class BeaconEndpoints {
  readonly #endpoints: readonly Endpoint[]
  readonly #terms: EndpointOptions

  /** The names of `others`, which are endpoints beside these, are not used again. */
  constructor(urls: readonly URL[], terms: EndpointOptions, others: readonly URL[] = []) {
    if (typeof terms.fetch !== 'function') throw new TypeError('fetch must be a function')
    this.#terms = terms
    this.#endpoints = withNames(urls, others).map(({ name, url }) => new Endpoint(name, url, terms))
  }

  /**
   * The first answer that stands the test. The best endpoint is asked first; the next one as soon as one has failed, or when none of
   * those that were asked has answered for a second (a hedged request). Once an answer stands, the other requests are aborted: for an
   * endpoint that was asked earlier than the one that answered, that is a `timeout` in its report. Tests run one after the other.
   *
   * Throws `BeaconUnavailableError`, which names what each endpoint did, or the signal's reason. An endpoint that failed for a reason
   * that will not pass is not asked the same again; nor is one asked at all that wants to be left alone (`Retry-After`) for longer than an
   * answer may take: what it said then is what it says. `onFailure` is told of each failure, those before an answer that stands included.
   * `maxTries`: of one endpoint.
   */
  async first<T>(
    route: Route,
    test: Test<T>,
    signal?: AbortSignal,
    onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void = ignore,
    maxTries: number = TRIES,
  ): Promise<T> {
    const ask: Ask<T> = (endpoint, inTurn, until) => endpoint.ask(route, inTurn(test), until)
    return await this.firstBy(ask, signal, onFailure, maxTries)
  }

  /** As `first`, where it takes several requests to ask an endpoint. */
  async firstBy<T>(
    ask: Ask<T>,
    signal?: AbortSignal,
    onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void = ignore,
    maxTries: number = TRIES,
  ): Promise<T> {
    const { timeoutMs } = this.#terms
    const tried: Tried = new Map()
    // Ends: each round uses up a try of one endpoint at least.
    for (let round = 0; ; round++) {
      const asked =
        round === 0
          ? this.#ranked().filter(({ waitMs }) => waitMs <= timeoutMs)
          : await this.#due(tried, maxTries, timeoutMs, round, signal)
      if (asked.length === 0) break
      const requests = new HedgedRequests(ask, signal, (endpoint, failure) => {
        fail(tried, endpoint, failure)
        onFailure(endpoint, failure)
      })
      const answered = await requests.ask(asked)
      if (answered !== null) return answered.value
    }
    for (const { endpoint, failure } of this.#unasked(tried)) fail(tried, endpoint, failure)
    throw new BeaconUnavailableError(Array.from(tried, ([endpoint, { failure }]) => named(endpoint, failure)))
  }

  /**
   * Asks several at the same time, those that work alone, and then all others, too, where what the first said is not
   * enough: what each said. One of the first is drawn at random from beyond the quickest, since whoever is quick would be
   * asked alone. Where no answer stands the test, those whose failure may pass are asked again, as `first` does. Who wants to be left alone
   * (`Retry-After`) is, while others have an answer; for longer than an answer may take, it is not asked, and what it said then is what it
   * says. `maxTries`: of one endpoint; `maxWaitMs`: how long somebody may want to be left alone and is waited for all the same. Rejects with
   * the signal's reason alone.
   */
  async several<T>(
    route: Route,
    test: Test<T>,
    isEnough: (replies: readonly Reply<T>[]) => boolean,
    signal?: AbortSignal,
    maxTries: number = TRIES,
    maxWaitMs: number = this.#terms.timeoutMs,
  ): Promise<Reply<T>[]> {
    const tried: Tried = new Map()
    const replies = new Map<Endpoint, Reply<T>>()
    const ask = async (asked: readonly Endpoint[]): Promise<Reply<T>[]> => {
      for (const reply of await this.#together(asked, route, test, isEnough, signal)) {
        replies.set(reply.endpoint, reply)
        if ('failure' in reply) fail(tried, reply.endpoint, reply.failure)
      }
      return [...replies.values()]
    }
    for (let round = 0; ; round++) {
      const due = await this.#due(tried, maxTries, maxWaitMs, round, signal)
      if (due.length === 0) break
      const witnesses = round === 0 ? this.#witnesses(due) : due
      const said = await ask(witnesses)
      if (isEnough(said)) return said
      const all = await ask(due.filter((one) => !witnesses.includes(one)))
      if (all.some((reply) => 'value' in reply)) return all
    }
    return [...replies.values(), ...this.#unasked(replies)]
  }

  /** Those that were left alone, with what they said when they asked for it. */
  #unasked(asked: ReadonlyMap<Endpoint, unknown>): { endpoint: Endpoint; failure: BeaconFailure }[] {
    return this.#endpoints.flatMap((endpoint) =>
      asked.has(endpoint) || endpoint.wish === null ? [] : [{ endpoint, failure: endpoint.wish }],
    )
  }

  #witnesses(ranked: readonly Endpoint[]): readonly Endpoint[] {
    const working = ranked.filter(({ state }) => state === 'good')
    const [quickest, others] = [working.slice(0, WITNESSES), working.slice(WITNESSES)]
    const drawn = others.slice(Math.floor(this.#terms.random() * others.length)).slice(0, 1)
    return working.length > 0 ? [...quickest, ...drawn] : ranked.slice(0, WITNESSES)
  }

  /** Whom to ask in a round, the first of which is 0, once it is time for it; nobody where no failure may pass, and nobody has a try left. */
  async #due(
    tried: Tried,
    maxTries: number,
    maxWaitMs: number,
    round: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly Endpoint[]> {
    const able = this.#ranked().filter((endpoint) => {
      const { failure, tries } = tried.get(endpoint) ?? { tries: 0 }
      const isOpen = failure === undefined || (isTransient(failure.kind) && tries < maxTries)
      return isOpen && endpoint.waitMs <= maxWaitMs
    })
    if (able.length === 0) return able
    const soonest = Math.min(...able.map(({ waitMs }) => waitMs))
    const backOffMs =
      round === 0 ? 0 : backOff(Math.min(round, TRIES - 1), RETRY_DELAY_MS, this.#terms.random)
    const pauseMs = Math.max(soonest, backOffMs)
    // Nobody waits for those who want to be left alone (`Retry-After`) while others can be asked.
    const due = able.filter(({ waitMs }) => waitMs <= pauseMs)
    if (pauseMs > 0) await sleep(pauseMs, signal)
    return due
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
    const inTurn = new TestQueue(signal).wrap<T>(async (answer, endpoint) => {
      const value = await test(answer, endpoint)
      if (isEnough([{ endpoint, value }])) timer ??= setTimeout(() => patience.abort(late), GRACE_MS)
      return value
    })
    try {
      return await Promise.all(
        asked.map((endpoint) => fan.run((until) => endpoint.ask(route, inTurn, until))),
      )
    } finally {
      clearTimeout(timer)
      fan.release()
      release()
    }
  }

  /** How long all of them want to be left alone (`Retry-After`): 0 where one does not. */
  get waitMs(): number {
    return Math.min(...this.#endpoints.map(({ waitMs }) => waitMs))
  }

  /** Asks all of them again as if none had failed; what they did stays on record. */
  pardon(): void {
    for (const endpoint of this.#endpoints) endpoint.pardon()
  }

  /** What each of them did so far, in the order in which they were given. */
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
}

/**
 * URLs with the names of their endpoints: an origin, and `#2` and so on where several share one. The names of `others`, which are endpoints
 * beside these, are not used again.
 */
export function withNames(
  urls: readonly URL[],
  others: readonly URL[] = [],
): { readonly name: string; readonly url: URL }[] {
  const counts = new Map<string, number>()
  const nameOf = ({ origin }: URL): string => {
    const count = (counts.get(origin) ?? 0) + 1
    counts.set(origin, count)
    return count === 1 ? origin : `${origin}#${count}`
  }
  others.forEach(nameOf)
  return urls.map((url) => ({ name: nameOf(url), url }))
}

const MAX_ENDPOINTS = 16

/** From 1 to 16 http(s) URLs; throws `TypeError`, which says of which option, for anything else. */
export function readUrls(urls: unknown, option: string = 'beacon'): URL[] {
  const list: unknown[] = Array.isArray(urls) ? urls : [urls]
  if (list.length === 0 || list.length > MAX_ENDPOINTS)
    throw new TypeError(`${option} must name from 1 to ${MAX_ENDPOINTS} endpoints`)
  return list.map((entry, at) => {
    const url =
      entry instanceof URL ? entry : typeof entry === 'string' && URL.canParse(entry) ? new URL(entry) : null
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new TypeError(`not the http(s) URL of an endpoint: ${option}[${at}], ${shown(entry)}`)
    // Which one, without what is in it: messages end up in logs. `fetch` would refuse it, too.
    if (url.username !== '' || url.password !== '')
      throw new TypeError(
        `a URL with a user or password cannot be fetched, headers of the option fetch can have them: ${option}[${at}]`,
      )
    return url
  })
}

/** What was given, as far as it can be shown: without user, path and query, where keys may be. */
function shown(entry: unknown): string {
  const text = entry instanceof URL ? entry.href : entry
  if (typeof text !== 'string') return typeof text
  const [host] = /^(\w+:\/\/)?[^/?#]*/.exec(text.replace(/^.*@/s, '')) ?? ['']
  return `${JSON.stringify(host.slice(0, 100))}${text.includes('://') ? '' : ': write http://…'}`
}
