/** What the source *File* makes of what its worker tells, file by file. */
import { afterEach, expect, it, vi } from 'vitest'
import { ContentsError } from '../../../web-demo/src/panels/file/contents.ts'
import { readContents } from '../../../web-demo/src/panels/file/reader.ts'
import type { Told } from '../../../web-demo/src/panels/file/reading-worker.ts'

afterEach(() => vi.unstubAllGlobals())

it('gives no file the items of another that could not be read to its end', async () => {
  const contents = { kind: 'blobs', form: 'bytes', isHex: false, marked: null } as const
  const tellings: readonly Told[] = [
    { kind: 'contents', contents, count: 3 },
    { kind: 'item', item: 'a0' },
    // The memory for the next one was refused.
    { kind: 'failed', why: 'It cannot be read: Array buffer allocation failed.' },
    { kind: 'contents', contents, count: 2 },
    { kind: 'item', item: 'b0' },
    { kind: 'item', item: 'b1' },
  ]
  class ToldWorker extends EventTarget {
    terminate(): void {}
    postMessage(): void {
      for (const data of tellings) this.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  vi.stubGlobal('Worker', ToldWorker)
  const read = await readContents(['a', 'b'], new AbortController().signal, () => {})
  expect(read).toEqual([
    new ContentsError('It cannot be read: Array buffer allocation failed.'),
    { ...contents, items: ['b0', 'b1'] },
  ])
})
