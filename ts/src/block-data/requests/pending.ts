/** The requests for a block's sidecars that have not ended, and which of those who were asked are silent. */
import { type Endpoint, RETRY_DELAY_MS } from '../../beacon/endpoint.ts'
import { overtaken, unneeded } from '../../beacon/hedged-requests.ts'
import { joinSignals } from '../../util/signals.ts'
import { sleep } from '../../util/timers.ts'
import type { Group } from './share-out.ts'

/** A request that has not ended. */
interface Pending {
  readonly endpoint: Endpoint
  readonly wanted: readonly number[]
  /** When it is to be sent, as `performance.now()` tells the time. */
  readonly dueAt: number
  /** When it was sent, which may be later, as where it had to wait for its turn. */
  sentAt: number | null
  end: Promise<void>
  readonly stop: (reason: unknown) => void
  /** Whether its answer has come; it may still be under test. */
  hasAnswered: boolean
  /** Whether it had no answer for so long that others may be asked for the same. */
  isSilent: boolean
}

/** What a request tells of itself: that it is sent, and that its answer has come, before that is tested. */
export interface RequestEvents {
  readonly onSent: () => void
  readonly onAnswer: () => void
}

/**
 * How long who was asked may be silent before others are asked for the same: longer than with a block, since there is more to be sent, and since
 * what came of several endpoints is worth more. And half of that after the last of the others had its answer, who may have been slow, too.
 */
const PATIENCE_MS = 2_000

const ignore = (): void => {}

/** Of each endpoint there is one at most, or the parts of one question. */
export class PendingRequests {
  readonly #until: AbortSignal
  readonly #all = new Set<Pending>()
  /** When the last request ended, as `performance.now()` tells the time. */
  #endedAt = Number.NEGATIVE_INFINITY

  /** All of them are aborted with `until`. */
  constructor(until: AbortSignal) {
    this.#until = until
  }

  get size(): number {
    return this.#all.size
  }

  /** Those that are under way, and not silent. Nobody waits for one whose endpoint wants to be left alone for a while. */
  get awaited(): readonly Pending[] {
    return this.#due.filter(({ isSilent }) => !isSilent)
  }

  get #due(): readonly Pending[] {
    const soon = performance.now() + RETRY_DELAY_MS
    return [...this.#all].filter(({ dueAt }) => dueAt <= soon)
  }

  get endpoints(): ReadonlySet<Endpoint> {
    return new Set(Array.from(this.#all, ({ endpoint }) => endpoint))
  }

  /** The sidecars that somebody is asked for. */
  get indices(): ReadonlySet<number> {
    return new Set(this.#due.flatMap(({ wanted }) => wanted))
  }

  /** `ask` sends a request and takes what it brings. */
  begin(group: Group, ask: (own: AbortSignal, events: RequestEvents) => Promise<void>): void {
    const own = new AbortController()
    const { either, release } = joinSignals([this.#until, own.signal])
    const { endpoint, wanted, pauseMs } = group
    const pending: Pending = {
      ...{ endpoint, wanted, dueAt: performance.now() + pauseMs, sentAt: null },
      ...{ hasAnswered: false, isSilent: false },
      end: Promise.resolve(),
      stop: (reason) => own.abort(reason),
    }
    // It may be sent at once.
    pending.end = ask(either, {
      onSent: () => void (pending.sentAt = performance.now()),
      onAnswer: () => void (pending.hasAnswered = true),
    }).finally(() => {
      release()
      this.#all.delete(pending)
      this.#endedAt = performance.now()
    })
    pending.end.catch(ignore) // where nobody waits for it any more
    this.#all.add(pending)
  }

  /** Waits for the next one that ends; `isHedged`: or until one has been silent for so long that others are to be asked for the same. */
  async next(isHedged: boolean): Promise<void> {
    const ends = Array.from(this.#all, ({ end }) => end)
    const unanswered = this.awaited.filter(({ hasAnswered }) => !hasAnswered)
    if (!isHedged || unanswered.length === 0) return await Promise.race(ends)
    const timer = new AbortController()
    const silence = async (): Promise<void> => {
      let begun: number
      for (;;) {
        begun = Math.min(...unanswered.filter(({ hasAnswered }) => !hasAnswered).map(begunAt))
        const silentAt = Math.max(begun + PATIENCE_MS, this.#endedAt + PATIENCE_MS / 2)
        const leftMs = silentAt - performance.now()
        if (leftMs <= 0) break
        // Not all of it at once: what has not been sent yet may be meanwhile, and is silent earlier then.
        await sleep(Math.min(leftMs, PATIENCE_MS), timer.signal)
      }
      for (const one of unanswered) one.isSilent = !one.hasAnswered && begunAt(one) <= begun
    }
    try {
      await Promise.race([...ends, silence()])
    } finally {
      timer.abort()
    }
  }

  /** Nobody waits for any of them any more: who was silent while another one had an answer is named for it, and the others for nothing. */
  async end(): Promise<void> {
    const pending = [...this.#all]
    for (const { isSilent, sentAt, stop } of pending)
      stop(isSilent && sentAt !== null ? overtaken(sentAt) : unneeded)
    await Promise.allSettled(pending.map(({ end }) => end))
  }
}

/** From when on it may be called silent. What waits for its turn here is no fault of the endpoint's: it is given twice the time, and never named for it. */
const begunAt = ({ dueAt, sentAt }: Pending): number => sentAt ?? dueAt + PATIENCE_MS
