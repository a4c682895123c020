/**
 * The pool: tasks in order of arrival, one at a time on each worker. It knows nothing of what the tasks are about.
 * With no workers, tasks run in the calling thread, one after the other, with a pause between them.
 */
import type { Remote } from 'comlink'
import { DisposedError } from '../errors.ts'
import { WorkerCrashed } from './crash.ts'
import type { WorkerApi } from './protocol.ts'
import { type KernelModule, Slot } from './slot.ts'
import { createTasks } from './tasks.ts'

/** A worker's interface as tasks see it, wherever they run. */
export type Api = Remote<WorkerApi>
export type Task<T> = (api: Api) => PromiseLike<T>

interface Waiting {
  run(slot: Runner): Promise<void>
  drop(cause: Error): void
}

/** A slot, or the calling thread in its place. */
interface Runner {
  start(): Promise<boolean>
  run<T>(task: Task<T>): Promise<T>
  replaceKernel(kernel: KernelModule): void
  stop(cause: WorkerCrashed): void
}

export class Pool {
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Called when a worker crashed, for the statistics. */
  onCrash: () => void = () => {}
  /** Called when a runner has become idle. */
  onIdle: () => void = () => {}

  readonly #idle: Runner[]
  readonly #runners: readonly Runner[]
  readonly #queue: Waiting[] = []
  #disposed = false
  /** Keeps Node alive while there is work: the workers alone do not. */
  #keepAlive: ReturnType<typeof setInterval> | undefined

  constructor(kernel: KernelModule, workers: number, url: URL | undefined) {
    this.workers = workers
    this.#runners = workers === 0 ? [callingThread(kernel)] : Array.from({ length: workers }, () => new Slot(kernel, url))
    this.#idle = [...this.#runners]
  }

  /** Runners that could start a task now. */
  get idle(): number {
    return this.#queue.length > 0 ? 0 : this.#idle.length
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
  run<T>(task: Task<T>): Promise<T> {
    if (this.#disposed) return Promise.reject(new DisposedError())
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run: async (runner) => {
          try {
            resolve(await runner.run(task))
          } catch (error) {
            if (this.#disposed) return reject(new DisposedError())
            this.onCrash()
            reject(error instanceof Error ? error : new WorkerCrashed(String(error)))
          }
        },
        drop: reject,
      })
      this.#pump()
    })
  }

  /** Runs a task once on every runner, each when it is idle. */
  async runOnAll(task: Task<void>): Promise<void> {
    // Each run holds its runner until all have one, so that none gets the task twice.
    let arrived = 0
    let release!: () => void
    const all = new Promise<void>((resolve) => (release = resolve))
    const once: Task<void> = async (api) => {
      if (++arrived === this.#runners.length) release()
      await task(api)
      await all
    }
    await Promise.all(this.#runners.map(() => this.run(once).catch((error: unknown) => {
      if (++arrived >= this.#runners.length) release()
      if (error instanceof DisposedError) throw error
    })))
  }

  replaceKernel(kernel: KernelModule): void {
    for (const runner of this.#runners) runner.replaceKernel(kernel)
  }

  dispose(): void {
    this.#disposed = true
    for (const waiting of this.#queue.splice(0)) waiting.drop(new DisposedError())
    for (const runner of this.#runners) runner.stop(new WorkerCrashed('disposed of'))
    this.#settle()
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const runner = this.#idle.shift()
      const waiting = this.#queue.shift()
      if (runner === undefined || waiting === undefined) return
      this.#stayAlive()
      void waiting.run(runner).finally(() => {
        this.#idle.push(runner)
        this.#pump()
        this.#settle()
        this.onIdle()
      })
    }
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
function callingThread(kernel: KernelModule): Runner {
  const tasks = createTasks('revive')
  const { terminated, stop } = termination()
  let ready = tasks.setUp({ ...kernel, lifeline: null })
  return {
    start: () => ready,
    async run(task) {
      await ready
      // A macrotask, so that a page can paint and a signal can be aborted between two tasks.
      await new Promise((resolve) => setTimeout(resolve))
      try {
        return await Promise.race([task(tasks as unknown as Api), terminated])
      } catch (cause) {
        throw cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      }
    },
    replaceKernel: (next) => void (ready = tasks.setUp({ ...next, lifeline: null })),
    stop,
  }
}

function termination(): { terminated: Promise<never>; stop: (cause: WorkerCrashed) => void } {
  let stop!: (cause: WorkerCrashed) => void
  const terminated = new Promise<never>((_, reject) => (stop = reject))
  terminated.catch(() => {})
  return { terminated, stop }
}
