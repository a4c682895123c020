/** The worker that decodes blocks, in Node. */
import { Worker } from 'node:worker_threads'
import { threadOf } from '../../../runtime/platform/node.ts'
import type { WorkerThread } from '../../../runtime/platform/platform.ts'

export function spawnWorker(url: URL | undefined): WorkerThread {
  return threadOf(new Worker(url ?? new URL('../entry-node.js', import.meta.url)))
}
