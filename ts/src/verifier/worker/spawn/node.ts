/** The verifier's worker in Node. */
import { Worker } from 'node:worker_threads'
import { threadOf } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'

/** Starts the verifier's worker: the package's own, or the caller's copy of it at `url`. */
export function spawnWorker(url: URL | undefined): WorkerThread {
  return threadOf(new Worker(url ?? new URL('../entry-node.js', import.meta.url)))
}
