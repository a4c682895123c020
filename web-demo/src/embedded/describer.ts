/** Starts the description of blobs, in a worker if there may be one. */
import { describe, type Description } from './describing.ts'
import type { Sidecar } from './sidecar.ts'

export function startDescribing(
  sidecars: readonly Sidecar[],
  listener: (description: Description) => void,
): void {
  const inPage = (): void => void describe(sidecars, listener)
  try {
    const worker = new Worker(new URL('./describing-worker.ts', import.meta.url), { type: 'module' })
    let heard = 0
    worker.addEventListener('message', ({ data }: MessageEvent<Description>) => {
      listener(data)
      if (++heard === sidecars.length) worker.terminate()
    })
    worker.addEventListener('error', () => {
      if (heard === 0) inPage()
    })
    worker.postMessage(sidecars)
  } catch {
    inPage()
  }
}
