/** Reads files and splits them into their items; in a worker, since that grows with the files. */
import { errorMessage } from '../../shared/error-message.ts'
import { type Contents, ContentsError, contentsOf } from './contents.ts'

/** What is told of each file: what it is, then each item in a message of its own, so that none of them holds up the page; or why it is not read. */
export type Told =
  | { readonly kind: 'contents'; readonly contents: Omit<Contents, 'items'>; readonly count: number }
  | { readonly kind: 'item'; readonly item: unknown }
  | { readonly kind: 'failed'; readonly why: string }

const tell = (told: Told): void => self.postMessage(told)

self.addEventListener('message', ({ data }: MessageEvent<readonly (File | string)[]>) => {
  void (async () => {
    // One after another: each is in memory as a whole while it is split.
    for (const file of data) await read(file)
  })()
})

async function read(file: File | string): Promise<void> {
  try {
    const bytes =
      typeof file === 'string' ? new TextEncoder().encode(file) : new Uint8Array(await file.arrayBuffer())
    const { items, ...contents } = contentsOf(bytes)
    tell({ kind: 'contents', contents, count: items.length })
    for (const item of items) tell({ kind: 'item', item: alone(item) })
  } catch (error) {
    tell({ kind: 'failed', why: wordsOf(error) })
  }
}

/** Bytes without the rest of the file, which they are a part of: a message would carry all of it. */
function alone(item: unknown): unknown {
  if (item instanceof Uint8Array) return item.slice()
  if (typeof item !== 'object' || item === null) return item
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value instanceof Uint8Array ? value.slice() : value]),
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof ContentsError) return error.message
  // A folder, or a file that has changed or gone since it was chosen.
  if (error instanceof DOMException && /NotFound|NotReadable/.test(error.name))
    return 'It cannot be read: it is a folder, or it has changed since it was chosen.'
  return `It cannot be read: ${errorMessage(error)}.`
}
