/** Where each cell lies on the canvas: whole pixels of the screen, so that rims are sharp. */
import type { Place } from './keys.ts'
import { type Box, isWideEnough } from './states.ts'

/** The cells of some blobs in some columns, laid out in a width. */
export class Layout {
  readonly #lefts: readonly number[]
  readonly #row: number
  readonly #gap: number
  readonly #margin: number
  readonly #rows: number
  /** How wide the gap between data and parity is. */
  readonly #between: number
  readonly #half: number
  /** Whether there are more columns than pixels: cells then lie over each other. */
  readonly isDense: boolean
  /** Whether cells have room for diagonals. */
  readonly isWide: boolean
  readonly width: number

  constructor(width: number, ratio: number, blobs: number, columns: number) {
    this.width = width
    this.#rows = Math.max(1, blobs)
    // Room for the cursor's rim, which is around a cell.
    this.#margin = Math.ceil(3 * ratio)
    const half = Math.floor(columns / 2)
    const between = half === 0 ? 0 : Math.round(Math.min(10, 3 + width / ratio / 150) * ratio)
    const room = width - 2 * this.#margin - between
    const left = (column: number): number =>
      this.#margin + Math.round((column * room) / columns) + (column >= half ? between : 0)
    // One more than there are columns: the right end of the last one.
    this.#lefts = Array.from({ length: columns + 1 }, (_, column) => left(column))
    this.#between = between
    this.#half = half
    this.isDense = room < columns
    const cell = room / columns
    this.#gap = cell < 4 ? 0 : Math.max(1, Math.round(Math.min(cell * 0.16, 2 * ratio)))
    this.#row = Math.round(Math.min(18, Math.max(5, 190 / this.#rows)) * ratio)
    this.isWide = isWideEnough(Math.floor(cell) - this.#gap, this.#row - this.#rowGap)
  }

  /** The space below a row. */
  get #rowGap(): number {
    return Math.max(1, Math.round(this.#row * 0.14))
  }

  /** The whole height. */
  get height(): number {
    return this.#rows * this.#row + 2 * this.#margin
  }

  /** Writes the box of a cell, and returns it. Below four pixels of the screen there is no gap beside it. */
  box(blob: number, column: number, box: Box): Box {
    box.x = this.#lefts[column]!
    const end = this.#lefts[column + 1]! - (column + 1 === this.#half ? this.#between : 0)
    box.y = this.#margin + blob * this.#row
    box.width = Math.max(1, end - box.x - this.#gap)
    box.height = Math.max(1, this.#row - this.#rowGap)
    return box
  }

  /** The cell that is nearest to a place. */
  at(x: number, y: number): Place {
    const row = Math.floor((y - this.#margin) / this.#row)
    const next = this.#lefts.findIndex((left) => left > x)
    const column = next === -1 ? this.#lefts.length - 2 : Math.max(0, next - 1)
    return {
      blob: Math.min(this.#rows - 1, Math.max(0, row)),
      column: Math.min(this.#lefts.length - 2, column),
    }
  }
}
