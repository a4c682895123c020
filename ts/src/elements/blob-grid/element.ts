/** `<blob-grid>`: the cells of a block, a row for each blob and a column for each index. */
import {
  type Count,
  counted,
  countOf,
  ElementBase,
  make,
  mark,
  readCount,
  upgradeProperties,
  write,
} from '../shared/element.ts'
import { adoptStyle, openShadow } from '../shared/palette.ts'
import { type Painter, type Sheet, Surface } from '../shared/surface.ts'
import { Swatch } from '../shared/swatch.ts'
import { Cells } from './cells.ts'
import { type Place, placeAfter } from './keys.ts'
import { Layout } from './layout.ts'
import { type Box, cellPainter, type CellState, STATES } from './states.ts'
import { css } from './style.ts'

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
  /** The attributes that are properties, too. */
  static readonly observedAttributes: readonly string[] = ['blobs', 'columns']

  #cells = new Cells(DEFAULTS.blobs, DEFAULTS.columns)
  #layout: { readonly key: string; readonly layout: Layout } | undefined
  #cursor: Place | null = null
  /** What the pointer is over: it is named, and nothing more. */
  #hovered: Place | null = null
  /** Whether a property was set, and the end of the turn is still to look at both. */
  #isChecking = false
  /** The cells that have a rim on the canvas. */
  #rimmed: readonly Place[] = []
  readonly #surface: Surface
  readonly #swatches: readonly Swatch[]
  readonly #grid = make('div', { role: 'grid', tabindex: '0', part: 'grid', 'aria-readonly': 'true' })
  readonly #active = make('div', { class: 'unseen' })
  readonly #halves = [make('span'), make('span')] as const
  readonly #line = make('p', { class: 'line', part: 'cursor' })
  readonly #counts: readonly HTMLElement[] = STATES.map(() => make('span'))

  constructor() {
    super()
    const painter: Painter = {
      height: (width, ratio) => this.#laidOut(width, ratio).height,
      paint: (sheet) => this.#paint(sheet),
      amend: (sheet) => this.#amend(sheet),
    }
    this.#surface = new Surface(painter)
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
      make('div', { class: 'halves', part: 'halves', 'aria-hidden': 'true' }, ...this.#halves),
      this.#surface.measure,
      this.#grid,
      this.#line,
      make('ul', { class: 'legend', part: 'legend', 'aria-label': 'States of cells' }, ...items),
    )
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event))
    this.#followPointer()
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
    // What the canvas shows until the next frame has rows that may be gone: the pointer finds none there.
    this.#layout = undefined
    this.#cursor = this.#hovered = null
    this.#nameActive()
    this.#tell()
    this.#surface.redraw()
  }

  #laidOut(width: number, ratio: number): Layout {
    const key = [width, ratio, this.blobs, this.columns].join()
    if (this.#layout?.key !== key)
      this.#layout = { key, layout: new Layout(width, ratio, this.blobs, this.columns) }
    return this.#layout.layout
  }

  #paint(sheet: Sheet): void {
    this.#cells.takeChanged()
    this.#paintCells(sheet, null)
  }

  #amend(sheet: Sheet): boolean {
    const { pen, width, ratio } = sheet
    const changed = this.#cells.takeChanged()
    if (changed === null) return false
    const layout = this.#laidOut(width, ratio)
    const add = (from: Place, to: Place): void => {
      // Cells that lie over each other are drawn anew together.
      const [first, last] = layout.isDense ? [0, this.columns - 1] : [from.column, to.column]
      for (let { blob } = from; blob <= to.blob; blob++)
        for (let column = first; column <= last; column++) changed.add(blob * this.columns + column)
    }
    if (layout.isDense)
      for (const blob of new Set([...changed].map((place) => Math.floor(place / this.columns))))
        add({ blob, column: 0 }, { blob, column: 0 })
    for (const place of this.#rimmed) {
      const { x, y, width, height } = rimOf(layout, place, ratio)
      pen.clearRect(x, y, width, height)
      add(layout.at(x, y), layout.at(x + width, y + height))
    }
    const box = { ...NOWHERE }
    for (const place of changed) {
      const { x, y, width, height } = this.#boxOf(layout, place, box)
      pen.clearRect(x, y, width, height)
    }
    this.#paintCells(sheet, [...changed])
    return true
  }

  /** Draws the cells at some places, or all of them, where there is nothing yet, and what goes with them. */
  #paintCells({ pen, width, ratio, colours }: Sheet, places: readonly number[] | null): void {
    const layout = this.#laidOut(width, ratio)
    const cells = this.#cells
    const count = places?.length ?? this.blobs * this.columns
    const box = { ...NOWHERE }
    STATES.forEach((state, number) => {
      const draw = cellPainter(pen, state, colours, layout.isWide)
      for (let at = 0; at < count; at++) {
        const place = places === null ? at : places[at]!
        if (cells.numberAt(place) === number) draw(this.#boxOf(layout, place, box))
      }
    })
    if (this.blobs === 0) {
      // A row without a blob, so that a grid can be seen.
      const draw = cellPainter(pen, 'waiting', colours, layout.isWide)
      for (let column = 0; column < this.columns; column++) draw(layout.box(0, column, box))
    }
    this.#rimmed = this.#rims()
    for (const place of this.#rimmed)
      this.#outline(
        pen,
        layout,
        place,
        ratio,
        colours.paper,
        place === this.#cursor ? colours.ink : colours.soft,
      )
    for (const swatch of this.#swatches) swatch.paint(colours)
    this.#tell()
  }

  /** The cells that want a rim: the cursor's lies over that of the pointer. */
  #rims(): readonly Place[] {
    return [this.#hovered, this.#cursor].filter((place) => place !== null)
  }

  #boxOf(layout: Layout, place: number, box: Box): Box {
    const column = place % this.columns
    return layout.box((place - column) / this.columns, column, box)
  }

  /** A rim around a cell, with a rim of paper around it that parts it from other cells. */
  #outline(
    pen: CanvasRenderingContext2D,
    layout: Layout,
    place: Place,
    ratio: number,
    paper: string,
    ink: string,
  ): void {
    const { x, y, width, height, line } = rimOf(layout, place, ratio)
    for (const [colour, away, thick] of [
      [paper, line, 2 * line],
      [ink, line / 2, line],
    ] as const) {
      pen.strokeStyle = colour
      pen.lineWidth = thick
      pen.strokeRect(x + away, y + away, width - 2 * away, height - 2 * away)
    }
  }

  /** Everything that is said in words. */
  #tell(): void {
    const { blobs, columns, counts } = this
    const half = Math.floor(columns / 2)
    write(this.#halves[0], half === 0 ? '' : `data: columns 0 to ${half - 1}`)
    write(this.#halves[1], half === 0 ? '' : `parity: ${half} to ${columns - 1}`)
    STATES.forEach((state, at) => write(this.#counts[at]!, `${counts[state]}`))
    const there = STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${state}`)
    const size = `${counted(blobs, 'blob')} of ${counted(columns, 'column')}`
    mark(
      this.#grid,
      'aria-label',
      blobs === 0 ? 'Cells: no blobs yet' : `Cells: ${size}. ${there.join(', ')}`,
    )
    mark(this.#grid, 'aria-rowcount', `${blobs}`)
    mark(this.#grid, 'aria-colcount', `${columns}`)
    const named = this.#hovered ?? this.#cursor
    const invitation = blobs === 0 ? 'No blobs yet.' : 'Point at a cell, or use the arrow keys.'
    write(this.#line, named === null ? invitation : this.#describe(named))
    const cell = this.#active.querySelector('[role=gridcell]')
    if (cell !== null && this.#cursor !== null) write(cell, this.#describe(this.#cursor))
  }

  #describe({ blob, column }: Place): string {
    const half = column < Math.floor(this.columns / 2) ? 'data' : 'parity'
    return `Blob ${blob}, column ${column} (${half}): ${this.stateOf(blob, column)}`
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
  }

  #followPointer(): void {
    const { canvas } = this.#surface
    const placeOf = (event: PointerEvent): Place | null => {
      const { x, y } = this.#surface.placeOf(event)
      return this.blobs === 0 || this.#layout === undefined ? null : this.#layout.layout.at(x, y)
    }
    const hover = (place: Place | null): void => {
      if (isSame(place, this.#hovered)) return
      this.#hovered = place
      this.#surface.redraw()
    }
    let isPressed = false
    canvas.addEventListener('pointerdown', (event) => {
      isPressed = false
      const place = placeOf(event)
      if (place === null || event.button !== 0) return
      canvas.setPointerCapture(event.pointerId)
      isPressed = true
      this.#hovered = null
      this.select(place.blob, place.column)
    })
    // Screen readers of phones click, and have no keys and no pointer that would be at a cell.
    this.#grid.addEventListener('click', () => {
      const { blob, column } = this.#cursor ?? { blob: 0, column: 0 }
      if (!isPressed && this.blobs > 0) this.select(blob, column)
      isPressed = false
    })
    canvas.addEventListener('pointermove', (event) => {
      const place = placeOf(event)
      if (!canvas.hasPointerCapture(event.pointerId)) hover(event.pointerType === 'touch' ? null : place)
      else if (place !== null && !isSame(place, this.#cursor)) this.select(place.blob, place.column)
    })
    canvas.addEventListener('pointerleave', () => hover(null))
  }
}

const NOWHERE: Readonly<Box> = { x: 0, y: 0, width: 0, height: 0 }

/** The outer edge of a cell's rim, and how thick its line is. Thin cells get a wider one, so that it can be seen. */
function rimOf(layout: Layout, { blob, column }: Place, ratio: number): Box & { readonly line: number } {
  const { x, y, width, height } = layout.box(blob, column, { ...NOWHERE })
  const line = Math.max(1, Math.round(1.5 * ratio))
  const more = Math.max(0, Math.ceil((4 * ratio - width) / 2)) + line
  return { x: x - more, y: y - line, width: width + 2 * more, height: height + 2 * line, line }
}

const isSame = (one: Place | null, other: Place | null): boolean =>
  one?.blob === other?.blob && one?.column === other?.column
