/**
 * The live view of a block that is being sampled: what is known of it, the state of each column and what each endpoint delivered,
 * in lines of a terminal that are drawn anew at a steady pace.
 */
import { COLUMNS } from '../../beacon/constants.ts'
import type { SampleEvent } from '../../sampler/report.ts'
import { printable } from '../../util/printable.ts'
import { columnsOf, type Output, Screen, type Style, type Styled, styleFor } from '../terminal/output.ts'
import { clip } from '../terminal/text.ts'
import { counted, duration, grouped, size } from '../terminal/words.ts'
import { errorInFigures, labelled } from './report-text.ts'

/** What is known of a column. `refused`: what was delivered is false, and nobody has sent a true one. */
export type CellState = 'unchosen' | 'chosen' | 'delivered' | 'verified' | 'missing' | 'refused'

/** What one endpoint delivered. */
export interface Delivered {
  readonly columns: number
  readonly refused: number
  readonly bytes: number
}

/** What is known of a block while it is sampled. */
export interface Sampling {
  readonly block: { readonly slot: number; readonly root: string; readonly blobs: number | null } | null
  /** 128 of them. */
  readonly cells: readonly CellState[]
  /** By name, in the order in which they first delivered. */
  readonly endpoints: ReadonlyMap<string, Delivered>
}

export const unsampled: Sampling = {
  block: null,
  cells: Array.from({ length: COLUMNS }, (): CellState => 'unchosen'),
  endpoints: new Map(),
}

/** What is known after an event. */
export function afterEvent(sampling: Sampling, event: SampleEvent): Sampling {
  switch (event.kind) {
    case 'block':
      return { ...sampling, block: { slot: event.slot, root: event.root, blobs: event.blobs } }
    case 'chosen':
      return { ...sampling, cells: withCells(sampling.cells, event.columns, 'chosen') }
    case 'fetched':
      return {
        ...sampling,
        cells: withCells(sampling.cells, [event.column], 'delivered'),
        endpoints: withDelivery(sampling.endpoints, event.endpoint, { columns: 1, bytes: event.bytes }),
      }
    case 'refused':
      return {
        ...sampling,
        cells: withCells(sampling.cells, [event.column], 'refused'),
        endpoints: withDelivery(sampling.endpoints, event.endpoint, { refused: 1 }),
      }
    case 'column': {
      const { index, status, reason } = event.outcome
      const state = status === 'verified' ? status : reason === 'false' ? 'refused' : 'missing'
      return { ...sampling, cells: withCells(sampling.cells, [index], state) }
    }
    case 'done':
      return sampling
  }
}

/** How many cells are in a state. */
export function countOf({ cells }: Sampling, state: CellState): number {
  return cells.filter((cell) => cell === state).length
}

function withCells(
  cells: readonly CellState[],
  columns: readonly number[],
  state: CellState,
): readonly CellState[] {
  const next = [...cells]
  for (const column of columns) next[column] = state
  return next
}

function withDelivery(
  endpoints: Sampling['endpoints'],
  name: string,
  more: Partial<Delivered>,
): Sampling['endpoints'] {
  const { columns, refused, bytes } = endpoints.get(name) ?? { columns: 0, refused: 0, bytes: 0 }
  return new Map(endpoints).set(name, {
    columns: columns + (more.columns ?? 0),
    refused: refused + (more.refused ?? 0),
    bytes: bytes + (more.bytes ?? 0),
  })
}

/** What the view depends on. */
interface Frame {
  readonly sampling: Sampling
  /** What is taken on trust, or null. */
  readonly label: string | null
  /** Since the beginning, in milliseconds. */
  readonly elapsedMs: number
  /** The probability of a wrong “available” that the sample is drawn for. */
  readonly maxError: number
  /** Cells in a line of the terminal. */
  readonly width: number
  readonly styled: Styled
}

/** Each state has a sign of its own: colours only repeat what it says. */
const signs: Readonly<Record<CellState, readonly [sign: string, style: Style]>> = {
  unchosen: ['·', 'dim'],
  chosen: ['…', 'bold'],
  delivered: ['▒', 'yellow'],
  verified: ['█', 'green'],
  missing: ['✗', 'red'],
  refused: ['!', 'red'],
}
const states = Object.keys(signs) as CellState[]
const GROUP = 8

/** The lines, none of which is wider than the terminal. */
export function viewLines(frame: Frame): string[] {
  return [title(frame), ...rows(frame), ...legend(frame), aim(frame), ...endpoints(frame)]
}

function title({ sampling: { block }, label, width, styled, elapsedMs }: Frame): string {
  if (block === null) return clip(`looking for the block (${duration(elapsedMs)})`, width)
  const blobs = block.blobs === null ? '' : `, ${counted(block.blobs, 'blob')}`
  const root = `${block.root.slice(0, 10)}…${block.root.slice(-6)}`
  return styled(
    'bold',
    clip(`slot ${block.slot}${labelled(label)}${blobs}, ${root} (${duration(elapsedMs)})`, width),
  )
}

/** Rows of as many groups as fit, with the number of their first column before them. */
function rows({ sampling: { cells }, width, styled }: Frame): string[] {
  const inRow = width >= 80 ? 64 : width >= 42 ? 32 : 8
  return Array.from({ length: COLUMNS / inRow }, (_, row) => {
    const groups = Array.from({ length: inRow / GROUP }, (_, group) => {
      const from = row * inRow + group * GROUP
      return runs(cells.slice(from, from + GROUP), styled)
    })
    return `${String(row * inRow).padStart(4)}  ${groups.join(' ')}`
  })
}

/** Cells of one state after another are painted at once: an escape for each would be most of what is written. */
function runs(cells: readonly CellState[], styled: Styled): string {
  let text = ''
  for (let at = 0; at < cells.length;) {
    const state = cells[at] ?? 'unchosen'
    let end = at
    while (cells[end] === state) end++
    const [sign, style] = signs[state]
    text += styled(style, sign.repeat(end - at))
    at = end
  }
  return text
}

/** The signs with how many there are of each, broken between them. */
function legend({ sampling, width, styled }: Frame): string[] {
  const words: Readonly<Record<CellState, string>> = {
    unchosen: 'not chosen',
    chosen: 'chosen',
    delivered: 'delivered',
    verified: 'verified',
    missing: 'missing',
    refused: 'refused',
  }
  const lines: string[][] = [[]]
  let length = 0
  for (const state of states) {
    const [sign, style] = signs[state]
    const text = `${grouped(countOf(sampling, state))} ${words[state]}`
    const takes = 4 + text.length
    if (length > 0 && length + takes > width) {
      lines.push([])
      length = 0
    }
    lines.at(-1)?.push(`  ${styled(style, sign)} ${text}`)
    length += takes
  }
  return lines.map((parts) => parts.join(''))
}

/** What it is about to show, and has not yet. */
function aim({ sampling, maxError, width }: Frame): string {
  const chosen = COLUMNS - countOf(sampling, 'unchosen')
  const figures = errorInFigures(maxError)
  return clip(
    `  aim: ${figures}, once all ${chosen === 0 ? '' : `${chosen} `}chosen columns are verified`,
    width,
  )
}

function endpoints({ sampling, elapsedMs, width, styled }: Frame): string[] {
  return Array.from(sampling.endpoints, ([name, { columns, refused, bytes }]) => {
    const rate = elapsedMs > 0 ? `, ${size((bytes / elapsedMs) * 1_000)}/s` : ''
    const bad = refused === 0 ? '' : `, ${refused} refused`
    const figures = `  ${counted(columns, 'column')}, ${size(bytes)}${rate}${bad}`
    // The name gives way: figures are what moves.
    const line = `  ${clip(printable(name), Math.max(8, width - 2 - figures.length))}${figures}`
    return refused === 0 ? clip(line, width) : styled('yellow', clip(line, width))
  })
}

const FRAME_MS = 80

export class LiveView {
  readonly #out: Output
  readonly #label: string | null
  readonly #screen: Screen
  #sampling = unsampled
  #startMs = 0
  #maxError = 1
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(out: Output, label: string | null) {
    this.#out = out
    this.#label = label
    this.#screen = new Screen(out)
  }

  start(maxError: number): void {
    this.#maxError = maxError
    this.#startMs = performance.now()
    this.#timer = setInterval(() => this.#draw(), FRAME_MS)
  }

  update(event: SampleEvent): void {
    this.#sampling = afterEvent(this.#sampling, event)
  }

  /** The last picture stays. May be called again. */
  end(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#draw()
    this.#screen.leave()
  }

  #draw(): void {
    const elapsedMs = performance.now() - this.#startMs
    const width = columnsOf(this.#out) - 1
    const [sampling, label, maxError] = [this.#sampling, this.#label, this.#maxError]
    const styled = styleFor(this.#out)
    this.#screen.draw(viewLines({ sampling, label, elapsedMs, maxError, width, styled }))
  }
}
