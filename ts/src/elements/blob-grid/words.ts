/** What a grid says of itself in words, beside its picture and to those who do not see it. */
import { counted } from '../shared/element.ts'
import type { Cells } from './cells.ts'
import type { Place } from './keys.ts'
import { STATES } from './states.ts'

/** The first column of parity: the extension is as long as the data. */
const middleOf = ({ columns }: Cells): number => Math.floor(columns / 2)

/** Which columns are data, and which parity; nothing where there are not both. */
export function halvesOf(cells: Cells): readonly [string, string] {
  const middle = middleOf(cells)
  return middle === 0
    ? ['', '']
    : [`data: columns 0 to ${middle - 1}`, `parity: ${middle} to ${cells.columns - 1}`]
}

/** The name of the grid: how large it is, and how many cells there are of each state. */
export function nameOf({ blobs, columns, counts }: Cells): string {
  if (blobs === 0) return 'Cells: no blobs yet'
  const there = STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${state}`)
  return `Cells: ${counted(blobs, 'blob')} of ${counted(columns, 'column')}. ${there.join(', ')}`
}

/** The line below the grid: a cell, or how to come to one. */
export function lineOf(cells: Cells, place: Place | null): string {
  if (place !== null) return describe(cells, place)
  return cells.blobs === 0 ? 'No blobs yet.' : 'Point at a cell, or use the arrow keys.'
}

/** A cell: where it is, and what is known of it. */
export function describe(cells: Cells, { blob, column }: Place): string {
  const half = column < middleOf(cells) ? 'data' : 'parity'
  return `Blob ${blob}, column ${column} (${half}): ${cells.get(blob, column)}`
}
