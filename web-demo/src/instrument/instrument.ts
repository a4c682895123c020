/** The grid with its inspector, the chain and the timeline, of the elements that the package has for every page; one source has them at a time. */
import 'blobcheck/elements'
import type {
  BlobGridElement,
  CellSelection,
  TrustChainElement,
  WorkerTimelineElement,
} from 'blobcheck/elements'
import { showAsked } from '../shared/asked.ts'
import { copyButton } from '../shared/copy.ts'
import { element } from '../shared/page.ts'
import { CELLS } from '../shared/sizes.ts'
import { NOTHING_VERIFIED, showBlock, showConclusion, showWorking } from './bar.ts'
import { Inspector } from './inspector.ts'
import type { CellDetail, Source, Stage } from './stage.ts'

type Look = (blob: number, column: number) => CellDetail

const unknown: Look = () => ({ text: 'Nothing is known of it yet.', bytes: null })

export class Instrument {
  readonly #grid = document.querySelector('blob-grid') as BlobGridElement
  readonly #chain = document.querySelector('trust-chain') as TrustChainElement
  readonly #timeline = document.querySelector('worker-timeline') as WorkerTimelineElement
  readonly #inspector = new Inspector()
  #source: Source | null = null
  #held = new AbortController()
  #look = unknown
  #selected: CellSelection | null = null

  constructor() {
    this.#chain.addEventListener('linkbreak', ({ detail }) => this.#source?.onBreak?.(detail.name))
    this.#chain.addEventListener('linkrestore', ({ detail }) => this.#source?.onRestore?.(detail.name))
    this.#grid.addEventListener('cellselect', ({ detail }) => {
      this.#selected = detail
      this.#inspect()
    })
    element('#copy-lines', HTMLElement).append(
      copyButton('Copy these lines', () => element('#lines', HTMLElement).textContent),
    )
  }

  /** The cell that the cursor of the grid is on; null until it is moved. */
  get selected(): CellSelection | null {
    return this.#selected
  }

  /** Aborted when somebody takes the instrument. */
  get held(): AbortSignal {
    return this.#held.signal
  }

  take(source: Source): Stage {
    this.#held.abort()
    const { signal } = (this.#held = new AbortController())
    this.#source = source
    showAsked({ shown: source.name })
    this.#look = unknown
    this.#timeline.clear()
    this.#showLines(source)
    // Who has the instrument no longer may still be at work for a while: nothing of that is shown.
    const held =
      <A extends unknown[]>(act: (...values: A) => void) =>
      (...values: A): void => {
        if (!signal.aborted) act(...values)
      }
    return {
      signal,
      subject: held((subject) => {
        showBlock(subject)
        showConclusion(NOTHING_VERIFIED)
        this.#look = unknown
        // Where the grid keeps its rows it keeps its cursor, and what is chosen is the cell that is there now.
        if (this.#grid.blobs === subject.blobs) this.#grid.fill('waiting')
        else {
          this.#grid.blobs = subject.blobs
          this.#selected = null
          this.#inspector.clear()
        }
        this.#inspect()
      }),
      begin: held(() => {
        showWorking()
        this.#timeline.clear()
      }),
      cell: held((blob, column, state) => {
        this.#grid.cell(blob, column, state)
        if (this.#selected?.blob === blob && this.#selected.column === column) this.#inspect()
      }),
      row: held((blob, state, from = 0, to = CELLS) => {
        for (let column = from; column < to; column++) this.#grid.cell(blob, column, state)
        if (this.#selected?.blob === blob) this.#inspect()
      }),
      column: held((column, state) => {
        for (let blob = 0; blob < this.#grid.blobs; blob++) this.#grid.cell(blob, column, state)
        if (this.#selected?.column === column) this.#inspect()
      }),
      inspect: held((look) => {
        this.#look = look
        this.#inspect()
      }),
      links: held((links) => {
        this.#chain.links = links
      }),
      workers: held((count) => {
        this.#timeline.workers = count
      }),
      span: held((span) => this.#timeline.add(span)),
      conclude: held((conclusion) => {
        showConclusion(conclusion)
        this.#showLines(source)
      }),
    }
  }

  #inspect(): void {
    if (this.#selected === null) return
    this.#inspector.show(this.#selected, this.#look(this.#selected.blob, this.#selected.column))
  }

  #showLines(source: Source): void {
    element('#lines', HTMLElement).textContent = source.lines()
  }
}
