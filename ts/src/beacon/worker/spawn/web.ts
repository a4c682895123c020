/** The worker that decodes blocks, in browsers. */
import type { WorkerThread } from '../../../runtime/platform/platform.ts'
import { threadOf } from '../../../runtime/platform/web.ts'

export function spawnWorker(url: URL | undefined): WorkerThread {
  // In this form, on one line and with a literal, bundlers find the worker and make a chunk of it.
  return threadOf(
    url
      ? new Worker(url, { type: 'module' })
      : new Worker(new URL('../entry.js', import.meta.url), { type: 'module' }),
  )
}
