/** The elements, which are for pages alone: their tags, properties and events have types. */
import { createVerifier, type TraceEvent } from 'blobcheck'
import { type CellState, type ChainLink, WorkerTimelineElement } from 'blobcheck/elements'
import { BlobGridElement } from 'blobcheck/elements/blob-grid'
import { TrustChainElement } from 'blobcheck/elements/trust-chain'
import * as timelines from 'blobcheck/elements/worker-timeline'

export function grid(): Record<CellState, number> {
  const element: BlobGridElement = document.createElement('blob-grid')
  element.blobs = 6
  // What frameworks assign.
  element.columns = element.getAttribute('columns')
  element.blobs = undefined
  element.cell(0, 127, 'rebuilt')
  // @ts-expect-error: no such state
  element.fill('good')
  // @ts-expect-error: what is counted cannot be set
  element.counts = {}
  document.addEventListener('click', () => element.select(0, 0))
  element.addEventListener('cellselect', ({ detail: { blob, column, state } }) => {
    const selected: CellState = state
    console.log(blob + column, selected)
  })
  return element.counts
}

export function chain(): readonly ChainLink[] {
  const element: TrustChainElement = document.createElement('trust-chain')
  element.links = [{ name: 'proof', title: 'Proof', mark: 'verified', text: 'It holds.', canBreak: true }]
  // @ts-expect-error: no such mark
  element.links = [{ name: 'proof', title: 'Proof', mark: 'good', text: 'It holds.' }]
  element.addEventListener('linkbreak', ({ detail }) => console.log(detail.name))
  element.addEventListener('linkrestore', ({ detail }) => console.log(detail.name))
  return element.links
}

export async function timeline(): Promise<WorkerTimelineElement> {
  const element: timelines.WorkerTimelineElement = document.createElement('worker-timeline')
  await createVerifier({ onTrace: (span: TraceEvent) => element.add(span) })
  element.add({ stage: 'fetch', items: [], worker: null, start: 0, end: 1 })
  element.addEventListener('scrub', ({ detail }) => console.log(detail.ms, detail.spans.length))
  const element2: HTMLElement = element
  return element2 instanceof WorkerTimelineElement ? element2 : element
}
