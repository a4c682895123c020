/** Has files read in a worker, which the signal ends. */
import { type Contents, ContentsError } from './contents.ts'
import type { Told } from './reading-worker.ts'

/**
 * The contents of each file or pasted text, in their order; a `ContentsError` in the place of one that is nothing that can be verified. `onSign`
 * is called whenever more of them has come. Rejects with `ContentsError` where the worker fails, and with the signal's reason.
 */
export function readContents(
  files: readonly (File | string)[],
  signal: AbortSignal,
  onSign: () => void,
): Promise<readonly (Contents | ContentsError)[]> {
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
    const read: (Contents | ContentsError)[] = []
    let items: unknown[] = []
    let open: { readonly contents: Omit<Contents, 'items'>; readonly count: number } | null = null
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      onSign()
      if (data.kind === 'failed') {
        // Some items of the file may have come: they are of no other.
        open = null
        items = []
        read.push(new ContentsError(data.why))
      } else if (data.kind === 'contents') open = data
      else items.push(data.item)
      if (open !== null && items.length === open.count) {
        read.push({ ...open.contents, items })
        open = null
        items = []
      }
      if (read.length < files.length) return
      end()
      resolve(read)
    })
    worker.postMessage(files)
  })
}
