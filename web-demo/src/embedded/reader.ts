/** Starts the reading, in a worker if there may be one. */
import { readBlock, type Reading } from './reading.ts'

export function startReading(url: string, listener: (reading: Reading) => void): void {
  const inPage = (): void => void readBlock(url, listener)
  try {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' })
    let heard = false
    worker.addEventListener('message', ({ data }: MessageEvent<Reading>) => {
      heard = true
      listener(data)
    })
    worker.addEventListener('error', () => {
      if (!heard) inPage()
    })
    worker.postMessage(url)
  } catch {
    inPage()
  }
}
