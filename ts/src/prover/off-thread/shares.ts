/** How the 128 sums of a blob are shared out: 16 parts, each of them an eighth of what a second of one core can do. */
import { TABLE_PARTS } from '../tables/store.ts'

export const PARTS: number = TABLE_PARTS

/** Parts from `first` to before `end`. */
export interface Share {
  readonly first: number
  readonly end: number
  /** The worker that has, or is to have, their tables; undefined where any will do. */
  readonly on: number | undefined
}

/** The worker that holds the tables of a part: neighbours together. */
export function ownerOf(part: number, workers: number): number {
  return Math.floor((part * Math.max(workers, 1)) / PARTS)
}

/**
 * The tasks for one blob. Each begins with transforms that take a tenth of what a part takes, so that there are two parts to
 * a task, unless that would leave workers idle. With tables, each worker does the parts that it has the tables of.
 */
export function sharesOf(workers: number, hasTables: boolean): Share[] {
  const shares: Share[] = []
  const size = workers > PARTS / 2 ? 1 : 2
  for (let first = 0; first < PARTS;) {
    const on = hasTables ? ownerOf(first, workers) : undefined
    let end = first + 1
    while (end < PARTS && end - first < size && (!hasTables || ownerOf(end, workers) === on)) end++
    shares.push({ first, end, on })
    first = end
  }
  return shares
}
