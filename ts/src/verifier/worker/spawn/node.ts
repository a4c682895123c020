/** The verifier's worker in Node. */
import { startThread } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { VerifierApi } from '../protocol.ts'

/** Starts the verifier's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  return startThread(url ?? new URL('../entry-node.mjs', import.meta.url))
}

/** The worker's tasks in the calling thread. */
export async function loadTasks(): Promise<VerifierApi> {
  return (await import('../tasks.ts')).createTasks('revive')
}
