/**
 * The pool: tasks one at a time on each worker, urgent ones first, in order of arrival otherwise. It knows nothing of
 * what the tasks are about. Whoever was idle last is asked first.
 * With no workers, tasks run in the calling thread, one after the other, with a pause between them.
 */
import { platform } from '#platform'
import type { Remote } from 'comlink'
import { DisposedError } from '../errors.ts'
import type { WorkerBase } from './protocol.ts'
import { WorkerCrashed } from './crash.ts'
import type { Host } from './host.ts'
import { Life } from './life.ts'
import { type KernelModule, Slot } from './slot.ts'

/** A worker's interface as tasks see it, wherever they run. */
export type Task<T, A extends WorkerBase> = (api: Remote<A>) => PromiseLike<T>

/** How a task is to be run. */
export interface Terms {
  /** Before all that is not; default false. */
  readonly urgent?: boolean
  /** Only on a worker that answers a ping: after a crash, one that died at the same time may not have been noticed. */
  readonly careful?: boolean
  /** Only on this worker, from 0: where something is that the task can do better with. */
  readonly on?: number
}

/** How a task is tried once more: at once, on a worker that is known to be alive. */
export const again: Terms = { urgent: true, careful: true }

interface Waiting<A extends WorkerBase> {
  /** The only runner that may do it, if not any. */
  readonly only: Runner<A> | undefined
  /** Whether the runner has survived it. */
  run(runner: Runner<A>): Promise<boolean>
  drop(cause: Error): void
}

/** A slot, or the calling thread in its place. */
interface Runner<A extends WorkerBase> {
  readonly isResting: boolean
  start(): Promise<boolean>
  run<T>(task: Task<T, A>, careful: boolean): Promise<T>
  replaceKernel(kernel: KernelModule): void
  stop(cause: WorkerCrashed): void
}

export class Pool<A extends WorkerBase> {
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Called when a worker crashed, for the statistics. */
  onCrash: () => void = () => {}

  /** In the order in which they are asked. */
  readonly #idle: Runner<A>[]
  readonly #runners: readonly Runner<A>[]
  readonly #queue: Waiting<A>[] = []
  readonly #urgent: Waiting<A>[] = []
  #disposed = false
  /** Keeps Node alive while there is work: the workers alone do not. */
  #keepAlive: ReturnType<typeof setInterval> | undefined

  constructor(host: Host<A>, kernel: KernelModule, workers: number) {
    this.workers = workers
    this.#runners =
      workers === 0
        ? [callingThread(host, kernel)]
        : Array.from({ length: workers }, () => new Slot(host, kernel))
    this.#idle = [...this.#runners]
  }

  /** Starts all runners and waits for the first. Whether the kernel passes its probe there; throws if none starts. */
  async start(): Promise<boolean> {
    this.#stayAlive()
    try {
      return await Promise.any(this.#runners.map((runner) => runner.start()))
    } finally {
      this.#settle()
    }
  }

  /** Runs a task on the next idle runner. Rejects with `WorkerCrashed` or `DisposedError`, or not at all. */
  run<T>(task: Task<T, A>, terms: Terms = {}): Promise<T> {
    const { on } = terms
    return this.#enqueue(task, terms, on === undefined ? undefined : this.#runners[on % this.#runners.length])
  }

  /** A task's result, or null if its worker crashed. Rejects with `DisposedError` alone. */
  async attempt<T>(task: Task<T, A>, terms: Terms = {}): Promise<T | null> {
    try {
      return await this.run(task, terms)
    } catch (error) {
      if (error instanceof DisposedError) throw error
      return null
    }
  }

  /** The same, tried once more where its worker crashed: null if two in a row did. */
  async attemptTwice<T>(task: Task<T, A>, terms: Terms = {}): Promise<T | null> {
    return (await this.attempt(task, terms)) ?? (await this.attempt(task, again))
  }

  #enqueue<T>(
    task: Task<T, A>,
    { urgent = false, careful = false }: Terms,
    only: Runner<A> | undefined,
  ): Promise<T> {
    if (this.#disposed) return Promise.reject(new DisposedError())
    return new Promise<T>((resolve, reject) => {
      const queue = urgent ? this.#urgent : this.#queue
      queue.push({
        only,
        run: async (runner) => {
          try {
            resolve(await runner.run(task, careful))
            return true
          } catch (error) {
            if (this.#disposed) {
              reject(new DisposedError())
            } else {
              this.onCrash()
              reject(error instanceof Error ? error : new WorkerCrashed(String(error)))
            }
            return false
          }
        },
        drop: reject,
      })
      this.#pump()
    })
  }

  /** Runs a task once on every runner, each when it is idle. A runner that crashes of it is passed over. */
  async runOnAll(task: Task<void, A>): Promise<void> {
    const runs = this.#runners.map((runner) => this.#enqueue(task, {}, runner))
    for (const run of await Promise.allSettled(runs)) {
      if (run.status === 'rejected' && run.reason instanceof DisposedError) throw run.reason
    }
  }

  replaceKernel(kernel: KernelModule): void {
    for (const runner of this.#runners) runner.replaceKernel(kernel)
  }

  dispose(): void {
    this.#disposed = true
    for (const waiting of [...this.#urgent.splice(0), ...this.#queue.splice(0)])
      waiting.drop(new DisposedError())
    for (const runner of this.#runners) runner.stop(new WorkerCrashed('disposed of'))
    this.#settle()
  }

  /**
   * Whoever was idle last has its memory at hand, and most likely a core to itself: that of one who has waited for longer
   * may be the core on which this thread was woken.
   */
  #pump(): void {
    for (const runner of [...this.#idle]) {
      const waiting = this.#take(this.#urgent, runner) ?? this.#take(this.#queue, runner)
      if (waiting === undefined) continue
      this.#idle.splice(this.#idle.indexOf(runner), 1)
      this.#stayAlive()
      void waiting.run(runner).then((lives) => {
        if (lives) this.#idle.unshift(runner)
        else this.#idle.push(runner) // it would have to be started first
        this.#pump()
        this.#settle()
      })
    }
  }

  /** Takes from a queue the first task that the runner may do. */
  #take(queue: Waiting<A>[], runner: Runner<A>): Waiting<A> | undefined {
    const at = queue.findIndex(({ only }) => (only === undefined ? this.#mayDo(runner) : only === runner))
    return at < 0 ? undefined : queue.splice(at, 1)[0]
  }

  /** One whose worker does not start fails at once, and would take task after task from those that do them. */
  #mayDo(runner: Runner<A>): boolean {
    return !runner.isResting || this.#runners.every(({ isResting }) => isResting)
  }

  #stayAlive(): void {
    this.#keepAlive ??= setInterval(() => {}, 2 ** 30)
  }

  #settle(): void {
    if (this.#disposed || this.#idle.length === this.#runners.length) {
      clearInterval(this.#keepAlive)
      this.#keepAlive = undefined
    }
  }
}

/** The calling thread in a worker's place. A trap revives the instance; the task that trapped has crashed. */
function callingThread<A extends WorkerBase>(host: Host<A>, kernel: KernelModule): Runner<A> {
  const tasks = host.inline()
  const life = new Life()
  const setUp = async (wanted: KernelModule): Promise<boolean> =>
    await (await tasks).setUp({ ...wanted, lifeline: null })
  let ready = setUp(kernel)
  return {
    isResting: false,
    start: () => ready,
    async run(task) {
      try {
        await ready
        // So that a page can paint and a signal can be aborted between two tasks.
        await life.outlast(platform.turn())
        return await life.outlast(task((await tasks) as unknown as Remote<A>))
      } catch (cause) {
        throw cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      }
    },
    replaceKernel: (next) => void (ready = setUp(next)),
    stop: (cause) => life.end(cause),
  }
}
