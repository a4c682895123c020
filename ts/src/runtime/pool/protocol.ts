/** What passes between a pool and each of its workers, whatever the workers are for, and where they come from. Types alone. */
import type { KernelModule } from '../kernel/kernel.ts'
import type { WorkerThread } from '../platform/platform.ts'

/** What all workers do. */
export interface WorkerBase {
  /** Instantiates the kernel; false if its known-answer probe fails on this thread. */
  setUp(kernel: KernelModule): Promise<boolean>
  /** Takes a Web Lock for as long as the worker lives; false if it is refused. Called only where there are Web Locks. */
  hold(lock: string): Promise<boolean>
  /** Shows that the worker is alive, and of which part of the package it is: the name of its entry. */
  ping(): string
}

/** Where a pool's workers come from: the worker script, and the same tasks for the calling thread. */
export interface Host<A extends WorkerBase> {
  /** What its workers answer to a ping: a script of another part, which a caller's `workerUrl` may name, would fail at each task. */
  readonly part: string
  /** Starts a worker thread that exposes `A`. */
  spawn(): WorkerThread
  /**
   * `A` in the calling thread, which cannot be replaced after a trap: it revives its instance. Imported when it is asked
   * for: a page that has workers does not download their code twice.
   */
  inline(): Promise<A>
}
