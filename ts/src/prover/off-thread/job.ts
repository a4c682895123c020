/** One call's tasks in the pool: none begins once its signal is aborted, and each is tried twice if its worker dies. */
import type { Remote } from 'comlink'
import { KzgInputError } from '../../kzg/errors.ts'
import { CRASHED } from '../../runtime/errors.ts'
import { type Pool, retryOptions, type TaskOptions } from '../../runtime/pool/pool.ts'
import { SetupUnavailableError } from '../errors.ts'
import type { Outcome, ProverApi } from '../worker/protocol.ts'

type Done<T> = { readonly value: T } | 'left' | 'refused'

export class Job {
  readonly #pool: Pool<ProverApi>
  /** Those that the tasks need. */
  readonly #halves: readonly Uint8Array[]
  readonly #signal: AbortSignal | undefined

  constructor(pool: Pool<ProverApi>, halves: readonly Uint8Array[], signal: AbortSignal | undefined) {
    this.#pool = pool
    this.#halves = halves
    this.#signal = signal
  }

  /**
   * Runs a task, on a worker that has the setup by then. Rejects with `WorkerCrashed` after two attempts, the signal's reason,
   * `DisposedError` and `SetupUnavailableError`.
   */
  async run<T>(task: (api: Remote<ProverApi>) => PromiseLike<T>, options?: TaskOptions): Promise<T> {
    // Returned, not thrown: what throws in a task is taken for a crash.
    const guarded = async (api: Remote<ProverApi>): Promise<Done<T>> => {
      if (this.#signal?.aborted) return 'left'
      if (!(await this.#supply(api))) return 'refused'
      return { value: await task(api) }
    }
    const attempted = await this.#pool.attempt(guarded, options)
    const done = attempted === CRASHED ? await this.#pool.run(guarded, retryOptions) : attempted
    if (done === 'left') throw this.#signal!.reason
    if (done === 'refused') throw new SetupUnavailableError("it is not Ethereum's")
    return done.value
  }

  /** Runs a task that answers with bytes, or with what is wrong with its input. */
  async ask(
    task: (api: Remote<ProverApi>) => PromiseLike<Outcome>,
    options?: TaskOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const outcome = await this.run(task, options)
    if ('code' in outcome) throw new KzgInputError(outcome.code, outcome.index)
    return outcome.value
  }

  async #supply(api: Remote<ProverApi>): Promise<boolean> {
    if (this.#halves.length === 0) return true
    for (let half = await api.halves(); half < this.#halves.length; half++) {
      if (!(await api.give(half, this.#halves[half]!))) return false
    }
    return true
  }
}
