/** Node, and what follows its interfaces. */
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { threadOf } from '../../platform/node.ts'
import type { WorkerThread } from '../../platform/platform.ts'
import { fetchAsset } from './fetch-asset.ts'

export function spawnWorker(url: URL | undefined): WorkerThread {
  return threadOf(new Worker(url ?? new URL('../worker/worker.js', import.meta.url)))
}

export async function readAsset(url: URL, cache: 'force-cache' | 'reload'): Promise<Uint8Array<ArrayBuffer>> {
  return url.protocol === 'file:' ? new Uint8Array(await readFile(url)) : await fetchAsset(url, cache)
}
