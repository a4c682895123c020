/** Has a file read in a worker, which the signal ends. */
import { type Contents, ContentsError } from './contents.ts'
import type { Told } from './reading-worker.ts'

/**
 * The contents of a file or of pasted text. `onSign` is called whenever more of it has come. Rejects with `ContentsError` where it is nothing
 * that can be verified, and with the signal's reason.
 */
export function readContents(
  file: File | string,
  signal: AbortSignal,
  onSign: () => void,
): Promise<Contents> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' })
    const end = (): void => {
      worker.terminate()
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown): void => {
      end()
      reject(error as Error)
    }
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort)
    worker.addEventListener('error', () =>
      fail(new ContentsError('It cannot be read: the script that reads files did not start, or ended.')),
    )
    worker.addEventListener('messageerror', () =>
      fail(new ContentsError('It cannot be read: it is too large.')),
    )
    let contents: Omit<Contents, 'items'> | null = null
    let count = 0
    const items: unknown[] = []
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      onSign()
      if (data.kind === 'failed') return fail(new ContentsError(data.why))
      if (data.kind === 'contents') ({ contents, count } = data)
      else items.push(data.item)
      if (contents === null || items.length < count) return
      end()
      resolve({ ...contents, items })
    })
    worker.postMessage(file)
  })
}
