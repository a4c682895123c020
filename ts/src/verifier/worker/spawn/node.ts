/** The verifier's worker in Node. */
import { Worker } from 'node:worker_threads'
import { threadOf, threadOptions } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { VerifierApi } from '../protocol.ts'

/** Starts the verifier's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  return threadOf(new Worker(url ?? new URL('../entry-node.js', import.meta.url), threadOptions()))
}

/** The worker's tasks in the calling thread. */
export async function loadTasks(): Promise<VerifierApi> {
  return (await import('../tasks.ts')).createTasks('revive')
}
