/** The grid, the chain and the timeline, of the elements that the package has for every page. */
import type { TraceEvent, Verdict } from 'blobcheck'
import 'blobcheck/elements'
import type { TrustChainElement, WorkerTimelineElement } from 'blobcheck/elements'
import { breakNamed, type BreakName } from './breaking.ts'
import { chainOf } from './chain.ts'
import { copyButton } from './copy.ts'
import type { Changes } from './delivery.ts'
import { Grid } from './grid.ts'
import { element } from './page.ts'
import type { Timed } from './run.ts'
import type { Sidecar } from './sidecar.ts'

export interface InstrumentOptions {
  readonly onBreak: (name: BreakName) => void
  readonly onRestore: (name: BreakName) => void
}

/** What makes the verdicts of this page, in Node.js: the block is in the package. */
const LINES = `import { createVerifier } from 'blobcheck'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

const verifier = await createVerifier({ network: 'holesky' })
const verdicts = await verifier.verifyBlobSidecars(await readEmbeddedSidecars())
for (const { status, reason, links } of verdicts) console.log(status, reason ?? '', links)
await verifier.dispose()
`

export class Instrument {
  readonly #chain = document.querySelector('trust-chain') as TrustChainElement
  readonly #timeline = document.querySelector('worker-timeline') as WorkerTimelineElement
  #grid: Grid | null = null
  /** The timeline is of the run: the control, which comes after it, is not drawn. */
  #isRunning = true
  /** The blob that the cursor of the grid is on; null until it is moved. */
  selectedBlob: number | null = null

  constructor({ onBreak, onRestore }: InstrumentOptions) {
    this.#chain.addEventListener('linkbreak', ({ detail }) => {
      const name = breakNamed(detail.name)
      if (name !== undefined) onBreak(name)
    })
    this.#chain.addEventListener('linkrestore', ({ detail }) => {
      const name = breakNamed(detail.name)
      if (name !== undefined) onRestore(name)
    })
    document.querySelector('blob-grid')!.addEventListener('cellselect', ({ detail }) => {
      this.selectedBlob = detail.blob
    })
    this.#chain.links = chainOf([], new Map())
    element('#copy-lines', HTMLElement).append(copyButton('Copy these lines', () => LINES))
    element('#lines', HTMLElement).textContent = LINES
  }

  open(sidecars: readonly Sidecar[]): void {
    this.#grid ??= new Grid(sidecars)
  }

  workers(count: number): void {
    this.#timeline.workers = count
  }

  span(span: TraceEvent): void {
    if (this.#isRunning) this.#timeline.add(span)
  }

  /** A run begins: the timeline is of one run. */
  wait(at: number, sidecar: Sidecar): void {
    if (at === 0) {
      this.#timeline.clear()
      this.#isRunning = true
    }
    this.#grid?.wait(at, sidecar)
  }

  judge(at: number, timed: Timed): void {
    this.#grid?.judge(at, timed)
  }

  extend(at: number, parity: readonly Uint8Array[]): void {
    this.#grid?.extend(at, parity)
  }

  conclude(verdicts: readonly (Verdict | null)[], broken: Changes): void {
    this.#isRunning = false
    this.#chain.links = chainOf(verdicts, broken)
  }
}
