/** The prover's worker in Node. */
import { startThread } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { ProverApi } from '../protocol.ts'

/** Starts the prover's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  return startThread(url ?? new URL('../entry-node.mjs', import.meta.url))
}

/** The worker's tasks in the calling thread. */
export async function loadTasks(): Promise<ProverApi> {
  return (await import('../tasks.ts')).createProverTasks()
}
