/**
 * From units to outcomes. What is queued becomes a batch as soon as there are few enough of them under way; meanwhile it
 * gathers, and shares a pairing (`batch-run.ts`).
 *
 * A batch takes its turn in the pool behind the checks that were there before it, so that copies of its units which are
 * being checked can still join, and their senders be named; but not behind those that come after it, so that a flood of
 * items cannot keep those that passed from their verdict. What a batch needs once it has begun goes first. A batch that waits for
 * the network, which may never answer, is none of those under way.
 */
import { DisposedError } from '../../runtime/errors.ts'
import type { VerifierPool } from '../worker/protocol.ts'
import { Once } from '../../util/once.ts'
import { crashedOutcome, type UnitOutcome } from '../../verdict/verdict.ts'
import type { Counters } from '../stats.ts'
import { isBare } from '../checks/protocol.ts'
import { type BatchContext, BatchRun, missing } from './batch-run.ts'
import type { CommitmentKernels } from './commitment-kernels.ts'
import { type BatchUnit, LentUnit, separateBuffers } from './lent-buffers.ts'

/** A unit that waits for its batch, and the promise of whoever queued it. */
interface QueuedUnit {
  readonly unit: BatchUnit
  readonly resolve: (outcome: UnitOutcome | null) => void
  readonly reject: (cause: Error) => void
}

/** Verifies units in batches, on the pool's workers. */
export class Batcher {
  readonly #context: BatchContext
  readonly #pool: VerifierPool
  readonly #counters: Counters
  /** The kernels of commitments. */
  readonly commitments: Once<CommitmentKernels>
  #queue: QueuedUnit[] = []
  #scheduled = false
  #underWay = 0

  /** `start` is asked for the kernels of commitments when the first blob without a proof is to be verified, and again where it failed. */
  constructor(context: BatchContext, start: () => Promise<CommitmentKernels>) {
    this.#context = context
    this.#pool = context.pool
    this.#counters = context.counters
    this.commitments = new Once(start)
  }

  /**
   * Verifies units together with all that is queued beside them. Returns an outcome for each, or null where nobody waited for it any
   * more when its turn came, or when it was to be tried again after a crash: its bytes may be lost then. Rejects with `DisposedError` alone.
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
    // Not queueMicrotask, which some sandboxes lack.
    void Promise.resolve().then(() => {
      this.#scheduled = false
      const batch = this.#queue.filter(({ unit, resolve }) => {
        if (unit.isAbandoned) resolve(null)
        return !unit.isAbandoned
      })
      this.#queue = []
      // Apart: bare blobs share no sum with units that have proofs, and nobody is to wait for their setup but they.
      const bare = batch.filter(({ unit }) => isBare(unit.unit.kind))
      const proven = batch.filter(({ unit }) => !isBare(unit.unit.kind))
      // They may lie in one buffer, which only one of the two batches can send to a worker.
      separateBuffers([proven, bare].map((units) => units.map(({ unit }) => new LentUnit(unit))))
      if (proven.length > 0) void this.#verify(proven, null)
      if (bare.length > 0) void this.#verifyBare(bare)
    })
  }

  /**
   * Verifies bare blobs where all is there that they need. Else that is loaded, which may take as long as the network does, and they are
   * queued again: some callers may have left by then.
   */
  async #verifyBare(bare: readonly QueuedUnit[]): Promise<void> {
    const { name } = this.#context.kernel.current
    const { made } = this.commitments
    if (made?.has(name)) return await this.#verify(bare, made)
    try {
      await (await this.commitments.get()).load(name)
    } catch (cause) {
      // Nobody is told of what nobody waits for, as after the verifier's disposal.
      if (!bare.every(({ unit }) => unit.isAbandoned)) this.#context.onMissing(cause)
      for (const { resolve } of bare) resolve(missing)
      return
    }
    this.#queue = this.#queue.concat(bare)
    this.#schedule()
  }

  async #verify(batch: readonly QueuedUnit[], commitments: CommitmentKernels | null): Promise<void> {
    this.#counters.kzgBatches++
    this.#counters.kzgItems += batch.length
    this.#underWay++
    let place = 1
    const letOthersIn = (): void => {
      this.#underWay -= place
      place = 0
      this.#schedule()
    }
    try {
      const run = new BatchRun(this.#context, commitments, letOthersIn)
      const outcomes = await run.outcomes(batch.map(({ unit }) => unit))
      batch.forEach(({ resolve }, at) => {
        const outcome = outcomes[at]
        resolve(outcome === undefined ? crashedOutcome : outcome)
      })
    } catch (cause) {
      // Disposed of: nothing else gets out of the attempts in `batch-run.ts`.
      const reason = cause instanceof Error ? cause : new DisposedError()
      for (const { reject } of batch) reject(reason)
    } finally {
      letOthersIn()
    }
  }
}
