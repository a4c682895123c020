/** `blobcheck/elements` where there are no elements, as under a server that renders pages. */
import * as elements from 'blobcheck/elements'
import * as grid from 'blobcheck/elements/blob-grid'
import { expect, it } from 'vitest'

it('is imported, and defines nothing', () => {
  expect('customElements' in globalThis).toBe(false)
  expect(Object.keys(elements).sort()).toEqual([
    'BlobGridElement',
    'TrustChainElement',
    'WorkerTimelineElement',
  ])
  expect(grid.BlobGridElement).toBe(elements.BlobGridElement)
})
