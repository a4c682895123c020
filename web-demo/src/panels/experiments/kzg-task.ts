/** Has a task done by a worker, which the signal ends. */
import type { Task, Told } from './kzg-worker.ts'

/** `onTold` is called with what the worker tells of it. Rejects where the worker fails, and with the signal's reason. */
export function doTask(task: Task, signal: AbortSignal, onTold: (told: Told) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(new URL('./kzg-worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void): void => {
      worker.terminate()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason as Error))
    signal.addEventListener('abort', onAbort)
    worker.addEventListener('error', () => end(() => reject(new Error('a worker did not start, or ended'))))
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'end') end(resolve)
      else if (data.kind === 'failed') end(() => reject(new Error(data.why)))
      else onTold(data)
    })
    worker.postMessage(task)
  })
}
