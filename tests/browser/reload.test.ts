/** The cache survives a page: a second document, with an empty memory, knows what the first one verified. */
import type { Stats, Verdict } from 'blobcheck'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trapWorker } from '../support/threads.ts'

interface Visit {
  /** When the document came to be: no two have it in common. */
  readonly visit: number
  readonly verdicts: Verdict[]
  readonly stats: Stats
}

const script = new URL('reload-page.js', trapWorker({})).href
let frame: HTMLIFrameElement

async function forget(): Promise<void> {
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('blobcheck')
    request.onsuccess = resolve
    request.onerror = reject
  })
}

beforeEach(async () => {
  await forget()
  frame = document.createElement('iframe')
})
afterEach(async () => {
  frame.remove()
  await forget()
})

/** What the frame's document reports, once `load` has made it a new one. */
function visit(load: () => void): Promise<Visit> {
  return new Promise((resolve) => {
    const listener = ({ source, data }: MessageEvent<Visit>): void => {
      if (source !== frame.contentWindow) return
      removeEventListener('message', listener)
      resolve(data)
    }
    addEventListener('message', listener)
    load()
  })
}

const vias = ({ verdicts }: Visit): string[] =>
  verdicts.map((verdict) => (verdict.status === 'valid' ? verdict.via : verdict.status))

it('a page that is loaded again finds its verdicts in the cache', async () => {
  frame.srcdoc = `<!doctype html><script type="module" src="${script}"></script>`
  const first = await visit(() => document.body.append(frame))
  expect(vias(first)).toEqual(['kzg', 'kzg'])
  expect(first.stats).toMatchObject({ kzgItems: 2, cacheHits: 0, cacheFailures: 0 })

  const second = await visit(() => frame.contentWindow?.location.reload())
  expect(second.visit).not.toBe(first.visit)
  expect(vias(second)).toEqual(['cache', 'cache'])
  expect(second.stats).toMatchObject({ kzgItems: 0, cacheHits: 2, cacheFailures: 0 })

  await forget()
  expect(vias(await visit(() => frame.contentWindow?.location.reload()))).toEqual(['kzg', 'kzg'])
})
