/** `blobcheck/elements` where no elements can be defined: under a server that renders pages, and in content scripts of extensions. */
import * as elements from 'blobcheck/elements'
import * as grid from 'blobcheck/elements/blob-grid'
import { expect, it, onTestFinished } from 'vitest'

it('is imported, and defines nothing', () => {
  expect('customElements' in globalThis).toBe(false)
  expect(Object.keys(elements).sort()).toEqual([
    'BlobGridElement',
    'TrustChainElement',
    'WorkerTimelineElement',
  ])
  expect(grid.BlobGridElement).toBe(elements.BlobGridElement)
})

it.each(['blob-grid', 'trust-chain', 'worker-timeline'])(
  'is imported where `customElements` is null, as in a content script of Chromium: %s',
  async (name) => {
    Object.assign(globalThis, { customElements: null })
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'customElements'))
    // A module of its own: the one above was evaluated already.
    const again = new URL(`../../dist/elements/${name}/index.js?null`, import.meta.url).href
    expect(Object.keys((await import(/* @vite-ignore */ again)) as object)).toHaveLength(1)
  },
)
