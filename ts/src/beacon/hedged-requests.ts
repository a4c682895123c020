/**
 * Hedged requests: one question, put to several endpoints until one answers. The next endpoint is asked as soon as one has failed, or once
 * those that were asked have been silent for a second, so that what hangs costs a second and not its whole timeout.
 */
import { joinSignals } from '../util/signals.ts'
import { sleep } from '../util/timers.ts'
import type { Ask, Endpoint, Reply, Test } from './endpoint.ts'
import { BeaconFailure } from './failure.ts'

/** How long those that were asked may be silent before one more is asked. */
const HEDGE_MS = 1_000

/** Why requests end that were begun later than the one that was answered: nothing can be said of those endpoints. */
export const unneeded: DOMException = new DOMException('another endpoint has answered', 'AbortError')
const ignore = (): void => {}

/** Why a request ends that was begun so long ago, as `performance.now()` tells the time, when a later one is answered. */
export function overtaken(startedAt: number): BeaconFailure {
  const ms = Math.round(performance.now() - startedAt)
  return new BeaconFailure('timeout', `no complete answer in ${ms} ms, when another endpoint had one`)
}

/** A request to one endpoint that has not ended. */
interface PendingRequest<T> {
  readonly endpoint: Endpoint
  readonly startedAt: number
  readonly reply: Promise<Reply<T>>
  readonly abort: (reason: unknown) => void
  /** Whether its answer has come; it may still be under test. */
  hasAnswered: boolean
}

/** The requests for one question. Tests of answers run one after the other, and none after an answer that stood. */
export class HedgedRequests<T> {
  readonly #ask: Ask<T>
  readonly #signal: AbortSignal | undefined
  readonly #tests: TestQueue
  readonly #onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void
  readonly #pending = new Set<PendingRequest<T>>()
  /** Aborted when all is over. */
  readonly #end = new AbortController()
  /** Whether an answer stood the test; the request that it belongs to is pending for a moment longer. */
  #isAnswered = false

  /** `onFailure` is told of each endpoint that failed, and of each that was silent while a later one answered. */
  constructor(
    ask: Ask<T>,
    signal: AbortSignal | undefined,
    onFailure: (endpoint: Endpoint, failure: BeaconFailure) => void,
  ) {
    this.#ask = ask
    this.#signal = signal
    this.#tests = new TestQueue(signal)
    this.#onFailure = onFailure
  }

  /**
   * Asks these endpoints, in this order: the first answer that stands the test, or null where all failed. To be called once. Rejects
   * with the signal's reason, and with what the test throws that is no `BeaconFailure`.
   */
  async ask(endpoints: readonly Endpoint[]): Promise<{ readonly value: T } | null> {
    try {
      for (const endpoint of endpoints) {
        this.#begin(endpoint)
        const isLast = endpoint === endpoints.at(-1)
        const answered = await this.#answerOrNext(isLast ? null : HEDGE_MS)
        if (answered !== null) return answered
      }
      while (this.#pending.size > 0) {
        const answered = await this.#answerOrNext(null)
        if (answered !== null) return answered
      }
      return null
    } finally {
      this.#end.abort()
      for (const { abort } of this.#pending) abort(unneeded)
    }
  }

  #begin(endpoint: Endpoint): void {
    const own = new AbortController()
    const { either, release } = joinSignals([this.#signal, own.signal])
    const inTurn = (test: Test<T>): Test<T> => {
      const queued = this.#tests.wrap<T>((...answered) => this.#testFirst(test, ...answered))
      return (...answered) => {
        request.hasAnswered = true
        return queued(...answered)
      }
    }
    const request: PendingRequest<T> = {
      endpoint,
      startedAt: performance.now(),
      reply: this.#ask(endpoint, inTurn, either).finally(release),
      abort: (reason) => own.abort(reason),
      hasAnswered: false,
    }
    request.reply.catch(ignore) // where nobody waits for it any more
    this.#pending.add(request)
  }

  /** The caller's test, unless an answer stood it before: the others, which came while that was tested, count neither way. */
  async #testFirst(test: Test<T>, ...answered: Parameters<Test<T>>): Promise<T> {
    if (this.#isAnswered) {
      if (!this.#end.signal.aborted)
        await new Promise((resolve) => this.#end.signal.addEventListener('abort', resolve, { once: true }))
      throw unneeded
    }
    const value = await test(...answered)
    this.#isAnswered = true
    return value
  }

  /** The answer that stood the test; or null when it is time to ask another endpoint, since one failed or all were silent for so long. */
  async #answerOrNext(patienceMs: number | null): Promise<{ readonly value: T } | null> {
    for (;;) {
      const ended = await this.#firstEnded(patienceMs)
      if (ended !== null) {
        const { request, reply } = ended
        this.#pending.delete(request)
        if ('value' in reply) {
          await this.#overtake(request)
          return reply
        }
        this.#onFailure(reply.endpoint, reply.failure)
      }
      // Once an answer has stood its test, its request is about to end; until then nobody else is asked.
      if (!this.#isAnswered) return null
    }
  }

  /** The next request that ends; or null once all of them, and the tests of their answers, have been silent for so long. */
  async #firstEnded(
    patienceMs: number | null,
  ): Promise<{ readonly request: PendingRequest<T>; readonly reply: Reply<T> } | null> {
    const ends = Array.from(this.#pending, async (request) => ({ request, reply: await request.reply }))
    if (patienceMs === null) return await Promise.race(ends)
    const timer = new AbortController()
    const silence = async (): Promise<null> => {
      await sleep(patienceMs, timer.signal)
      await this.#tests.idle()
      return null
    }
    try {
      return await Promise.race([...ends, silence()])
    } finally {
      timer.abort()
    }
  }

  /** Ends the requests that were begun earlier than the one that was answered: those endpoints were asked, and silent. */
  async #overtake(answered: PendingRequest<T>): Promise<void> {
    for (const { abort, endpoint, hasAnswered, reply, startedAt } of this.#pending) {
      if (hasAnswered || startedAt > answered.startedAt) continue
      const failure = overtaken(startedAt)
      abort(failure)
      const ended = await reply.catch(ignore) // by then it is in the endpoint's report
      if (!(ended && 'failure' in ended && ended.isUnsent)) this.#onFailure(endpoint, failure)
    }
  }
}

/** Has tests of answers run one after the other. */
export class TestQueue {
  readonly #signal: AbortSignal | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** No test begins once the signal is aborted: whoever asked has gone, and what comes next must find no test at work. */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** The same test, which waits for its turn. */
  wrap<T>(test: Test<T>): Test<T> {
    return async (answer, endpoint) => {
      const tested = this.#last.then(() => {
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
