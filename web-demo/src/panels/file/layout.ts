/** Where the items of a file are in the grid: a row for each blob, block under block. */
import { CELLS } from '../../shared/sizes.ts'
import type { ItemView } from './item.ts'

/** The most rows that are shown: all cells are drawn in one frame, and a page that draws more of them is held up. */
export const MAX_ROWS = 256

export interface Layout {
  readonly rows: number
  /** The first row of each item. */
  readonly first: readonly number[]
  /** The item that brings a cell; undefined where none does. */
  itemAt(row: number, column: number): number | undefined
}

interface Block {
  readonly first: number
  readonly rows: number
}

/** The rows that items have which come file by file. */
export class Rows {
  readonly #isColumns: boolean
  #count = 0
  /** Columns of one block share their rows. */
  readonly #blocks = new Map<string, Block>()

  constructor(isColumns: boolean) {
    this.#isColumns = isColumns
  }

  /** The first row of each further item, and how many rows there are with those of all; where these are more than `most`, the items get none. */
  place(
    views: readonly ItemView[],
    most: number,
  ): { readonly first: readonly number[]; readonly count: number } {
    let count = this.#count
    const added = new Map<string, Block>()
    const first = views.map(({ block, rows }) => {
      const name = JSON.stringify(block)
      const known = this.#isColumns ? (added.get(name) ?? this.#blocks.get(name)) : undefined
      if (known !== undefined && known.rows >= rows) return known.first
      added.set(name, { first: count, rows })
      count += rows
      return count - rows
    })
    if (count <= most) {
      this.#count = count
      for (const [name, block] of added) this.#blocks.set(name, block)
    }
    return { first, count }
  }
}

export function layOut(views: readonly ItemView[], isColumns: boolean): Layout {
  const { first, count: rows } = new Rows(isColumns).place(views, Infinity)
  /** The first item that brings each cell, row after row: a file may have thousands of items that bring the same ones. */
  const items: number[] = []
  views.forEach(({ rows: count, columns: [from, to] }, item) => {
    for (let row = first[item]!; row < first[item]! + count; row++)
      for (let column = from; column < to; column++) items[row * CELLS + column] ??= item
  })
  return { ...{ rows, first }, itemAt: (row, column) => items[row * CELLS + column] }
}
