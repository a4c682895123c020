/** One place in the pool, where one task is done at a time: a worker, which is replaced when it dies. */
import { platform } from '#platform'
import { WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import { PoolWorker } from './pool-worker.ts'
import type { Host, WorkerBase } from './protocol.ts'
import type { Runner, Task } from './runner.ts'

/** A task that is silent for this long is taken for dead. Groups are bounded, so that an honest one is far below. */
const TASK_SILENCE_MS = 120_000

/** A place whose worker did not start is left alone for this long, if there are others. */
const REST_MS = 5_000

/** An idle worker that is silent for this long when it is asked for a sign of life is taken for dead. */
const PING_MS = 5_000

/** A place for a worker. */
export class Slot<A extends WorkerBase> implements Runner<A> {
  readonly #host: Host<A>
  readonly #unsound: () => Promise<void>
  #kernel: KernelModule
  #worker: PoolWorker<A> | undefined
  /** Why there is to be no worker any more. */
  #end: WorkerCrashed | undefined
  #restUntil = Number.NEGATIVE_INFINITY

  /** `unsound` is called where a task finds a kernel that has failed its probe in this place: it may put another in its place. */
  constructor(host: Host<A>, kernel: KernelModule, unsound: () => Promise<void>) {
    this.#host = host
    this.#kernel = kernel
    this.#unsound = unsound
  }

  get isAway(): boolean {
    return this.#worker ? !this.#worker.isReady : performance.now() < this.#restUntil
  }

  async start(heard: () => void): Promise<boolean> {
    const worker = this.#occupied(heard)
    return await worker.outlast(worker.ready)
  }

  /** Runs a task. Any failure of it is a crash: tasks do not throw, whatever the data. */
  async run<T>(task: Task<T, A>, pingFirst: boolean): Promise<T> {
    if (pingFirst) await this.#ping()
    const worker = this.#occupied()
    let answered = (): void => {}
    try {
      // Not a turn later: whoever asks for it may go on with other work at once, and the worker would wait for that.
      if (!worker.isReady) await worker.outlast(worker.ready)
      if (!worker.isSound) {
        await worker.outlast(this.#unsound())
        throw new WorkerCrashed("the kernel's own probe failed")
      }
      answered = dieAfter(worker, TASK_SILENCE_MS, 'answer')
      return await worker.outlast(task(worker.api))
    } catch (cause) {
      const crash = cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      worker.die(crash)
      throw crash
    } finally {
      answered()
    }
  }

  /** A task that the worker is at is finished first: it is not its fault. */
  replaceKernel(kernel: KernelModule): void {
    this.#kernel = kernel
  }

  stop(cause: WorkerCrashed): void {
    this.#end = cause
    this.#worker?.die(cause)
  }

  /** Sees to it that the worker, if there is one, is alive, or is known to be dead. */
  async #ping(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    const answered = dieAfter(worker, PING_MS, 'ping')
    try {
      await worker.ping()
    } catch {
      // The next one to live here is asked.
    } finally {
      answered()
    }
  }

  /** The worker of this place, of the present kernel: it is started where there is none. */
  #occupied(heard?: () => void): PoolWorker<A> {
    if (this.#end !== undefined) throw this.#end
    if (this.#worker !== undefined && this.#worker.kernel !== this.#kernel)
      this.#worker.die(new WorkerCrashed('the kernel was replaced'))
    if (this.#worker === undefined) {
      const worker = new PoolWorker(
        this.#host,
        this.#kernel,
        () => {
          this.#restUntil = worker.isReady ? Number.NEGATIVE_INFINITY : performance.now() + REST_MS
          this.#worker = undefined
        },
        heard,
      )
      this.#worker = worker
    }
    return this.#worker
  }
}

/** Ends a worker that is silent for so many milliseconds, unless what it returns is called before. */
function dieAfter<A extends WorkerBase>(worker: PoolWorker<A>, ms: number, what: string): () => void {
  return platform.after(ms, () => worker.die(new WorkerCrashed(`no ${what} in ${ms} ms`)))
}
