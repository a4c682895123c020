/**
 * The pool: tasks one at a time on each worker, urgent ones first, in order of arrival otherwise. It knows nothing of
 * what the tasks are about. Whoever was idle last is asked first.
 * With no workers, tasks run in the calling thread, one after the other, with a pause between them.
 */
import { platform } from '#platform'
import { CRASHED, type Crashed, DisposedError, WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import type { Host, WorkerBase } from './protocol.ts'
import { afterSilence } from './silence.ts'
import { callingThread } from './calling-thread.ts'
import type { Runner, Task } from './runner.ts'
import { Slot } from './slot.ts'

export type { Task } from './runner.ts'

/** How a task is to be run. */
export interface TaskOptions {
  /** Before all tasks that are not urgent; default false. */
  readonly urgent?: boolean
  /** Only on a worker that answers a ping: after a crash, one that died at the same time may not have been noticed. */
  readonly pingFirst?: boolean
  /** Only on this worker, from 0: where something is that the task can do better with. */
  readonly on?: number
}

/** How a task is tried once more after a crash: at once, on a worker that is known to be alive. */
export const retryOptions: TaskOptions = { urgent: true, pingFirst: true }

/**
 * How long all workers may be silent when they are started, in milliseconds. One needs some tens to load its script and answer, and seconds over
 * a slow network or on a busy machine. A script that a bundler has emptied, which never answers, is noticed just as well after ten.
 */
const START_SILENCE_MS = 10_000
const SILENT = `the script has said nothing in ${START_SILENCE_MS} ms: a bundler may have emptied it`

interface Waiting<A extends WorkerBase> {
  /** The only runner that may do it, if not any. */
  readonly only: Runner<A> | undefined
  /** Whether the runner has survived it. */
  run(runner: Runner<A>): Promise<boolean>
  drop(cause: Error): void
}

/** Does tasks on workers; made by `startPool`. */
export class Pool<A extends WorkerBase> {
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Called when a worker crashed, for the statistics. */
  onCrash: () => void = () => {}
  /** Called with the cause when a worker crashed for the first time, for whoever looks for it. */
  onFirstCrash: ((cause: Error) => void) | undefined
  /**
   * Called when a task finds that the kernel has failed its probe on its worker: one that took a dead one's place, or that was not the first to
   * start. The task crashes when this has resolved; the next one has whatever kernel is there by then.
   */
  onUnsound: () => Promise<void> = async () => {}
  /** Called when no runner has anything to do any more, after tasks that were asked for. */
  onIdle: () => void = () => {}
  /**
   * Called when a task is handed to a runner, with the runner's number from 0. What it returns is called when the task has ended, well or
   * not, before whoever waits for its result goes on.
   */
  onTask: ((task: object, runner: number) => (() => void) | undefined) | undefined

  /** In the order in which they are asked. */
  readonly #idle: Runner<A>[]
  readonly #runners: readonly Runner<A>[]
  readonly #queue: Waiting<A>[] = []
  readonly #urgent: Waiting<A>[] = []
  #disposed = false
  /** Whether nothing was asked for yet. */
  #isUnused = true
  /** Keeps Node alive while there is work: the workers alone do not. */
  #keepAlive: (() => void) | undefined

  constructor(host: Host<A>, kernel: KernelModule, workers: number) {
    this.workers = workers
    this.#runners =
      workers === 0
        ? [callingThread(host, kernel)]
        : Array.from({ length: workers }, () => new Slot(host, kernel, () => this.onUnsound()))
    this.#idle = [...this.#runners]
  }

  /**
   * Starts all runners and waits for the first. Whether the kernel passes its probe there. Throws if none starts, and if none of their
   * scripts says anything: a bundler may have left nothing of it (`sideEffects: false`), and nobody is told of that.
   */
  async start(): Promise<boolean> {
    this.#stayAlive()
    let heard = (): void => {}
    try {
      return await new Promise((resolve, reject) => {
        heard = afterSilence(START_SILENCE_MS, () => reject(new WorkerCrashed(SILENT)))
        // What is left for others while it starts may be its own then.
        const start = (runner: Runner<A>): Promise<boolean> => runner.start(heard).finally(() => this.#pump())
        Promise.any(this.#runners.map(start)).then(resolve, reject)
      })
    } finally {
      heard()
      this.#settle()
    }
  }

  /** Runs a task on the next idle runner. Rejects with `WorkerCrashed` or `DisposedError`, and with nothing else. */
  run<T>(task: Task<T, A>, options: TaskOptions = {}): Promise<T> {
    const { on } = options
    this.#isUnused = false
    return this.#enqueue(
      task,
      options,
      on === undefined ? undefined : this.#runners[on % this.#runners.length],
    )
  }

  /** A task's result, where its worker crashed that of a second attempt. Rejects as `run` does. */
  async runTwice<T>(task: Task<T, A>, options: TaskOptions = {}): Promise<T> {
    const result = await this.attempt(task, options)
    return result === CRASHED ? await this.run(task, retryOptions) : result
  }

  /** A task's result, or `CRASHED` if its worker crashed. Rejects with `DisposedError` alone. */
  attempt<T>(task: Task<T, A>, options: TaskOptions = {}): Promise<T | Crashed> {
    return orCrashed(this.run(task, options))
  }

  /** As `runTwice`, or `CRASHED` if two workers in a row crashed. Rejects with `DisposedError` alone. */
  attemptTwice<T>(task: Task<T, A>, options: TaskOptions = {}): Promise<T | Crashed> {
    return orCrashed(this.runTwice(task, options))
  }

  #enqueue<T>(
    task: Task<T, A>,
    { urgent = false, pingFirst = false }: TaskOptions,
    only: Runner<A> | undefined,
  ): Promise<T> {
    if (this.#disposed) return Promise.reject(new DisposedError())
    return new Promise<T>((resolve, reject) => {
      const queue = urgent ? this.#urgent : this.#queue
      queue.push({
        only,
        run: async (runner) => {
          const ended = this.onTask?.(task, this.#runners.indexOf(runner))
          try {
            resolve(await runner.run(task, pingFirst))
            return true
          } catch (error) {
            if (this.#disposed) {
              reject(new DisposedError())
            } else {
              const crash = error instanceof Error ? error : new WorkerCrashed(String(error))
              this.onCrash()
              this.onFirstCrash?.(crash)
              this.onFirstCrash = undefined
              reject(crash)
            }
            return false
          } finally {
            ended?.()
          }
        },
        drop: reject,
      })
      this.#pump()
    })
  }

  /** Runs a task once on every runner, each when it is idle. A runner that crashes of it is passed over. */
  async runOnAll(task: Task<void, A>): Promise<void> {
    this.#isUnused = false
    const runs = this.#runners.map((runner) => this.#enqueue(task, {}, runner))
    for (const run of await Promise.allSettled(runs)) {
      if (run.status === 'rejected' && run.reason instanceof DisposedError) throw run.reason
    }
  }

  /**
   * Has the workers do something that nobody waits for, one after the other, each in steps until one answers true. The first task that is
   * asked for ends it, and waits for a step at the most, if at all: the other workers are idle.
   */
  async rehearse(step: Task<boolean, A>): Promise<void> {
    try {
      // Who asks at once has no time for it.
      await platform.turn()
      // The last one first: so it is idle for longest when there is a task, and it is asked last.
      for (const runner of [...this.#runners].reverse())
        while (this.#isUnused && !(await this.#enqueue(step, {}, runner)));
    } catch {
      // It crashed, or the pool was disposed of.
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
      // A task that enqueues others as it begins has them given out before this loop goes on.
      const at = this.#idle.indexOf(runner)
      if (at < 0) continue
      const waiting = this.#take(this.#urgent, runner) ?? this.#take(this.#queue, runner)
      if (waiting === undefined) continue
      this.#idle.splice(at, 1)
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

  /**
   * One whose worker does not start fails at once, and would take task after task from those that do them. One that is still to start may
   * stall for as long as the network does.
   */
  #mayDo(runner: Runner<A>): boolean {
    return !runner.isAway || this.#runners.every(({ isAway }) => isAway)
  }

  #stayAlive(): void {
    this.#keepAlive ??= platform.every(2 ** 30, () => {})
  }

  #settle(): void {
    if (this.#disposed || this.#idle.length === this.#runners.length) {
      this.#keepAlive?.()
      this.#keepAlive = undefined
      if (!this.#disposed && !this.#isUnused) this.onIdle()
    }
  }
}

/** What a task of a pool resolves to, or `CRASHED` where its worker crashed. */
async function orCrashed<T>(result: Promise<T>): Promise<T | Crashed> {
  try {
    return await result
  } catch (error) {
    if (error instanceof DisposedError) throw error
    return CRASHED
  }
}
