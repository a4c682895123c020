/**
 * From units to outcomes. What is queued becomes a batch as soon as there are few enough of them under way; meanwhile it
 * gathers, and shares a pairing. Each group of a batch comes back as partial sums; one pairing closes them all; only if
 * it fails is anyone looked at closely.
 *
 * A batch takes its turn in the pool behind the checks that were there before it, so that copies of its units which are
 * being checked can still join, and their senders be named; but not behind those that come after it, so that a flood of
 * deliveries cannot keep those that passed from their verdict. What a batch needs once it has begun goes first.
 */
import type { Flight } from '../dedup/flight.ts'
import type { Flights } from '../dedup/flights.ts'
import { CRASHED, DisposedError } from '../../runtime/errors.ts'
import { retryOptions, type TaskOptions } from '../../runtime/pool/pool.ts'
import type { VerifierPool } from '../worker/protocol.ts'
import type { KzgOutcome, UnitOutcome } from '../../verdict/verdict.ts'
import type { Collected } from '../worker/protocol.ts'
import type { Counters } from '../stats.ts'
import { hasCsprng } from '../../runtime/platform/web-apis.ts'
import { loadOf } from './costs.ts'
import type { Judge } from './judge.ts'
import { lend, Loan, separate, takeBack } from './loan.ts'
import { plan } from './plan.ts'

const crashed: UnitOutcome = { status: 'error', reason: 'worker-crashed' }

export class Batcher {
  readonly #pool: VerifierPool
  readonly #judge: Judge
  readonly #counters: Counters
  /** Set once: flights bring units here, and units land there. */
  flights!: Flights
  #queue: Flight[] = []
  #scheduled = false
  #underWay = 0

  constructor(pool: VerifierPool, judge: Judge, counters: Counters) {
    this.#pool = pool
    this.#judge = judge
    this.#counters = counters
  }

  enqueue(flights: readonly Flight[]): void {
    // Not by spreading them: a call has no room for as many arguments as it may have items.
    this.#queue = this.#queue.concat(flights)
    this.#schedule()
  }

  /** After the current task of this thread, so that what arrives together is verified together. */
  #schedule(): void {
    // Two at least, so that one can collect while another is closed.
    const limit = Math.max(2, this.#pool.workers)
    if (this.#scheduled || this.#queue.length === 0 || this.#underWay >= limit) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      const batch = this.#queue.filter((flight) => {
        if (flight.forsaken) this.flights.drop(flight)
        return !flight.forsaken
      })
      this.#queue = []
      if (batch.length > 0) void this.#verify(batch)
    })
  }

  async #verify(batch: readonly Flight[]): Promise<void> {
    this.#counters.kzgBatches++
    this.#counters.kzgItems += batch.length
    this.#underWay++
    try {
      const outcomes = await this.#outcomes(batch)
      await Promise.all(batch.map((flight, at) => this.flights.arrive(flight, outcomes[at] ?? crashed)))
    } catch (cause) {
      // Disposed of: nothing else gets out of the attempts below.
      for (const flight of batch) {
        this.flights.drop(flight)
        flight.fail(cause instanceof Error ? cause : new DisposedError())
      }
    } finally {
      this.#underWay--
      this.#schedule()
    }
  }

  async #outcomes(batch: readonly Flight[]): Promise<UnitOutcome[]> {
    const loans = batch.map((flight) => new Loan(flight))
    // Without a CSPRNG coefficients come from the inputs, and must come from all of them: one group.
    const sizes = hasCsprng()
      ? plan(
          loans.map(({ bytes }) => loadOf(bytes)),
          this.#pool.workers,
        )
      : [loans.length]
    if (sizes.length === 1) return await this.#alone(loans)
    let at = 0
    const groups = sizes.map((size) => loans.slice(at, (at += size)))
    separate(groups)
    return await this.#together(groups)
  }

  /** A batch of one group: collect, close and locate in one task. */
  async #alone(loans: readonly Loan[], begun = false): Promise<UnitOutcome[]> {
    const outcomes = await this.#verifyOnce(loans, { urgent: begun })
    return outcomes === null ? await this.#retryEach(loans) : await this.#judge.confirm(loans, outcomes)
  }

  /** What one worker says, or null if it crashed. */
  async #verifyOnce(loans: readonly Loan[], options: TaskOptions): Promise<readonly KzgOutcome[] | null> {
    const answer = await this.#pool.attempt((api) => api.verify(lend(loans)), options)
    if (answer === CRASHED) return null
    takeBack(loans, answer.returned)
    return answer.outcomes
  }

  /** Several groups: partial sums in parallel, then one test and one pairing for all. */
  async #together(groups: readonly (readonly Loan[])[]): Promise<UnitOutcome[]> {
    const collected = await Promise.all(
      groups.map(async (loans) => {
        const answer = await this.#pool.attempt((api) => api.collect(lend(loans), groups.length))
        if (answer === CRASHED) return null
        takeBack(loans, answer.returned)
        return answer
      }),
    )
    const closed = await this.#close(collected.filter((group) => group !== null))
    const answers = await Promise.all(
      groups.map(async (loans, at): Promise<UnitOutcome[]> => {
        const group = collected[at] ?? null
        if (group === null || closed === null) return await this.#retryEach(loans)
        if (!closed && (await this.#close([group])) !== true) return await this.#alone(loans, true)
        return await this.#judge.confirm(
          loans,
          group.refusals.map((refusal) => refusal ?? 'valid'),
        )
      }),
    )
    return answers.flat()
  }

  /**
   * One pairing over all partial sums, and one test of their points, in which all workers take part where it has not been
   * made; tried twice; null if nothing was learnt.
   */
  async #close(groups: readonly Collected[]): Promise<boolean | null> {
    if (groups.length === 0) return true
    const sums = groups.map((group) => group.sums)
    const parts = groups.every(({ tested }) => tested) ? 1 : Math.max(this.#pool.workers, 1)
    const answers = await Promise.all(
      Array.from({ length: parts }, (_, part) =>
        this.#pool.attemptTwice((api) => api.close(sums, part, parts), { urgent: true }),
      ),
    )
    if (answers.includes(false)) return false
    return answers.includes(CRASHED) ? null : true
  }

  /** After a crash each unit is tried once more, alone: it may be the one that crashes workers. */
  #retryEach(loans: readonly Loan[]): Promise<UnitOutcome[]> {
    return Promise.all(
      loans.map(async (loan): Promise<UnitOutcome> => {
        this.#counters.retries++
        if (!(await loan.recall())) return crashed
        const outcomes = await this.#verifyOnce([loan], retryOptions)
        if (outcomes === null) return crashed
        const [confirmed] = await this.#judge.confirm([loan], outcomes)
        return confirmed ?? crashed
      }),
    )
  }
}
