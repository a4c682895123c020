/** The prover's worker in Node. */
import { Worker } from 'node:worker_threads'
import { threadOf, threadOptions } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import type { ProverApi } from '../protocol.ts'

/** Starts the prover's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  return threadOf(new Worker(url ?? new URL('../entry-node.js', import.meta.url), threadOptions()))
}

/** The worker's tasks in the calling thread. */
export async function loadTasks(): Promise<ProverApi> {
  return (await import('../tasks.ts')).createProverTasks()
}
