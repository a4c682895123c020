/** Browsers, and what follows their interfaces. */
import type { WorkerThread } from '../../platform/platform.ts'
import { threadOf } from '../../platform/web.ts'

export function spawnWorker(url: URL | undefined): WorkerThread {
  // In this form, on one line and with a literal, bundlers find the worker and make a chunk of it.
  return threadOf(
    url
      ? new Worker(url, { type: 'module' })
      : new Worker(new URL('../worker/worker.js', import.meta.url), { type: 'module' }),
  )
}

export { fetchAsset as readAsset } from './fetch-asset.ts'
