/** What the canvas of a grid shows: each cell in its place, and a rim around the one with the cursor and the one that is pointed at. */
import type { Palette } from '../shared/palette.ts'
import type { Painter, Sheet } from '../shared/surface.ts'
import type { Cells } from './cells.ts'
import type { Place } from './keys.ts'
import { Layout } from './layout.ts'
import { type Box, cellPainter, STATES } from './states.ts'

/** What there is to draw. */
export interface Shown {
  readonly cells: Cells
  readonly cursor: Place | null
  readonly hovered: Place | null
}

export class Drawing implements Painter {
  readonly #shown: () => Shown
  readonly #onDrawn: (colours: Palette) => void
  #layout: { readonly key: string; readonly layout: Layout } | undefined
  /** The cells that have a rim on the canvas. */
  #rimmed: readonly Place[] = []

  /** `shown` is asked each time for what there is by now; `onDrawn` is told each time in which colours it was drawn. */
  constructor(shown: () => Shown, onDrawn: (colours: Palette) => void) {
    this.#shown = shown
    this.#onDrawn = onDrawn
  }

  /** What is on the canvas has rows that may be gone: until it is drawn anew there is no cell anywhere. */
  forget(): void {
    this.#layout = undefined
  }

  /** The cell that is nearest to a place of the canvas; null where none is there. */
  at(x: number, y: number): Place | null {
    return this.#shown().cells.blobs === 0 || this.#layout === undefined ? null : this.#layout.layout.at(x, y)
  }

  /** Where a cell is on the canvas, in parts of its width and height; null where nothing is drawn. */
  partOf({ blob, column }: Place): Record<'left' | 'top' | 'width' | 'height', number> | null {
    if (this.#layout === undefined) return null
    const { layout } = this.#layout
    const { x, y, width, height } = layout.box(blob, column, { ...NOWHERE })
    const [wide, high] = [layout.width, layout.height]
    return { left: x / wide, top: y / high, width: width / wide, height: height / high }
  }

  height(width: number, ratio: number): number {
    return this.#laidOut(width, ratio).height
  }

  paint(sheet: Sheet): void {
    this.#shown().cells.takeChanged()
    this.#draw(sheet, null)
  }

  amend(sheet: Sheet): boolean {
    const { pen, width, ratio } = sheet
    const { cells } = this.#shown()
    const changed = cells.takeChanged()
    if (changed === null) return false
    const layout = this.#laidOut(width, ratio)
    const add = (from: Place, to: Place): void => {
      // Cells that lie over each other are drawn anew together.
      const [first, last] = layout.isDense ? [0, cells.columns - 1] : [from.column, to.column]
      for (let { blob } = from; blob <= to.blob; blob++)
        for (let column = first; column <= last; column++) changed.add(blob * cells.columns + column)
    }
    if (layout.isDense)
      for (const blob of new Set([...changed].map((place) => Math.floor(place / cells.columns))))
        add({ blob, column: 0 }, { blob, column: 0 })
    for (const place of this.#rimmed) {
      const { x, y, width, height } = rimOf(layout, place, ratio)
      pen.clearRect(x, y, width, height)
      add(layout.at(x, y), layout.at(x + width, y + height))
    }
    const box = { ...NOWHERE }
    for (const place of changed) {
      const { x, y, width, height } = boxOf(layout, cells, place, box)
      pen.clearRect(x, y, width, height)
    }
    this.#draw(sheet, [...changed])
    return true
  }

  #laidOut(width: number, ratio: number): Layout {
    const { blobs, columns } = this.#shown().cells
    const key = [width, ratio, blobs, columns].join()
    if (this.#layout?.key !== key) this.#layout = { key, layout: new Layout(width, ratio, blobs, columns) }
    return this.#layout.layout
  }

  /** Draws the cells at some places, or all of them, where there is nothing yet, and the rims. */
  #draw({ pen, width, ratio, colours }: Sheet, places: readonly number[] | null): void {
    const { cells, cursor, hovered } = this.#shown()
    const layout = this.#laidOut(width, ratio)
    const count = places?.length ?? cells.blobs * cells.columns
    const box = { ...NOWHERE }
    STATES.forEach((state, number) => {
      const draw = cellPainter(pen, state, colours, layout.isWide)
      for (let at = 0; at < count; at++) {
        const place = places === null ? at : places[at]!
        if (cells.numberAt(place) === number) draw(boxOf(layout, cells, place, box))
      }
    })
    if (cells.blobs === 0) {
      // A row without a blob, so that a grid can be seen.
      const draw = cellPainter(pen, 'waiting', colours, layout.isWide)
      for (let column = 0; column < cells.columns; column++) draw(layout.box(0, column, box))
    }
    // The cursor's rim lies over that of the pointer.
    this.#rimmed = [hovered, cursor].filter((place) => place !== null)
    for (const place of this.#rimmed) {
      const ink = place === cursor ? colours.ink : colours.soft
      drawRim(pen, rimOf(layout, place, ratio), colours.paper, ink)
    }
    this.#onDrawn(colours)
  }
}

const NOWHERE: Readonly<Box> = { x: 0, y: 0, width: 0, height: 0 }

/** The box of a cell by its place in row-major order. */
function boxOf(layout: Layout, { columns }: Cells, place: number, box: Box): Box {
  const column = place % columns
  return layout.box((place - column) / columns, column, box)
}

interface Rim extends Box {
  /** How thick its line is. */
  readonly line: number
}

/** The outer edge of a cell's rim. Thin cells get a wider one, so that it can be seen. */
function rimOf(layout: Layout, { blob, column }: Place, ratio: number): Rim {
  const { x, y, width, height } = layout.box(blob, column, { ...NOWHERE })
  const line = Math.max(1, Math.round(1.5 * ratio))
  const more = Math.max(0, Math.ceil((4 * ratio - width) / 2)) + line
  return { x: x - more, y: y - line, width: width + 2 * more, height: height + 2 * line, line }
}

/** Draws a rim of ink, and of paper around it, which parts it from other cells. */
function drawRim(pen: CanvasRenderingContext2D, rim: Rim, paper: string, ink: string): void {
  const { x, y, width, height, line } = rim
  for (const [colour, away, thick] of [
    [paper, line, 2 * line],
    [ink, line / 2, line],
  ] as const) {
    pen.strokeStyle = colour
    pen.lineWidth = thick
    pen.strokeRect(x + away, y + away, width - 2 * away, height - 2 * away)
  }
}
