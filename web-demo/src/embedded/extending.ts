/** Has the cells of the blobs computed in a worker; where there may be none, they stay unknown. */
import type { Extended } from './extending-worker.ts'

/** Resolves when all blobs that can be extended are; `told` is called for each. */
export function extend(blobs: readonly Uint8Array[], told: (extended: Extended) => void): Promise<void> {
  return new Promise((resolve) => {
    let worker: Worker
    try {
      worker = new Worker(new URL('./extending-worker.ts', import.meta.url), { type: 'module' })
    } catch {
      return resolve()
    }
    const end = (): void => {
      worker.terminate()
      resolve()
    }
    worker.addEventListener('error', end)
    worker.addEventListener('message', ({ data }: MessageEvent<Extended | null>) => {
      if (data === null) end()
      else told(data)
    })
    worker.postMessage(blobs)
  })
}
