/**
 * One place in the pool: a worker that does one task at a time, and is replaced when it dies. Every task settles: with
 * its result, or with `WorkerCrashed`.
 */
import { platform } from '#platform'
import { type Remote, releaseProxy, wrap } from 'comlink'
import type { WorkerThread } from '../platform/platform.ts'
import type { KernelName } from '../wasm/kernel.ts'
import { WorkerCrashed } from './crash.ts'
import { createLifeline, type Lifeline } from './lifeline.ts'
import type { WorkerApi } from './protocol.ts'

/** A task that is silent for this long is taken for dead. Groups are bounded, so that an honest one is far below. */
const SILENCE_MS = 120_000

/** The kernel that a worker is set up with. */
export interface KernelModule {
  readonly kernel: KernelName
  readonly module: WebAssembly.Module
}

interface Living {
  readonly thread: WorkerThread
  /** Held here for as long as the worker lives: Comlink closes the wire when a proxy is collected. */
  readonly api: Remote<WorkerApi>
  readonly lifeline: Lifeline | null
  /** Resolves with the kernel's own probe once the worker is set up. */
  readonly ready: Promise<boolean>
  /** Rejects, and never resolves, when the worker dies. */
  readonly death: Promise<never>
  readonly die: (cause: WorkerCrashed) => void
}

export class Slot {
  readonly #url: URL | undefined
  #kernel: KernelModule
  #living: Living | undefined

  constructor(kernel: KernelModule, url: URL | undefined) {
    this.#kernel = kernel
    this.#url = url
  }

  /** Starts the worker if there is none; whether its kernel passes its probe there. */
  async start(): Promise<boolean> {
    const living = this.#live()
    return await Promise.race([living.ready, living.death])
  }

  /** Runs a task. Any failure of it is a crash: tasks do not throw, whatever the data. */
  async run<T>(task: (api: Remote<WorkerApi>) => PromiseLike<T>): Promise<T> {
    const living = this.#live()
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      await Promise.race([living.ready, living.death])
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new WorkerCrashed(`no answer in ${SILENCE_MS} ms`)), SILENCE_MS)
      })
      return await Promise.race([task(living.api), living.death, silence])
    } catch (cause) {
      const crash = cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      living.die(crash)
      throw crash
    } finally {
      clearTimeout(timer)
    }
  }

  /** Uses another kernel from the next task on. */
  replaceKernel(kernel: KernelModule): void {
    this.#kernel = kernel
    this.stop(new WorkerCrashed('the kernel was replaced'))
  }

  /** Ends the worker; a task that it is at rejects with `cause`. */
  stop(cause: WorkerCrashed): void {
    this.#living?.die(cause)
  }

  #live(): Living {
    this.#living ??= this.#spawn()
    return this.#living
  }

  #spawn(): Living {
    const lifeline = createLifeline()
    let die!: (cause: WorkerCrashed) => void
    let thread: WorkerThread | undefined
    let api: Remote<WorkerApi> | undefined
    const death = new Promise<never>((_, reject) => {
      let alive = true
      die = (cause) => {
        if (!alive) return // killing a worker makes it die once more
        alive = false
        if (this.#living?.death === death) this.#living = undefined
        lifeline?.cut()
        api?.[releaseProxy]()
        thread?.terminate()
        reject(cause)
      }
    })
    death.catch(() => {}) // nobody may be waiting for it
    thread = platform.spawn(this.#url)
    thread.onDeath((cause) => die(new WorkerCrashed(cause.message, { cause })))
    api = wrap<WorkerApi>(thread.endpoint)
    const ready = api.setUp({ ...this.#kernel, lifeline: lifeline?.name ?? null }).then((sound) => {
      lifeline?.watch(() => die(new WorkerCrashed('the worker was terminated')))
      return sound
    })
    ready.catch((cause: unknown) => die(new WorkerCrashed(String(cause), { cause })))
    return { thread, api, lifeline, ready, death, die }
  }
}
