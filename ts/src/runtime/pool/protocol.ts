/** What passes between a pool and each of its workers, whatever the workers are for. Types alone. */
import type { KernelName } from '../kernel/kernel.ts'

/** How a worker is set up, once. */
export interface Setup {
  readonly kernel: KernelName
  readonly module: WebAssembly.Module
  /** The name of the lock that the worker holds while it lives (Web Locks), or null where there are none. */
  readonly lifeline: string | null
}

/** What all workers do. */
export interface WorkerBase {
  /** False if the kernel's known-answer probe fails on this thread. */
  setUp(setup: Setup): Promise<boolean>
  /** A sign of life. */
  ping(): void
}
