/** The verifier's worker in browsers. */
import { loadCode } from '../../../runtime/load-code.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import { startWorker, threadOf } from '../../../runtime/platform/web.ts'
import type { VerifierApi } from '../protocol.ts'

/** Starts the verifier's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  const start = (): Worker =>
    // In this form, on one line and with a literal, bundlers find the worker and make a chunk of it.
    url
      ? new Worker(url, { type: 'module' })
      : new Worker(new URL('../entry.js', import.meta.url), { type: 'module' })
  return threadOf(startWorker(start, url))
}

/** The worker's tasks in the calling thread. */
export async function loadTasks(): Promise<VerifierApi> {
  return await loadCode(async () => (await import('../tasks.ts')).createTasks('revive'))
}
