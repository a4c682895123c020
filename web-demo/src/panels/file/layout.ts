/** Where the items of a file are in the grid: a row for each blob, block under block. */
import { CELLS } from '../../shared/sizes.ts'
import { integer } from '../../shared/words.ts'
import { ContentsError } from './contents.ts'
import type { ItemView } from './item.ts'

/** The most rows that are shown: all cells are drawn in one frame, and a page that draws more of them is held up. */
const MAX_ROWS = 256

export interface Layout {
  readonly rows: number
  /** The first row of each item. */
  readonly first: readonly number[]
  /** The item that brings a cell; undefined where none does. */
  itemAt(row: number, column: number): number | undefined
}

/** Throws `ContentsError` where the items, which may be of several files, are about more blobs than are shown. */
export function layOut(views: readonly ItemView[], isColumns: boolean, isOfSeveral = false): Layout {
  let rows = 0
  const first: number[] = []
  /** Columns of one block share their rows. */
  const blocks = new Map<string, { first: number; rows: number }>()
  for (const view of views) {
    const block = JSON.stringify(view.block)
    const known = isColumns ? blocks.get(block) : undefined
    if (known !== undefined && known.rows >= view.rows) {
      first.push(known.first)
      continue
    }
    first.push(rows)
    blocks.set(block, { first: rows, rows: view.rows })
    rows += view.rows
  }
  if (rows > MAX_ROWS)
    throw new ContentsError(
      `${isOfSeveral ? 'They are' : 'It is'} about ${integer(rows)} blobs; ${integer(MAX_ROWS)} are the most that this page shows: “npx blobcheck verify” takes more.`,
    )
  /** The first item that brings each cell, row after row: a file may have thousands of items that bring the same ones. */
  const items: number[] = []
  views.forEach(({ rows: count, columns: [from, to] }, item) => {
    for (let row = first[item]!; row < first[item]! + count; row++)
      for (let column = from; column < to; column++) items[row * CELLS + column] ??= item
  })
  return { ...{ rows, first }, itemAt: (row, column) => items[row * CELLS + column] }
}
