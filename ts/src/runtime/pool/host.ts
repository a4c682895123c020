/** Where a pool's tasks come from: the worker script, and the same tasks for the calling thread. */
import type { WorkerThread } from '../platform/platform.ts'
import type { WorkerBase } from './protocol.ts'

export interface Host<A extends WorkerBase> {
  /** Starts a worker thread that exposes `A`. */
  spawn(): WorkerThread
  /**
   * `A` in the calling thread, which cannot be replaced after a trap: it revives its instance. Imported when it is asked
   * for: a page that has workers does not download their code twice.
   */
  inline(): Promise<A>
}
