/** One call of a prover off the calling thread: its options, once they are known to make sense, its progress, and its tasks. */
import type { Remote } from '../vendor/comlink.ts'
import { type Given, inputError } from '../kzg/input-words.ts'
import { WorkerCrashed } from '../runtime/errors.ts'
import { type Pool, retryOptions, type TaskOptions } from '../runtime/pool/pool.ts'
import { notify } from '../util/notify.ts'
import { type ProverCallOptions, type ProverProgress, readCallOptions } from './options.ts'
import { SetupUnavailableError } from './setup.ts'
import type { WorkerTables } from './tables/worker-tables.ts'
import type { ProofOutcome, ProverApi } from './worker/protocol.ts'

/** A call's options, read. */
export interface Call {
  readonly signal: AbortSignal | undefined
  /** To be set when the call has ended, well or not: the tasks that it still has are for nobody then, and nobody is told of them. */
  isOver: boolean
  /** For a stage of `total` steps: what reports to the caller that so many more are done. */
  readonly progress: (stage: ProverProgress['stage'], total: number) => (more: number) => void
}

/** Reads a call's options. Throws `TypeError` where they make no sense. */
export function readCall(options?: ProverCallOptions): Call {
  const { signal, onProgress } = readCallOptions(options)
  const call: Call = {
    signal,
    isOver: false,
    progress(stage, total) {
      let done = 0
      return (more) => {
        done += more
        if (!call.isOver) notify(onProgress, { stage, done, total }, signal)
      }
    },
  }
  return call
}

/** What became of a task: its value, or why it was not begun. */
type Begun<T> = { readonly value: T } | 'aborted' | 'no-setup'

/** One call's tasks in the pool: none begins once its signal is aborted or it has ended, and each is tried twice if its worker dies. */
export class CallTasks {
  readonly #pool: Pool<ProverApi>
  /** Those that the tasks need. */
  readonly #halves: readonly Uint8Array[]
  readonly #call: Call
  readonly #tables: WorkerTables | null

  constructor(pool: Pool<ProverApi>, halves: readonly Uint8Array[], call: Call, tables: WorkerTables | null) {
    this.#pool = pool
    this.#halves = halves
    this.#call = call
    this.#tables = tables
  }

  /**
   * Runs a task, on a worker that has the setup by then. Rejects with `WorkerCrashed` after two attempts, and one more where the tables were given
   * up with the second, the signal's reason, `DisposedError` and `SetupUnavailableError`.
   */
  async run<T>(task: (api: Remote<ProverApi>) => PromiseLike<T>, options?: TaskOptions): Promise<T> {
    const tables = this.#tables
    let worker: Remote<ProverApi> | undefined
    let hadTables = false
    const crashed = (): void => {
      if (worker !== undefined) tables?.lose(worker)
    }
    // Returned, not thrown: what throws in a task is taken for a crash.
    const guarded = async (api: Remote<ProverApi>): Promise<Begun<T>> => {
      // The one of the attempt before, where there was one.
      crashed()
      worker = api
      hadTables = !!tables?.shape
      if (this.#call.isOver || this.#call.signal?.aborted) return 'aborted'
      if (!(await this.#giveSetup(api))) return 'no-setup'
      return { value: await task(api) }
    }
    const done = await this.#pool.runTwice(guarded, options).catch(async (error: unknown) => {
      if (!(error instanceof WorkerCrashed)) throw error
      crashed()
      if (!hadTables || tables?.shape) throw error
      return await this.#pool.run(guarded, retryOptions)
    })
    // Where the call has ended, nobody hears of it.
    if (done === 'aborted') throw this.#call.signal?.reason
    if (done === 'no-setup') throw new SetupUnavailableError("it is not Ethereum's")
    return done.value
  }

  /** Runs a task that answers with bytes, or with what is wrong with its input, which is put into words about what was given. */
  async ask(
    task: (api: Remote<ProverApi>) => PromiseLike<ProofOutcome>,
    options?: TaskOptions,
    given?: Given,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const outcome = await this.run(task, options)
    if ('code' in outcome) throw inputError(outcome.code, outcome.index, outcome.field, given)
    return outcome.value
  }

  async #giveSetup(api: Remote<ProverApi>): Promise<boolean> {
    if (this.#halves.length === 0) return true
    for (let half = await api.halves(); half < this.#halves.length; half++) {
      if (!(await api.give(half, this.#halves[half]!))) return false
    }
    return true
  }
}
