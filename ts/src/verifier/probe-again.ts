/**
 * The kernel's own probe, repeated. Engines compile a function anew when it has run for a while, and anew when it has run for long: the
 * code that passed the probe at the start is not the code that computes an hour later.
 */
import type { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import type { VerifierPool } from './worker/protocol.ts'

/** The probe is repeated when the workers have become idle for the first time, after 8 times more, after 64 more, and so on. */
const FACTOR = 8

/** Repeats the probe on each worker that idles; where it fails, the baseline takes the kernel's place. */
export function probeAgain(pool: VerifierPool, kernel: ConfirmedKernel): void {
  let left = 1
  let times = 1
  pool.onIdle = () => {
    if (--left > 0) return
    left = times *= FACTOR
    pool
      // A crash is no answer: the worker that takes its place is probed when it starts.
      .runOnAll(async (api) => {
        if (!(await api.probe())) await kernel.distrust('failed its probe when it was repeated')
      })
      // The pool has been disposed of: nothing computes there any more.
      .catch(() => {})
  }
}
