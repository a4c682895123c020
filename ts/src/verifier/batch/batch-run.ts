/**
 * One batch, on the pool's workers: each group of it comes back as partial sums, which are closed together; only if that fails is anyone
 * looked at closely.
 */
import { CRASHED, type Crashed } from '../../runtime/errors.ts'
import { has } from '../../util/has.ts'
import { retryOptions, type Task, type TaskOptions } from '../../runtime/pool/pool.ts'
import type { ConfirmedKernel } from '../../runtime/kernel/confirmation.ts'
import { crashedOutcome, type KzgOutcome, type UnitOutcome } from '../../verdict/verdict.ts'
import type { Collected, VerifierApi, VerifierPool } from '../worker/protocol.ts'
import type { Counters } from '../stats.ts'
import type { Tracer } from '../trace.ts'
import { hasCsprng } from '../../runtime/platform/web-apis.ts'
import { BLOB_OF_COMMITMENT } from '../checks/protocol.ts'
import type { Attempt, CommitmentKernels } from './commitment-kernels.ts'
import { type BatchUnit, lendBuffers, LentUnit, restoreBuffers, separateBuffers } from './lent-buffers.ts'
import { loadOf, plan } from './plan.ts'

/** The outcome of what commitments are to be computed for, where what that takes is not to be had. */
export const missing: UnitOutcome = { status: 'error', reason: 'setup-unavailable' }

/** A unit's outcome, or null where nobody waited for it any more when a crash had it to be tried again: its bytes may be lost. */
type Outcome = UnitOutcome | null

/** What batches are verified with. */
export interface BatchContext {
  readonly pool: VerifierPool
  /** What the fast kernel refuses is confirmed by it before anyone is named. */
  readonly kernel: ConfirmedKernel
  readonly counters: Counters
  /** Undefined where nobody listens. */
  readonly trace: Tracer | undefined
  /** Told why something is `missing`, where units have that for their outcome. */
  readonly onMissing: (cause: unknown) => void
}

/** The verification of one batch. */
export class BatchRun {
  readonly #pool: VerifierPool
  readonly #kernel: ConfirmedKernel
  readonly #counters: Counters
  readonly #trace: Tracer | undefined
  readonly #onMissing: (cause: unknown) => void
  /** What bare blobs are held against their commitments with; null in a batch of units with proofs. */
  readonly #commitments: CommitmentKernels | null
  readonly #letOthersIn: () => void
  /** What is said of units of which nothing was learnt. */
  #unknown: UnitOutcome = crashedOutcome

  /** `letOthersIn` is called before the batch waits for what has to be fetched: others have its place from then on. */
  constructor(
    { pool, kernel, counters, trace, onMissing }: BatchContext,
    commitments: CommitmentKernels | null,
    letOthersIn: () => void,
  ) {
    this.#pool = pool
    this.#kernel = kernel
    this.#counters = counters
    this.#trace = trace
    this.#onMissing = onMissing
    this.#commitments = commitments
    this.#letOthersIn = letOthersIn
  }

  /** An outcome for each unit. The units are all bare blobs, or none is. */
  async outcomes(batch: readonly BatchUnit[]): Promise<Outcome[]> {
    const units = batch.map((unit) => new LentUnit(unit))
    if (this.#commitments === null) return await this.#inGroups(units)
    // A commitment that is not known is computed for each blob by itself: nothing to share, and any worker can do it.
    const isHashed = (at: number): boolean => batch[at]?.unit.kind !== BLOB_OF_COMMITMENT
    const named = units.filter((_, at) => !isHashed(at))
    const hashed = units.filter((_, at) => isHashed(at))
    separateBuffers([named, ...hashed.map((unit) => [unit])])
    const [ofNamed, ...ofHashed] = await Promise.all([
      this.#inGroups(named),
      ...hashed.map((unit) => this.#alone([unit])),
    ])
    const [inOrder, one] = [ofNamed[Symbol.iterator](), ofHashed.flat()[Symbol.iterator]()]
    return batch.map((_, at) => {
      const { done, value } = (isHashed(at) ? one : inOrder).next()
      return done ? crashedOutcome : value
    })
  }

  async #inGroups(units: readonly LentUnit[]): Promise<Outcome[]> {
    if (units.length === 0) return []
    const { workers } = this.#pool
    // Without a CSPRNG coefficients come from the inputs, and must come from all of them: one group.
    if (!hasCsprng()) return await this.#alone(units)
    const sizes = plan(
      units.map(({ bytes }) => loadOf(bytes)),
      workers,
    )
    // The commitment of the sums of bare blobs is worth sharing, however few they are.
    if (sizes.length === 1 && (this.#commitments === null || workers < 2)) return await this.#alone(units)
    let at = 0
    const groups = sizes.map((size) => units.slice(at, (at += size)))
    separateBuffers(groups)
    return await this.#together(groups)
  }

  /** A batch of one group: collect, close and locate in one task. */
  async #alone(units: readonly LentUnit[], begun = false): Promise<Outcome[]> {
    const outcomes = await this.#verifyOnce(units, { urgent: begun })
    return outcomes === null ? await this.#retryEach(units) : await this.#confirm(units, outcomes)
  }

  /** What one worker says, or null if it crashed. */
  async #verifyOnce(units: readonly LentUnit[], options: TaskOptions): Promise<readonly KzgOutcome[] | null> {
    const answer = await this.#attempt(units, (api) => api.verify(lendBuffers(units)), options)
    if (answer === CRASHED) return null
    restoreBuffers(units, answer.returned)
    return answer.outcomes
  }

  /** Several groups: partial sums in parallel, then one test and one pairing for all. */
  async #together(groups: readonly (readonly LentUnit[])[]): Promise<Outcome[]> {
    const collected = await Promise.all(
      groups.map(async (units) => {
        const answer = await this.#attempt(units, (api) => api.collect(lendBuffers(units), groups.length))
        if (answer === CRASHED) return null
        restoreBuffers(units, answer.returned)
        return answer
      }),
    )
    const closed = await this.#close(collected, groups)
    const answers = await Promise.all(
      groups.map(async (units, at): Promise<Outcome[]> => {
        const group = collected[at] ?? null
        if (group === null || closed === null) return await this.#retryEach(units)
        if (!closed && (await this.#close([group], [units])) !== true) return await this.#alone(units, true)
        return await this.#confirm(
          units,
          group.refusals.map((refusal) => refusal ?? 'valid'),
        )
      }),
    )
    return answers.flat()
  }

  /**
   * One pairing over all partial sums, and one test of their points, in which all workers take part where it has not been made; for bare
   * blobs one commitment, in which all workers take part. Tried twice; null if nothing was learnt. `units` are those of each group; a group
   * that is null was lost.
   */
  async #close(
    collected: readonly (Collected | null)[],
    units: readonly (readonly LentUnit[])[],
  ): Promise<boolean | null> {
    const groups = collected.filter((group) => group !== null)
    if (groups.length === 0) return true
    const closed = this.#trace ? units.filter((_, at) => collected[at] !== null).flat() : []
    const sums = groups.map((group) => group.sums)
    const isBare = this.#commitments !== null
    const isShared = isBare || !groups.every(({ tested }) => tested)
    const parts = isShared ? Math.max(this.#pool.workers, 1) : 1
    const inParts = <T>(task: (api: Remote, part: number) => PromiseLike<T>): Promise<(T | Crashed)[]> =>
      Promise.all(
        Array.from({ length: parts }, (_, part) =>
          this.#attemptTwice('close', closed, (api) => task(api, part)),
        ),
      )
    if (!isBare) {
      const answers = await inParts((api, part) => api.close(sums, part, parts))
      if (answers.includes(false)) return false
      return answers.includes(CRASHED) ? null : true
    }
    const points = await inParts((api, part) => api.commitPart(sums, part, parts))
    if (points.some((point) => point === CRASHED)) return null
    const answer = await this.#attemptTwice('close', closed, (api) =>
      api.closeBare(sums, points as Uint8Array[]),
    )
    return answer === CRASHED ? null : answer
  }

  /**
   * After a crash each unit is tried once more, alone: it may be the one that crashes workers. None is where something is missing, nor one that nobody
   * waits for: there is nobody to make its bytes again.
   */
  #retryEach(units: readonly LentUnit[]): Promise<Outcome[]> {
    return Promise.all(
      units.map(async (unit): Promise<Outcome> => {
        if (unit.owner.isAbandoned) return null
        if (this.#unknown === missing) return missing
        this.#counters.retries++
        // Where there is no memory for its bytes, others may still have theirs.
        if (!(await unit.recall().catch(() => false))) return unit.owner.isAbandoned ? null : crashedOutcome
        const outcomes = await this.#verifyOnce([unit], retryOptions)
        if (outcomes === null) return this.#unknown
        const [confirmed] = await this.#confirm([unit], outcomes)
        return confirmed ?? crashedOutcome
      }),
    )
  }

  /** The outcomes, with each refusal confirmed or overruled by the baseline. */
  async #confirm(units: readonly LentUnit[], outcomes: readonly KzgOutcome[]): Promise<UnitOutcome[]> {
    if (!this.#kernel.needsConfirmation || outcomes.every((outcome) => outcome === 'valid'))
      return [...outcomes]
    if (!this.#kernel.hasBaseline || this.#commitments?.has('simd128') === false) this.#letOthersIn()
    return await Promise.all(
      outcomes.map((outcome, at) => (outcome === 'valid' ? outcome : this.#askBaseline(units[at]!))),
    )
  }

  /** The baseline's outcome for a unit that the fast kernel refused. */
  async #askBaseline(unit: LentUnit): Promise<UnitOutcome> {
    const confirmation = await this.#kernel.confirm(
      async (baseline) => {
        const trusted = this.#commitments === null ? baseline : await this.#commitments.baseline()
        if (trusted === null) return CRASHED
        return await this.#attemptTwice('kzg', [unit], async (api) =>
          first(await api.confirm([unit.bytes.slice()], trusted)),
        )
      },
      (outcome) => outcome === 'valid',
    )
    if (!has(confirmation, 'answer')) return crashedOutcome
    this.#counters.confirmations++
    if (confirmation.status === 'overruled') this.#counters.kernelDisagreements++
    return confirmation.answer
  }

  /** A task that is about some units, on a worker that has what the batch needs. */
  #attempt<T>(
    units: readonly LentUnit[],
    task: Task<T, VerifierApi>,
    options?: TaskOptions,
  ): Promise<T | Crashed> {
    return this.#run('kzg', units, task, (task) => this.#pool.attempt(task, options))
  }

  #attemptTwice<T>(
    stage: 'kzg' | 'close',
    units: readonly LentUnit[],
    task: Task<T, VerifierApi>,
  ): Promise<T | Crashed> {
    return this.#run(stage, units, task, (task) => this.#pool.attemptTwice(task, { urgent: true }))
  }

  #run<T>(
    stage: 'kzg' | 'close',
    units: readonly LentUnit[],
    task: Task<T, VerifierApi>,
    attempt: Attempt,
  ): Promise<T | Crashed> {
    const traced: Attempt = (task) => {
      this.#trace?.verify(task, stage, units)
      return attempt(task)
    }
    const onMissing = (cause: unknown): void => {
      this.#unknown = missing
      this.#onMissing(cause)
    }
    return (
      this.#commitments?.attempt(task, traced, this.#kernel, this.#letOthersIn, onMissing) ?? traced(task)
    )
  }
}

type Remote = Parameters<Task<unknown, VerifierApi>>[0]

/** An answer without an outcome would be a defect of the worker's, and must not be taken for one. */
function first(outcomes: readonly KzgOutcome[]): KzgOutcome {
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('the baseline gave no outcome')
  return outcome
}
