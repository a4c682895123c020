/** One worker of a pool, from its start to its death. Whoever is in need of another one after that starts one. */
import { platform } from '#platform'
import { type Remote, releaseProxy, wrap } from '../../vendor/comlink.ts'
import { messageOf, WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import type { WorkerThread } from '../platform/platform.ts'
import { createLifeline, type Lifeline } from './lifeline.ts'
import { Lifetime } from './lifetime.ts'
import type { Host, WorkerBase } from './protocol.ts'
import { afterSilence } from './silence.ts'

/** A worker that has not been set up for this long is taken for dead: nothing shows that one died before it held its lock. */
const START_MS = 30_000

/** A thread, and what it is spoken to by. */
interface Spawned<A> {
  readonly thread: WorkerThread
  /** Held here for as long as the worker lives: Comlink closes the wire when a proxy is collected. */
  readonly api: Remote<A>
  readonly lifeline: Lifeline | null
  /** Called when it is set up. It is given up where that is not in time. */
  readonly inTime: () => void
}

/** A worker with a kernel. It is started as it is made. */
export class PoolWorker<A extends WorkerBase> {
  readonly kernel: KernelModule
  /** Resolves with the kernel's own probe once the worker is set up. */
  readonly ready: Promise<boolean>
  readonly #host: Host<A>
  readonly #lifetime = new Lifetime()
  readonly #ended: () => void
  #spawned: Spawned<A> | undefined
  #isReady = false
  #isSound = true

  /** `heard` is called with the worker's first word, and `ended` when it dies. */
  constructor(host: Host<A>, kernel: KernelModule, ended: () => void, heard?: () => void) {
    this.#host = host
    this.kernel = kernel
    this.#ended = ended
    // Chromium forgets workers of a page that is left before they have started, and says nothing of it when the page is come back to.
    this.ready = platform
      .lasting(() => this.#begin(heard))
      .then(([isSound, isHeld]) => {
        const { lifeline, inTime } = this.#spawned!
        inTime()
        this.#isReady = true
        this.#isSound = isSound
        if (isHeld) lifeline!.watch(() => this.die(new WorkerCrashed('the worker was terminated')))
        return isSound
      })
    this.ready.catch((cause: unknown) =>
      this.die(cause instanceof WorkerCrashed ? cause : new WorkerCrashed(messageOf(cause), { cause })),
    )
  }

  /** Whether it is set up. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Whether the kernel has not failed its probe there. */
  get isSound(): boolean {
    return this.#isSound
  }

  /** Its interface, once it is ready. */
  get api(): Remote<A> {
    return this.#spawned!.api
  }

  /** What a promise resolves to, unless the worker dies first. */
  outlast<T>(promise: T | PromiseLike<T>): Promise<T> {
    return this.#lifetime.outlast(promise)
  }

  /** Resolves when it answers. */
  ping(): Promise<unknown> {
    return this.outlast(this.ready.then(() => base(this.api).ping()))
  }

  /** Ends it: whoever waits for what it is at is told why. */
  die(cause: WorkerCrashed): void {
    if (this.#lifetime.cause) return // killing a worker makes it die once more, in Deno before `terminate` returns
    this.#lifetime.end(cause)
    this.#ended()
    dismiss(this.#spawned)
  }

  /** Starts a thread, in the place of one that was started before: whether the kernel passes its probe there, and whether its lock is held. */
  #begin(heard?: () => void): Promise<[isSound: boolean, isHeld: boolean, named: void]> {
    return new Promise((resolve, reject) => {
      if (this.#lifetime.cause) throw this.#lifetime.cause
      dismiss(this.#spawned)
      const spawned = spawn(this.#host, (cause) => {
        // The script of a page that is being left is not to be had, and may be when the page is come back to.
        if (this.#spawned !== spawned) return
        if (this.#isReady) this.die(cause)
        else reject(cause)
      })
      this.#spawned = spawned
      const { api, lifeline } = spawned
      // That it is set up says as much as that it is of this part, and takes longer. And a script of another part may be set up, and fail at each task.
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
      this.outlast(Promise.all([base(api).setUp(this.kernel), held, named])).then(resolve, reject)
    })
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
