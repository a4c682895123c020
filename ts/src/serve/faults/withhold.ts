/** What a server does not give away. */
import { COLUMNS } from '../../beacon/constants.ts'
import { seeded } from '../chance/seeded.ts'
import type { Fault } from './faults.ts'

/** Whether it says that there are no blobs. */
export const isHiding = (faults: readonly Fault[]): boolean =>
  faults.some(({ kind }) => kind === 'hide-blobs')

/** The columns of a block that it does not give away. Of a number of them: which depends on the block's root, and nothing else. */
export function withheldColumns(faults: readonly Fault[], root: string): ReadonlySet<number> {
  const withheld = new Set<number>()
  for (const fault of faults) {
    if (fault.kind !== 'withhold') continue
    const { columns } = fault
    for (const column of typeof columns === 'number' ? someOf(columns, root) : columns) withheld.add(column)
  }
  return withheld
}

/** So many columns, by Fisher and Yates. */
function someOf(count: number, root: string): number[] {
  const random = seeded(Number.parseInt(root.slice(2, 10), 16))
  const columns = Array.from({ length: COLUMNS }, (_, at) => at)
  for (let at = COLUMNS - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[columns[at], columns[other]] = [columns[other]!, columns[at]!]
  }
  return columns.slice(0, count)
}
