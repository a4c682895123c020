/**
 * One place in the pool: a worker that does one task at a time, and is replaced when it dies. Every task settles: with
 * its result, or with `WorkerCrashed`.
 */
import { type Remote, releaseProxy, wrap } from 'comlink'
import type { WorkerThread } from '../platform/platform.ts'
import type { KernelName } from '../kernel/kernel.ts'
import type { WorkerBase } from './protocol.ts'
import { WorkerCrashed } from './crash.ts'
import type { Host } from './host.ts'
import { Life } from './life.ts'
import { createLifeline, type Lifeline } from './lifeline.ts'

/** A task that is silent for this long is taken for dead. Groups are bounded, so that an honest one is far below. */
const SILENCE_MS = 120_000

/** A worker that has not been set up for this long is taken for dead: nothing tells of one that dies before its lock. */
const START_MS = 30_000

/** A place whose worker did not start is left alone for this long, if there are others. */
const REST_MS = 5_000

/** An idle worker that is silent for this long when it is asked for a sign of life is taken for dead. */
const PING_MS = 5_000

/** The kernel that a worker is set up with. */
export interface KernelModule {
  readonly kernel: KernelName
  readonly module: WebAssembly.Module
}

interface Living<A> {
  readonly kernel: KernelModule
  readonly thread: WorkerThread
  /** Held here for as long as the worker lives: Comlink closes the wire when a proxy is collected. */
  readonly api: Remote<A>
  readonly lifeline: Lifeline | null
  /** Resolves with the kernel's own probe once the worker is set up. */
  readonly ready: Promise<boolean>
  /** Whether it has. */
  readonly isReady: () => boolean
  readonly life: Life
  readonly die: (cause: WorkerCrashed) => void
}

export class Slot<A extends WorkerBase> {
  readonly #host: Host<A>
  #kernel: KernelModule
  #living: Living<A> | undefined
  /** Why there is to be no worker any more. */
  #end: WorkerCrashed | undefined
  #restUntil = Number.NEGATIVE_INFINITY

  constructor(host: Host<A>, kernel: KernelModule) {
    this.#host = host
    this.#kernel = kernel
  }

  /** Whether the last worker here did not start, so that others should be asked first. */
  get isResting(): boolean {
    return performance.now() < this.#restUntil
  }

  /** Starts the worker if there is none; whether its kernel passes its probe there. */
  async start(): Promise<boolean> {
    const living = this.#live()
    return await living.life.outlast(living.ready)
  }

  /** Runs a task. Any failure of it is a crash: tasks do not throw, whatever the data. */
  async run<T>(task: (api: Remote<A>) => PromiseLike<T>, careful = false): Promise<T> {
    if (careful) await this.#ping()
    const living = this.#live()
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      // Not a turn later: whoever asks for it may go on with other work at once, and the worker would wait for that.
      if (!living.isReady()) await living.life.outlast(living.ready)
      timer = setTimeout(() => living.die(new WorkerCrashed(`no answer in ${SILENCE_MS} ms`)), SILENCE_MS)
      return await living.life.outlast(task(living.api))
    } catch (cause) {
      const crash = cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      living.die(crash)
      throw crash
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sees to it that the worker, if there is one, is alive, or is known to be dead. */
  async #ping(): Promise<void> {
    const living = this.#living
    if (living === undefined) return
    const timer = setTimeout(() => living.die(new WorkerCrashed(`no ping in ${PING_MS} ms`)), PING_MS)
    try {
      await living.life.outlast(living.ready.then(() => base(living.api).ping()))
    } catch {
      // The next one to live here is asked.
    } finally {
      clearTimeout(timer)
    }
  }

  /** Uses another kernel from the next task on. The present one is finished: it is not its fault. */
  replaceKernel(kernel: KernelModule): void {
    this.#kernel = kernel
  }

  /** Ends the worker, for good; a task that it is at rejects with `cause`. */
  stop(cause: WorkerCrashed): void {
    this.#end = cause
    this.#living?.die(cause)
  }

  #live(): Living<A> {
    if (this.#end !== undefined) throw this.#end
    if (this.#living !== undefined && this.#living.kernel !== this.#kernel)
      this.#living.die(new WorkerCrashed('the kernel was replaced'))
    this.#living ??= this.#spawn()
    return this.#living
  }

  #spawn(): Living<A> {
    const kernel = this.#kernel
    const lifeline = createLifeline()
    let started = false
    let thread: WorkerThread | undefined
    let api: Remote<A> | undefined
    const life = new Life()
    let alive = true
    const die = (cause: WorkerCrashed): void => {
      if (!alive) return // killing a worker makes it die once more
      alive = false
      clearTimeout(timer)
      if (!started) this.#restUntil = performance.now() + REST_MS
      if (this.#living?.life === life) this.#living = undefined
      lifeline?.cut()
      if (api !== undefined) base(api)[releaseProxy]()
      thread?.terminate()
      life.end(cause)
    }
    const timer = setTimeout(
      () => die(new WorkerCrashed(`the worker did not start in ${START_MS} ms`)),
      START_MS,
    )
    try {
      thread = this.#host.spawn()
    } catch (cause) {
      die(new WorkerCrashed(String(cause), { cause }))
      throw cause
    }
    thread.onDeath((cause) => die(new WorkerCrashed(cause.message, { cause })))
    api = wrap<A>(thread.endpoint)
    const ready = base(api)
      .setUp({ ...kernel, lifeline: lifeline?.name ?? null })
      .then((sound) => {
        clearTimeout(timer)
        started = true
        this.#restUntil = Number.NEGATIVE_INFINITY
        lifeline?.watch(() => die(new WorkerCrashed('the worker was terminated')))
        return sound
      })
    ready.catch((cause: unknown) => die(new WorkerCrashed(String(cause), { cause })))
    return { kernel, thread, api, lifeline, ready, isReady: () => started, life, die }
  }
}

/** The part that all workers have in common: of a type parameter, TypeScript cannot tell what its proxy has. */
function base<A extends WorkerBase>(api: Remote<A>): Remote<WorkerBase> {
  return api as unknown as Remote<WorkerBase>
}
