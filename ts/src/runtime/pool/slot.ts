/**
 * One place in the pool, where one task is done at a time: a worker, which is replaced when it dies, or the calling thread in its
 * place. Every task settles: with its result, or with `WorkerCrashed`.
 */
import { platform } from '#platform'
import { type Remote, releaseProxy, wrap } from '../../vendor/comlink.ts'
import { Once } from '../../util/once.ts'
import { messageOf, WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import type { WorkerThread } from '../platform/platform.ts'
import { createLifeline, type Lifeline } from './lifeline.ts'
import type { Host, WorkerBase } from './protocol.ts'
import { afterSilence } from './silence.ts'

/** A task: it is handed the worker's interface, wherever that runs. */
export type Task<T, A extends WorkerBase> = (api: Remote<A>) => PromiseLike<T>

/** Whoever does a pool's tasks. */
export interface Runner<A extends WorkerBase> {
  /** Whether its worker has not started yet, or the last one did not, so that others should be asked first. */
  readonly isAway: boolean
  /** Starts its worker if there is none; whether the kernel passes its probe there. `heard` is called with the worker's first word. */
  start(heard: () => void): Promise<boolean>
  /** Does a task; with `pingFirst` on a worker that is known to be alive. Rejects with `WorkerCrashed`. */
  run<T>(task: Task<T, A>, pingFirst: boolean): Promise<T>
  /** Uses another kernel from the next task on. */
  replaceKernel(kernel: KernelModule): void
  /** Ends it for good; a task that it is at rejects with `cause`. */
  stop(cause: WorkerCrashed): void
}

/** A task that is silent for this long is taken for dead. Groups are bounded, so that an honest one is far below. */
const TASK_SILENCE_MS = 120_000

/** A worker that has not been set up for this long is taken for dead: nothing shows that one died before it held its lock. */
const START_MS = 30_000

/** A place whose worker did not start is left alone for this long, if there are others. */
const REST_MS = 5_000

/** An idle worker that is silent for this long when it is asked for a sign of life is taken for dead. */
const PING_MS = 5_000

/** A thread, and what it is spoken to by. */
interface Spawned<A> {
  readonly thread: WorkerThread
  /** Held here for as long as the worker lives: Comlink closes the wire when a proxy is collected. */
  readonly api: Remote<A>
  readonly lifeline: Lifeline | null
  /** Called when it is set up. It is given up where that is not in time. */
  readonly inTime: () => void
}

interface Living<A> {
  readonly kernel: KernelModule
  /** The worker's interface, once it is ready. */
  readonly api: () => Remote<A>
  /** Resolves with the kernel's own probe once the worker is set up. */
  readonly ready: Promise<boolean>
  /** Whether it has. */
  readonly isReady: () => boolean
  /** Whether the kernel has not failed its probe there. */
  readonly isSound: () => boolean
  readonly life: Lifetime
  readonly die: (cause: WorkerCrashed) => void
}

/** The time for which a worker is there. It may end while somebody waits for what the worker is at. */
class Lifetime {
  readonly #waiting = new Set<(cause: WorkerCrashed) => void>()
  #cause: WorkerCrashed | null = null

  /** Ends it, once: whoever waits is told why, and so is whoever comes later. */
  end(cause: WorkerCrashed): void {
    this.#cause ??= cause
    for (const reject of this.#waiting) reject(this.#cause)
    this.#waiting.clear()
  }

  /**
   * What a promise resolves to, unless the lifetime ends first; a task of the calling thread may have its result at once. Not a race
   * with a promise of the end: each would leave its result behind there, for as long as the worker lives.
   */
  outlast<T>(promise: T | PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#cause !== null) reject(this.#cause)
      else this.#waiting.add(reject)
      Promise.resolve(promise).then(
        (value) => {
          this.#waiting.delete(reject)
          resolve(value)
        },
        (reason: unknown) => {
          this.#waiting.delete(reject)
          reject(reason as Error)
        },
      )
    })
  }
}

/** A place for a worker. */
export class Slot<A extends WorkerBase> implements Runner<A> {
  readonly #host: Host<A>
  readonly #unsound: () => Promise<void>
  #kernel: KernelModule
  #living: Living<A> | undefined
  /** Why there is to be no worker any more. */
  #end: WorkerCrashed | undefined
  #restUntil = Number.NEGATIVE_INFINITY

  /** `unsound` is called where a task finds a kernel that has failed its probe in this place: it may put another in its place. */
  constructor(host: Host<A>, kernel: KernelModule, unsound: () => Promise<void>) {
    this.#host = host
    this.#kernel = kernel
    this.#unsound = unsound
  }

  /** Whether the worker has not started yet, or the last one did not, so that others should be asked first. */
  get isAway(): boolean {
    return this.#living?.isReady() === false || performance.now() < this.#restUntil
  }

  /** Starts the worker if there is none; whether its kernel passes its probe there. `heard` is called with the worker's first word. */
  async start(heard: () => void): Promise<boolean> {
    const living = this.#live(heard)
    return await living.life.outlast(living.ready)
  }

  /** Runs a task. Any failure of it is a crash: tasks do not throw, whatever the data. */
  async run<T>(task: Task<T, A>, pingFirst: boolean): Promise<T> {
    if (pingFirst) await this.#ping()
    const living = this.#live()
    let answered = (): void => {}
    try {
      // Not a turn later: whoever asks for it may go on with other work at once, and the worker would wait for that.
      if (!living.isReady()) await living.life.outlast(living.ready)
      if (!living.isSound()) {
        await living.life.outlast(this.#unsound())
        throw new WorkerCrashed("the kernel's own probe failed")
      }
      answered = platform.after(TASK_SILENCE_MS, () =>
        living.die(new WorkerCrashed(`no answer in ${TASK_SILENCE_MS} ms`)),
      )
      return await living.life.outlast(task(living.api()))
    } catch (cause) {
      const crash = cause instanceof WorkerCrashed ? cause : new WorkerCrashed(String(cause), { cause })
      living.die(crash)
      throw crash
    } finally {
      answered()
    }
  }

  /** Sees to it that the worker, if there is one, is alive, or is known to be dead. */
  async #ping(): Promise<void> {
    const living = this.#living
    if (living === undefined) return
    const answered = platform.after(PING_MS, () => living.die(new WorkerCrashed(`no ping in ${PING_MS} ms`)))
    try {
      await living.life.outlast(living.ready.then(() => base(living.api()).ping()))
    } catch {
      // The next one to live here is asked.
    } finally {
      answered()
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

  #live(heard?: () => void): Living<A> {
    if (this.#end !== undefined) throw this.#end
    if (this.#living !== undefined && this.#living.kernel !== this.#kernel)
      this.#living.die(new WorkerCrashed('the kernel was replaced'))
    this.#living ??= this.#occupy(heard)
    return this.#living
  }

  #occupy(heard: (() => void) | undefined): Living<A> {
    const kernel = this.#kernel
    const life = new Lifetime()
    let current: Spawned<A> | undefined
    let [started, sound] = [false, true]
    let end: WorkerCrashed | undefined
    const die = (cause: WorkerCrashed): void => {
      if (end !== undefined) return // killing a worker makes it die once more
      end = cause
      if (!started) this.#restUntil = performance.now() + REST_MS
      if (this.#living?.life === life) this.#living = undefined
      dismiss(current)
      life.end(cause)
    }
    const begin = (): Promise<[isSound: boolean, isHeld: boolean, named: void]> =>
      new Promise((resolve, reject) => {
        if (end !== undefined) throw end
        dismiss(current)
        const spawned = spawn(this.#host, (cause) => {
          // The script of a page that is being left is not to be had, and may be when the page is come back to.
          if (current === spawned) (started ? die : reject)(cause)
        })
        current = spawned
        const { api, lifeline } = spawned
        // That it is set up says as much, and takes longer. And a script of another part may be set up, and fail at each task.
        const named =
          heard &&
          base(api)
            .ping()
            .then((part) => {
              if (part !== this.#host.part)
                throw new Error(
                  `the script is the worker of ${part ?? 'another version'}, not of ${this.#host.part}`,
                )
              heard()
            })
        const held = lifeline === null ? false : base(api).hold(lifeline.name)
        // One that dies before never answers, and the platform would go on to listen for the page to come back.
        life.outlast(Promise.all([base(api).setUp(kernel), held, named])).then(resolve, reject)
      })
    // Chromium forgets workers of a page that is left before they have started, and says nothing of it when the page is come back to.
    const ready = platform.lasting(begin).then(([isSound, isHeld]) => {
      const { lifeline, inTime } = current!
      inTime()
      ;[started, sound] = [true, isSound]
      this.#restUntil = Number.NEGATIVE_INFINITY
      if (isHeld) lifeline!.watch(() => die(new WorkerCrashed('the worker was terminated')))
      return isSound
    })
    ready.catch((cause: unknown) =>
      die(cause instanceof WorkerCrashed ? cause : new WorkerCrashed(messageOf(cause), { cause })),
    )
    return { kernel, api: () => current!.api, ready, isReady: () => started, isSound: () => sound, life, die }
  }
}

/** Starts a thread. `died` is called where it dies without being asked to, or is not set up in time. Throws what the host throws. */
function spawn<A extends WorkerBase>(host: Host<A>, died: (cause: WorkerCrashed) => void): Spawned<A> {
  const thread = host.spawn()
  thread.onDeath((cause) => died(new WorkerCrashed(cause.message, { cause })))
  const late = (): void => died(new WorkerCrashed(`the worker did not start in ${START_MS} ms`))
  return {
    ...{ thread, api: wrap<A>(thread.endpoint), lifeline: createLifeline() },
    inTime: afterSilence(START_MS, late),
  }
}

/** Ends a thread, if there is one, and hears of it no more. */
function dismiss<A extends WorkerBase>(spawned: Spawned<A> | undefined): void {
  if (spawned === undefined) return
  spawned.inTime()
  spawned.lifeline?.cut()
  base(spawned.api)[releaseProxy]()
  spawned.thread.terminate()
}

/** The part that all workers have in common: of a type parameter, TypeScript cannot tell what its proxy has. */
function base<A extends WorkerBase>(api: Remote<A>): Remote<WorkerBase> {
  return api as unknown as Remote<WorkerBase>
}

/** The calling thread in a worker's place. A trap revives the instance; the task that trapped has crashed. */
export function callingThread<A extends WorkerBase>(host: Host<A>, kernel: KernelModule): Runner<A> {
  const tasks = host.inline()
  const life = new Lifetime()
  // Made by whoever asks first, and again where that failed: there may be memory for it by then.
  const setUp = (wanted: KernelModule): Once<boolean> =>
    new Once(async () => await (await tasks).setUp(wanted))
  let ready = setUp(kernel)
  return {
    isAway: false,
    start(heard) {
      heard()
      return ready.get()
    },
    async run(task) {
      try {
        await ready.get()
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
