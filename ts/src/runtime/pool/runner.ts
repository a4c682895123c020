/** Whoever does a pool's tasks, one at a time: a worker's place (`slot.ts`), or the calling thread (`calling-thread.ts`). */
import type { Remote } from '../../vendor/comlink.ts'
import type { WorkerCrashed } from '../errors.ts'
import type { KernelModule } from '../kernel/kernel.ts'
import type { WorkerBase } from './protocol.ts'

/** A task: it is handed the worker's interface, wherever that runs. */
export type Task<T, A extends WorkerBase> = (api: Remote<A>) => PromiseLike<T>

/** Does tasks. Each settles: with its result, or with `WorkerCrashed`. */
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
