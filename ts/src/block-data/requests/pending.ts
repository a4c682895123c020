/** The requests for a block's sidecars that have not ended, and which of those who were asked are silent. */
import type { Endpoint } from '../../beacon/endpoint.ts'
import { overtaken, unneeded } from '../../beacon/hedged-requests.ts'
import { joinSignals } from '../../util/signals.ts'
import { sleep } from '../../util/timers.ts'
import type { Group } from './share-out.ts'

/** A request that has not ended. */
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

  /** Those that are under way, and not silent. */
  get awaited(): readonly Pending[] {
    return [...this.#all].filter(({ isSilent }) => !isSilent)
  }

  get endpoints(): ReadonlySet<Endpoint> {
    return new Set(Array.from(this.#all, ({ endpoint }) => endpoint))
  }

  /** The sidecars that somebody is asked for. */
  get indices(): ReadonlySet<number> {
    return new Set([...this.#all].flatMap(({ wanted }) => wanted))
  }

  /** `ask` sends a request and takes what it brings; it is to call `onAnswer` when the answer has come, before that is tested. */
  begin(group: Group, ask: (own: AbortSignal, onAnswer: () => void) => Promise<void>): void {
    const own = new AbortController()
    const { either, release } = joinSignals([this.#until, own.signal])
    const { endpoint, wanted } = group
    const onAnswer = (): void => void (pending.hasAnswered = true)
    const end = ask(either, onAnswer).finally(() => {
      release()
      this.#all.delete(pending)
      this.#endedAt = performance.now()
    })
    end.catch(ignore) // where nobody waits for it any more
    const pending: Pending = {
      ...{ endpoint, wanted, startedAt: performance.now() + group.pauseMs, end },
      stop: (reason) => own.abort(reason),
      ...{ hasAnswered: false, isSilent: false },
    }
    this.#all.add(pending)
  }

  /** Waits for the next one that ends; `isHedged`: or until one has been silent for so long that others are to be asked for the same. */
  async next(isHedged: boolean): Promise<void> {
    const ends = Array.from(this.#all, ({ end }) => end)
    const unanswered = this.awaited.filter(({ hasAnswered }) => !hasAnswered)
    if (!isHedged || unanswered.length === 0) return await Promise.race(ends)
    const begun = Math.min(...unanswered.map(({ startedAt }) => startedAt))
    const silentAt = Math.max(begun + PATIENCE_MS, this.#endedAt + PATIENCE_MS / 2)
    const timer = new AbortController()
    const silence = async (): Promise<void> => {
      await sleep(silentAt - performance.now(), timer.signal)
      for (const one of unanswered) one.isSilent = !one.hasAnswered && one.startedAt <= begun
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
    for (const { isSilent, startedAt, stop } of pending) stop(isSilent ? overtaken(startedAt) : unneeded)
    await Promise.allSettled(pending.map(({ end }) => end))
  }
}
