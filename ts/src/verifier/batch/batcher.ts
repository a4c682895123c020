/**
 * From units to outcomes. What is queued becomes a batch as soon as there are few enough of them under way; meanwhile it
 * gathers, and shares a pairing. Each group of a batch comes back as partial sums; one pairing closes them all; only if
 * it fails is anyone looked at closely.
 *
 * A batch takes its turn in the pool behind the checks that were there before it, so that copies of its units which are
 * being checked can still join, and their senders be named; but not behind those that come after it, so that a flood of
 * items cannot keep those that passed from their verdict. What a batch needs once it has begun goes first.
 */
import { CRASHED, DisposedError } from '../../runtime/errors.ts'
import { retryOptions, type TaskOptions } from '../../runtime/pool/pool.ts'
import type { ConfirmedKernel } from '../../runtime/kernel/confirmation.ts'
import type { KzgOutcome, UnitOutcome } from '../../verdict/verdict.ts'
import type { Collected, VerifierPool } from '../worker/protocol.ts'
import type { Counters } from '../stats.ts'
import { hasCsprng } from '../../runtime/platform/web-apis.ts'
import type { HashedUnit } from '../checks/protocol.ts'
import { type BatchUnit, lendBuffers, LentUnit, restoreBuffers, separateBuffers } from './lent-buffers.ts'
import { loadOf, plan } from './plan.ts'

const crashed: UnitOutcome = { status: 'error', reason: 'worker-crashed' }

/** A unit that waits for its batch, and the promise of whoever queued it. */
interface QueuedUnit {
  readonly unit: BatchUnit
  readonly resolve: (outcome: UnitOutcome | null) => void
  readonly reject: (cause: Error) => void
}

/** Verifies units in batches, on the pool's workers. */
export class Batcher {
  readonly #pool: VerifierPool
  readonly #kernel: ConfirmedKernel
  readonly #counters: Counters
  #queue: QueuedUnit[] = []
  #scheduled = false
  #underWay = 0

  /** What the fast kernel refuses is confirmed by `kernel` before anyone is named. */
  constructor(pool: VerifierPool, kernel: ConfirmedKernel, counters: Counters) {
    this.#pool = pool
    this.#kernel = kernel
    this.#counters = counters
  }

  /**
   * Verifies units together with all that is queued beside them. Returns an outcome for each, or null where nobody waited for it any
   * more when its turn came. Rejects with `DisposedError` alone.
   */
  enqueue(units: readonly BatchUnit[]): Promise<UnitOutcome | null>[] {
    const queued: QueuedUnit[] = []
    const outcomes = units.map(
      (unit) =>
        new Promise<UnitOutcome | null>((resolve, reject) => {
          queued.push({ unit, resolve, reject })
        }),
    )
    // Not by spreading them: a call has no room for as many arguments as it may have items.
    this.#queue = this.#queue.concat(queued)
    this.#schedule()
    return outcomes
  }

  /** After the current task of this thread, so that what arrives together is verified together. */
  #schedule(): void {
    // Two at least, so that one can collect while another is closed.
    const limit = Math.max(2, this.#pool.workers)
    if (this.#scheduled || this.#queue.length === 0 || this.#underWay >= limit) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      const batch = this.#queue.filter(({ unit, resolve }) => {
        if (unit.isAbandoned) resolve(null)
        return !unit.isAbandoned
      })
      this.#queue = []
      if (batch.length > 0) void this.#verify(batch)
    })
  }

  async #verify(batch: readonly QueuedUnit[]): Promise<void> {
    this.#counters.kzgBatches++
    this.#counters.kzgItems += batch.length
    this.#underWay++
    try {
      const outcomes = await this.#outcomes(batch.map(({ unit }) => unit))
      batch.forEach(({ resolve }, at) => resolve(outcomes[at] ?? crashed))
    } catch (cause) {
      // Disposed of: nothing else gets out of the attempts below.
      const reason = cause instanceof Error ? cause : new DisposedError()
      for (const { reject } of batch) reject(reason)
    } finally {
      this.#underWay--
      this.#schedule()
    }
  }

  async #outcomes(batch: readonly BatchUnit[]): Promise<UnitOutcome[]> {
    const units = batch.map((unit) => new LentUnit(unit))
    // Without a CSPRNG coefficients come from the inputs, and must come from all of them: one group.
    const sizes = hasCsprng()
      ? plan(
          units.map(({ bytes }) => loadOf(bytes)),
          this.#pool.workers,
        )
      : [units.length]
    if (sizes.length === 1) return await this.#alone(units)
    let at = 0
    const groups = sizes.map((size) => units.slice(at, (at += size)))
    separateBuffers(groups)
    return await this.#together(groups)
  }

  /** A batch of one group: collect, close and locate in one task. */
  async #alone(units: readonly LentUnit[], begun = false): Promise<UnitOutcome[]> {
    const outcomes = await this.#verifyOnce(units, { urgent: begun })
    return outcomes === null ? await this.#retryEach(units) : await this.#confirm(units, outcomes)
  }

  /** What one worker says, or null if it crashed. */
  async #verifyOnce(units: readonly LentUnit[], options: TaskOptions): Promise<readonly KzgOutcome[] | null> {
    const answer = await this.#pool.attempt((api) => api.verify(lendBuffers(units)), options)
    if (answer === CRASHED) return null
    restoreBuffers(units, answer.returned)
    return answer.outcomes
  }

  /** Several groups: partial sums in parallel, then one test and one pairing for all. */
  async #together(groups: readonly (readonly LentUnit[])[]): Promise<UnitOutcome[]> {
    const collected = await Promise.all(
      groups.map(async (units) => {
        const answer = await this.#pool.attempt((api) => api.collect(lendBuffers(units), groups.length))
        if (answer === CRASHED) return null
        restoreBuffers(units, answer.returned)
        return answer
      }),
    )
    const closed = await this.#close(collected.filter((group) => group !== null))
    const answers = await Promise.all(
      groups.map(async (units, at): Promise<UnitOutcome[]> => {
        const group = collected[at] ?? null
        if (group === null || closed === null) return await this.#retryEach(units)
        if (!closed && (await this.#close([group])) !== true) return await this.#alone(units, true)
        return await this.#confirm(
          units,
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
  #retryEach(units: readonly LentUnit[]): Promise<UnitOutcome[]> {
    return Promise.all(
      units.map(async (unit): Promise<UnitOutcome> => {
        this.#counters.retries++
        if (!(await unit.recall())) return crashed
        const outcomes = await this.#verifyOnce([unit], retryOptions)
        if (outcomes === null) return crashed
        const [confirmed] = await this.#confirm([unit], outcomes)
        return confirmed ?? crashed
      }),
    )
  }

  /** The outcomes, with each refusal confirmed or overruled by the baseline. */
  async #confirm(units: readonly LentUnit[], outcomes: readonly KzgOutcome[]): Promise<UnitOutcome[]> {
    if (!this.#kernel.needsConfirmation) return [...outcomes]
    return await Promise.all(
      outcomes.map((outcome, at) => (outcome === 'valid' ? outcome : this.#askBaseline(units[at]!.bytes))),
    )
  }

  /** The baseline's outcome for a unit that the fast kernel refused. */
  async #askBaseline(unit: HashedUnit): Promise<UnitOutcome> {
    const confirmation = await this.#kernel.confirm(
      (baseline) =>
        this.#pool.attemptTwice(async (api) => first(await api.confirm([unit.slice()], baseline)), {
          urgent: true,
        }),
      (outcome) => outcome === 'valid',
    )
    if (!('answer' in confirmation)) return crashed
    this.#counters.confirmations++
    if (confirmation.status === 'overruled') this.#counters.kernelDisagreements++
    return confirmation.answer
  }
}

/** An answer without an outcome would be a defect of the worker's, and must not be taken for one. */
function first(outcomes: readonly KzgOutcome[]): KzgOutcome {
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('the baseline gave no outcome')
  return outcome
}
