/** What works, though not as it could: said once, so that nobody loses workers, speed or a kind of item without a word. */
import { notify } from '../util/notify.ts'

/** What is said to `onWarning`. */
export interface Warning {
  /**
   * `no-workers`: no worker thread could be started, so that the calling thread computes. `slower-kernel`: the module with relaxed SIMD is
   * sound here but could not be loaded, so that the slower one computes. `setup-unavailable`: what a verifier needs for blobs without proofs,
   * the points or the module of `blobcheck/kzg`, could not be loaded, which is tried again for the next of them. `worker-crashed`: a
   * worker crashed, or the calling thread in its place could not do a task, which is tried again; of many times the first is told.
   * `tables-not-kept`: the store failed in which a prover keeps its tables, which are worked out then; of many times the first is told.
   * `no-tables`: a prover crashed twice over its tables, most likely for want of memory, and goes on without them.
   */
  readonly code:
    | 'no-workers'
    | 'slower-kernel'
    | 'setup-unavailable'
    | 'worker-crashed'
    | 'tables-not-kept'
    | 'no-tables'
  /** What happened, and what helps, in words for a person. */
  readonly message: string
}

/** The option `onWarning`: called with each warning. What it throws or rejects with is ignored. */
export type WarningListener = (warning: Warning) => void

/** What the console was told. */
const told = new Set<string>()

/** Tells the listener, or the console where there is none: that once for each message, however many verifiers say it. */
export function warn(listener: WarningListener | undefined, warning: Warning): void {
  if (listener !== undefined) return notify(listener, warning)
  if (told.has(warning.message)) return
  told.add(warning.message)
  globalThis.console?.warn(`blobcheck: ${warning.message}`)
}
