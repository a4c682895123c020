/** One slot as it was sampled: what is needed to draw it on the instrument, while it is sampled and whenever it is shown again. */
import type { Links, TraceEvent } from 'blobcheck'
import type { CellState, ChainLink } from 'blobcheck/elements'
import type { ColumnOutcome, SampleProgress, SampleReport } from 'blobcheck/sampler'
import type { CellDetail, Conclusion, Stage } from '../instrument/stage.ts'
import type { Hex } from '../shared/bytes.ts'
import { milliseconds } from '../shared/words.ts'
import type { Answers } from './answers.ts'
import { linksOf, openLinks } from './links.ts'
import { columnWords, counted, type FollowedSlot, refusedColumns } from './slot.ts'

/** What is known of a column that was drawn. Times are of `performance.now()`. */
interface Column {
  readonly drawnAt: number
  arrivedAt: number | null
  verifiedAt: number
  outcome: ColumnOutcome | null
}

export class SlotRecord {
  readonly slot: number
  /** As the ribbon has it. */
  view: FollowedSlot
  readonly #network: string
  readonly #answers: Answers
  readonly #columns = new Map<number, Column>()
  readonly #spans: TraceEvent[] = []
  #root: Hex | null = null
  #blobs = 0
  #links: readonly ChainLink[] = openLinks('It is being looked for.')
  #conclusion: Conclusion | null = null

  constructor(view: FollowedSlot, network: string, answers: Answers) {
    this.slot = view.slot
    this.view = view
    this.#network = network
    this.#answers = answers
  }

  get root(): Hex | null {
    return this.#root
  }

  get isConcluded(): boolean {
    return this.#conclusion !== null
  }

  /** Draws all that is known. */
  draw(stage: Stage): void {
    stage.subject({ network: this.#network, slot: this.slot, root: this.#root, blobs: this.#blobs })
    stage.begin()
    for (const [index, { outcome }] of this.#columns)
      if (outcome !== null) stage.column(index, stateOf(outcome))
    stage.inspect((blob, column) => this.#look(blob, column))
    stage.links(this.#links)
    for (const span of this.#spans) stage.span(span)
    if (this.#conclusion !== null) stage.conclude(this.#conclusion)
  }

  /** Takes in an event of the sampler. `stage`: where it is drawn at once, null where another slot is shown. */
  take(event: SampleProgress, stage: Stage | null): void {
    const now = performance.now()
    if (event.kind === 'block') {
      this.#root = event.root as Hex
      this.#blobs = event.blobs ?? 0
      if (stage !== null) this.draw(stage)
    } else if (event.kind === 'chosen') {
      for (const index of event.columns)
        this.#columns.set(index, { drawnAt: now, arrivedAt: null, verifiedAt: now, outcome: null })
    } else if (event.kind === 'fetched') {
      const column = this.#columns.get(event.column)
      if (column !== undefined) column.arrivedAt = now
    } else if (event.kind === 'column') {
      const column = this.#columns.get(event.outcome.index)
      if (column === undefined) return
      Object.assign(column, { outcome: event.outcome, verifiedAt: now })
      stage?.column(event.outcome.index, stateOf(event.outcome))
    }
  }

  span(span: TraceEvent, stage: Stage | null): void {
    this.#spans.push(span)
    stage?.span(span)
  }

  /** The sample is over. `report`: null where nothing was asked. `header`: what is known of the header, whether or not data came. */
  conclude(
    view: FollowedSlot,
    report: SampleReport | null,
    header: Partial<Links>,
    stage: Stage | null,
  ): void {
    this.view = view
    if (report === null) {
      this.#links = openLinks(
        view.state === 'empty' ? 'This slot has no block.' : 'Nothing was verified of this slot.',
      )
    } else {
      if (report.block !== null) this.#root = report.block.root as Hex
      this.#links = linksOf(report, header)
    }
    this.#conclusion = conclusionOf(view, report, header)
    // Where the header does not say how many blobs there are, the columns that came do.
    const blobs = report?.blobCount.count ?? this.#blobs
    const isDrawn = stage !== null && blobs === this.#blobs && report !== null
    this.#blobs = blobs
    if (stage === null) return
    if (!isDrawn) return this.draw(stage)
    stage.links(this.#links)
    stage.conclude(this.#conclusion)
  }

  #look(blob: number, column: number): CellDetail {
    const known = this.#columns.get(column)
    if (known === undefined)
      return { text: 'This column was not drawn for the sample: nothing is known of it here.', bytes: null }
    const { outcome, drawnAt, arrivedAt, verifiedAt } = known
    if (outcome === null)
      return { text: 'This column was drawn, and is asked for. It has no verdict yet.', bytes: null }
    const ms = arrivedAt === null ? null : { arrived: arrivedAt - drawnAt, verified: verifiedAt - arrivedAt }
    const sender =
      outcome.source ?? outcome.attempts.filter(({ outcome }) => outcome === 'false').at(-1)?.endpoint
    return {
      text: columnWords(outcome, ms),
      bytes:
        sender === undefined || this.#root === null
          ? null
          : this.#answers.cell(this.#root, sender, column, blob),
    }
  }
}

function stateOf({ status, reason }: ColumnOutcome): CellState {
  return status === 'verified' ? 'valid' : reason === 'false' ? 'refused' : 'missing'
}

function conclusionOf(view: FollowedSlot, report: SampleReport | null, header: Partial<Links>): Conclusion {
  const links = { ...report?.links, ...header }
  const resting =
    links['sync-committee'] === 'verified' && links.checkpoint === 'verified'
      ? 'a sync committee'
      : links.header === 'verified' || links.header === 'trusted'
        ? 'your word'
        : 'nothing'
  const said = (state: Conclusion['state'], verdict: string): Conclusion => ({ state, verdict, resting })
  const columns = report?.columns ?? []
  switch (view.state) {
    case 'sampling':
      return said('working', 'Sampling…')
    case 'available': {
      const verified = columns.filter(({ status }) => status === 'verified').length
      const blobs = report?.blobCount.count ?? 0
      const ms = milliseconds(report?.timings.totalMs ?? 0)
      return said(
        'verified',
        `Verified here: ${counted(verified, 'column')} of 128, ${counted(verified * blobs, 'cell')}, ${ms}`,
      )
    }
    case 'refused':
      return said(
        'refused',
        `Refused here: ${report === null ? 0 : counted(refusedColumns(report), 'column')}`,
      )
    case 'unavailable':
      return said('refused', 'Not available: columns are missing')
    case 'not-revealed':
      return said('unknown', 'The payload was not revealed')
    case 'no-blobs':
      return said('verified', 'No blobs: proven by the block')
    case 'empty':
      return said('verified', 'An empty slot: there is no block')
    case 'unknown':
      return said('unknown', 'Not known')
    case 'missed':
      return said('unknown', 'Not sampled')
  }
}
