/** `<blob-grid>`: the cells of a block, a row for each blob and a column for each index. */
import {
  type Count,
  countOf,
  ElementBase,
  ENGLISH,
  make,
  mark,
  name,
  readCount,
  upgradeProperties,
  write,
} from '../shared/element.ts'
import { adoptStyle, openShadow } from '../shared/palette.ts'
import { Surface } from '../shared/surface.ts'
import { Swatch } from '../shared/swatch.ts'
import { Cells } from './cells.ts'
import { Drawing } from './drawing.ts'
import { type Place, placeAfter } from './keys.ts'
import { followPointer, isSame, type Pointed } from './pointer.ts'
import { cellPainter, type CellState, STATES } from './states.ts'
import { css } from './style.ts'
import { describe, halvesOf, lineOf, nameOf } from './words.ts'

/** What `cellselect` tells: where the cursor is now, and what the cell there is. */
export interface CellSelection {
  /** The row, from 0. */
  readonly blob: number
  /** The column, from 0. */
  readonly column: number
  readonly state: CellState
}

const DEFAULTS = { blobs: 0, columns: 128 } as const

const LEAST = { blobs: 0, columns: 1 } as const

/** More than any block has; what is larger is a mistake. */
const MOST = 4096

/** As many as 4,096 blobs have: more would take the page's memory, and its thread for seconds. */
const MOST_CELLS = MOST * DEFAULTS.columns

/**
 * `<blob-grid blobs="6" columns="128">`: a canvas with a cell for each column of each blob, data to the left of the middle and parity (the
 * extension) to the right. States differ by colour and by shape. The pointer and the keys of a grid (arrows, Home, End, Page Up, Page
 * Down; Home and End with Ctrl) move a cursor, and `cellselect` tells where it is. However many cells change, the canvas is drawn once a
 * frame.
 *
 * @example
 * ```ts browser
 * import 'blobcheck/elements/blob-grid'
 *
 * const grid = document.createElement('blob-grid')
 * grid.blobs = 6
 * document.body.append(grid)
 * grid.fill('waiting')
 * grid.cell(0, 64, 'valid') // blob 0, column 64: the first of parity
 * grid.addEventListener('cellselect', ({ detail }) => {
 *   console.log(detail.column === 64 && detail.state === grid.stateOf(0, 64) && grid.counts.valid === 1) // true
 * })
 * grid.select(0, 64)
 * grid.focus() // its keys move on from there
 * ```
 */
export class BlobGridElement extends ElementBase {
  /** The attributes that are properties, too, and the name that a page gives it. */
  static readonly observedAttributes: readonly string[] = ['blobs', 'columns', 'aria-label']

  #cells = new Cells(DEFAULTS.blobs, DEFAULTS.columns)
  #cursor: Place | null = null
  /** What the pointer is over: it is named, and nothing more. */
  #hovered: Place | null = null
  /** Whether a property was set, and the end of the turn is still to look at both. */
  #isChecking = false
  readonly #drawing: Drawing
  readonly #surface: Surface
  readonly #swatches: readonly Swatch[]
  readonly #grid = make('div', { role: 'grid', tabindex: '0', part: 'grid', 'aria-readonly': 'true' })
  readonly #active = make('div', { class: 'unseen', ...ENGLISH })
  readonly #halves = [make('span'), make('span')] as const
  readonly #line = make('p', { class: 'line', part: 'cursor', ...ENGLISH })
  readonly #counts: readonly HTMLElement[] = STATES.map(() => make('span'))

  constructor() {
    super()
    this.#drawing = new Drawing(
      () => ({ cells: this.#cells, cursor: this.#cursor, hovered: this.#hovered }),
      (colours) => {
        for (const swatch of this.#swatches) swatch.paint(colours)
        this.#tell()
      },
    )
    this.#surface = new Surface(this.#drawing)
    this.#swatches = STATES.map(
      (state) =>
        new Swatch('swatch', 12, 12, (pen, colours, width, height) =>
          cellPainter(pen, state, colours, true)({ x: 0, y: 0, width, height }),
        ),
    )
    this.#grid.append(this.#surface.canvas, this.#active)
    const items = STATES.map((state, at) =>
      make('li', {}, this.#swatches[at]!.canvas, make('span', {}, `${state} `, this.#counts[at]!)),
    )
    openShadow(
      this,
      css,
      make('div', { class: 'halves', part: 'halves', 'aria-hidden': 'true', ...ENGLISH }, ...this.#halves),
      this.#surface.measure,
      this.#grid,
      this.#line,
      make('ul', { class: 'legend', part: 'legend', 'aria-label': 'States of cells', ...ENGLISH }, ...items),
    )
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event))
    followPointer(this.#grid, this.#surface.canvas, this.#pointed())
    this.#nameActive()
    this.#tell()
  }

  /** How many blobs there are: rows, 0 by default. Another number makes all cells `waiting`. Digits count, too, and null and undefined are the default. RangeError where it is no number from 0 to 4096; of more than 524,288 cells, see `columns`. */
  get blobs(): number {
    return this.#cells.blobs
  }
  set blobs(blobs: Count) {
    this.#set('blobs', blobs)
  }

  /**
   * How many columns there are, 128 by default. Another number makes all cells `waiting`. Digits count, too, and null and undefined are the
   * default. RangeError where it is no number from 1 to 4096. Where blobs and columns are more than 524,288 cells together, there are 128 columns
   * as long as that is so: frameworks set one after the other. Where it is still so when they are done, before the next frame, the RangeError is
   * an `error` of the page.
   */
  get columns(): number {
    return this.#cells.columns
  }
  set columns(columns: Count) {
    this.#set('columns', columns)
  }

  /** How many cells there are of each state. */
  get counts(): Record<CellState, number> {
    return this.#cells.counts
  }

  /** Gives a cell a state; the canvas shows it in the next frame. RangeError where there is no such cell, TypeError where there is no such state. */
  cell(blob: number, column: number, state: CellState): void {
    this.#cells.set(blob, column, state)
    this.#surface.redraw()
  }

  /** Gives all cells a state. TypeError where there is no such state. */
  fill(state: CellState): void {
    this.#cells.fill(state)
    this.#surface.redraw()
  }

  /** The state of a cell. RangeError where there is no such cell. */
  stateOf(blob: number, column: number): CellState {
    return this.#cells.get(blob, column)
  }

  /** Moves the cursor to a cell, and fires `cellselect`, which bubbles. RangeError where there is no such cell. */
  select(blob: number, column: number): void {
    const detail: CellSelection = { blob, column, state: this.stateOf(blob, column) }
    this.#cursor = { blob, column }
    this.#nameActive()
    this.#tell()
    this.#surface.redraw()
    this.dispatchEvent(new CustomEvent('cellselect', { detail, bubbles: true, composed: true }))
  }

  /** Gives the focus to what takes the keyboard: the cells. */
  override focus(options?: FocusOptions): void {
    this.#grid.focus(options)
  }

  /** Called by the page: an attribute has another value. One that is no number in range counts as its default, and so do columns of too many cells. */
  attributeChangedCallback(): void {
    const [blobs, columns] = this.#wanted
    this.#resize(blobs, blobs * columns > MOST_CELLS ? DEFAULTS.columns : columns)
    this.#tell()
  }

  /** Called by the page: the element is in a document. */
  connectedCallback(): void {
    adoptStyle(this, css)
    this.#surface.join()
    // Last: it throws where one is wrong, and the element is there all the same.
    upgradeProperties(this, ['blobs', 'columns'])
  }

  /** Called by the page: the element was taken out. */
  disconnectedCallback(): void {
    this.#surface.leave()
  }

  /** Blobs and columns as the attributes have them, which may be of too many cells together. */
  get #wanted(): readonly [number, number] {
    return (['blobs', 'columns'] as const).map(
      (name) => countOf(this.getAttribute(name), LEAST[name], MOST) ?? DEFAULTS[name],
    ) as [number, number]
  }

  /** The attribute is the property: the grid follows it. */
  #set(name: 'blobs' | 'columns', count: Count): void {
    mark(this, name, `${readCount(name, count ?? DEFAULTS[name], LEAST[name], MOST)}`)
    if (this.#isChecking) return
    this.#isChecking = true
    queueMicrotask(() => {
      this.#isChecking = false
      const [blobs, columns] = this.#wanted
      if (blobs * columns > MOST_CELLS)
        throw new RangeError(`a grid has at most ${MOST_CELLS} cells, not ${blobs} times ${columns}`)
    })
  }

  #resize(blobs: number, columns: number): void {
    if (blobs === this.blobs && columns === this.columns) return
    this.#cells = new Cells(blobs, columns)
    this.#drawing.forget()
    this.#cursor = this.#hovered = null
    this.#nameActive()
    this.#tell()
    this.#surface.redraw()
  }

  /** Everything that is said in words. */
  #tell(): void {
    const cells = this.#cells
    halvesOf(cells).forEach((text, at) => write(this.#halves[at]!, text))
    const { counts } = cells
    STATES.forEach((state, at) => write(this.#counts[at]!, `${counts[state]}`))
    name(this.#grid, this, nameOf(cells))
    mark(this.#grid, 'aria-rowcount', `${cells.blobs}`)
    mark(this.#grid, 'aria-colcount', `${cells.columns}`)
    write(this.#line, lineOf(cells, this.#hovered ?? this.#cursor))
    const cell = this.#active.querySelector('[role=gridcell]')
    if (cell !== null && this.#cursor !== null) write(cell, describe(cells, this.#cursor))
  }

  /** The cursor's cell is the one that is in the tree. It is a new one each time, so that screen readers read it. */
  #nameActive(): void {
    if (this.#cursor === null) {
      this.#active.replaceChildren()
      // A grid has rows, if it has no cells to speak of.
      this.#active.append(
        make('div', { role: 'row' }, make('span', { role: 'gridcell' }, 'No cell is selected')),
      )
      this.#grid.removeAttribute('aria-activedescendant')
      return
    }
    const { blob, column } = this.#cursor
    const id = `cell-${blob}-${column}`
    const cell = make('span', {
      id,
      role: 'gridcell',
      'aria-selected': 'true',
      'aria-colindex': `${column + 1}`,
    })
    this.#active.replaceChildren(make('div', { role: 'row', 'aria-rowindex': `${blob + 1}` }, cell))
    this.#grid.setAttribute('aria-activedescendant', id)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.shiftKey) return
    const place = placeAfter(event.key, event.ctrlKey, this.#cursor, this.blobs, this.columns)
    if (place === null) return
    event.preventDefault()
    this.#hovered = null
    this.select(place.blob, place.column)
    this.#bringIntoView(place)
  }

  /** Scrolls as far as the cell of the cursor wants: its keys are taken from the page. What is in the tree for it lies where it is drawn. */
  #bringIntoView(place: Place): void {
    const part = this.#drawing.partOf(place)
    if (part === null) return
    for (const side of ['left', 'top', 'width', 'height'] as const)
      this.#active.style[side] = `${100 * part[side]}%`
    this.#active.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }

  /** The grid, as a pointer meets it. */
  #pointed(): Pointed {
    const grid = this
    return {
      get blobs() {
        return grid.blobs
      },
      get cursor() {
        return grid.#cursor
      },
      at: (event) => {
        const { x, y } = this.#surface.placeOf(event)
        return this.#drawing.at(x, y)
      },
      hover: (place) => {
        if (isSame(place, this.#hovered)) return
        this.#hovered = place
        this.#surface.redraw()
      },
      select: ({ blob, column }) => {
        this.#hovered = null
        this.select(blob, column)
      },
    }
  }
}
