/** Browsers, and what follows their interfaces. */
import type { WorkerThread } from '../../platform/platform.ts'
import { threadOf } from '../../platform/web.ts'
import type { LightClientStorage } from '../store/storage.ts'

export function spawnWorker(url: URL | undefined): WorkerThread {
  // In this form, on one line and with a literal, bundlers find the worker and make a chunk of it.
  return threadOf(
    url
      ? new Worker(url, { type: 'module' })
      : new Worker(new URL('../worker/light-client-worker.js', import.meta.url), { type: 'module' }),
  )
}

export class FileStorage implements LightClientStorage {
  constructor(_folder: string) {
    throw new TypeError('there is no file system here: use IndexedDbStorage')
  }
  get(): Promise<null> {
    return Promise.resolve(null)
  }
  set(): Promise<void> {
    return Promise.resolve()
  }
  delete(): Promise<void> {
    return Promise.resolve()
  }
}
