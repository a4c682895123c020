/** The states of all cells, and how many there are of each. */
import { type CellState, STATES } from './states.ts'

const WAITING = 0

/** `blobs` rows of `columns` cells. */
export class Cells {
  readonly blobs: number
  readonly columns: number
  readonly #states: Uint8Array
  readonly #counts: number[]
  /** The cells with another state since they were asked for, by their places in row-major order; null where there are many, or all are new. */
  #changed: Set<number> | null = null

  constructor(blobs: number, columns: number) {
    this.blobs = blobs
    this.columns = columns
    this.#states = new Uint8Array(blobs * columns)
    this.#counts = STATES.map((_, state) => (state === WAITING ? blobs * columns : 0))
  }

  /** RangeError where there is no such cell. */
  get(blob: number, column: number): CellState {
    return STATES[this.#states[this.#place(blob, column)]!]!
  }

  /** RangeError where there is no such cell, TypeError where there is no such state. */
  set(blob: number, column: number, state: CellState): void {
    const place = this.#place(blob, column)
    const to = numberOf(state)
    if (this.#states[place] === to) return
    this.#changed?.add(place)
    if (this.#changed !== null && this.#changed.size > this.#states.length / 4) this.#changed = null
    this.#counts[this.#states[place]!]!--
    this.#counts[to]!++
    this.#states[place] = to
  }

  /** Gives all cells a state. TypeError where there is no such state. */
  fill(state: CellState): void {
    const to = numberOf(state)
    this.#states.fill(to)
    this.#changed = null
    this.#counts.fill(0)
    this.#counts[to] = this.#states.length
  }

  /** The number of the state of a cell, by its place in row-major order. */
  numberAt(place: number): number {
    return this.#states[place]!
  }

  /** The places of the cells that have changed since the last time; null where all may have. */
  takeChanged(): Set<number> | null {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  get counts(): Record<CellState, number> {
    return Object.fromEntries(STATES.map((state, at) => [state, this.#counts[at]!])) as Record<
      CellState,
      number
    >
  }

  #place(blob: number, column: number): number {
    if (!isWithin(blob, this.blobs))
      throw new RangeError(`there is no blob ${blob}: the grid has ${this.blobs}, counted from 0`)
    if (!isWithin(column, this.columns))
      throw new RangeError(`there is no column ${column}: the grid has ${this.columns}, counted from 0`)
    return blob * this.columns + column
  }
}

const isWithin = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < count

function numberOf(state: CellState): number {
  const number = STATES.indexOf(state)
  if (number === -1) throw new TypeError(`a cell is ${STATES.join(', ')}, not ${String(state)}`)
  return number
}
