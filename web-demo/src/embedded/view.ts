/** The embedded block on the instrument: data cells as the verdict on their blob has them until each cell has one of its own. */
import type { Verdict } from 'blobcheck'
import type { CellState } from 'blobcheck/elements'
import type { CellDetail, Stage } from '../instrument/stage.ts'
import { CELL_BYTES, CELLS, DATA_CELLS } from '../shared/sizes.ts'
import { detailOf, isRefused, milliseconds, uncapital } from '../shared/words.ts'
import type { Timed } from './run.ts'
import { field, type Sidecar } from './sidecar.ts'

export { chainOf } from './chain.ts'
export { LINES } from './lines.ts'

/** What is known of a blob. */
interface Row {
  sidecar: Sidecar
  timed: Timed | null
  /** Its 128 cells as they are now, with their verdicts; null until there are any. */
  cells: { readonly bytes: readonly Uint8Array[]; readonly verdicts: readonly Verdict[] } | null
}

export class View {
  readonly #stage: Stage
  readonly #rows: Row[]

  constructor(stage: Stage, sidecars: readonly Sidecar[]) {
    this.#stage = stage
    this.#rows = sidecars.map((sidecar) => ({ sidecar, timed: null, cells: null }))
    stage.inspect((blob, column) => this.#detail(this.#rows[blob]!, column))
  }

  /** A run begins, on this sidecar. */
  wait(at: number, sidecar: Sidecar): void {
    this.#update(at, { sidecar, timed: null, cells: null })
  }

  judge(at: number, timed: Timed): void {
    this.#update(at, { timed })
  }

  judgeCells(at: number, bytes: readonly Uint8Array[], verdicts: readonly Verdict[]): void {
    this.#update(at, { cells: { bytes, verdicts } })
  }

  #update(at: number, change: Partial<Row>): void {
    const row = Object.assign(this.#rows[at]!, change)
    for (let column = 0; column < CELLS; column++) this.#stage.cell(at, column, stateOf(row, column))
  }

  #detail({ sidecar, timed, cells }: Row, column: number): CellDetail {
    const isData = column < DATA_CELLS
    const bytes =
      cells?.bytes[column] ??
      (isData ? field(sidecar, 'blob').subarray(column * CELL_BYTES, (column + 1) * CELL_BYTES) : null)
    const texts: string[] = []
    if (isData && timed !== null)
      texts.push(
        `Blob: ${uncapital(detailOf(timed.verdict))}, ${milliseconds(timed.ms)} after the run began.`,
      )
    if (!isData) texts.push('Computed here from the data of its blob; nobody sent it.')
    const verdict = cells?.verdicts[column]
    if (verdict !== undefined) texts.push(`Cell, by a proof of its own: ${uncapital(detailOf(verdict))}.`)
    return { text: texts.join(' ') || 'No verdict yet.', bytes }
  }
}

function stateOf({ timed, cells }: Row, column: number): CellState {
  const isBlobRefused = isRefused(timed?.verdict)
  // Where a cell is false, the cells say which; where none is, it is the sidecar as a whole that is refused.
  const isByCell = cells !== null && (!isBlobRefused || cells.verdicts.some(isRefused))
  if (isByCell) {
    const verdict = cells.verdicts[column]
    if (isRefused(verdict)) return 'refused'
    return verdict?.status === 'valid' ? 'valid' : 'waiting'
  }
  // Nothing follows from bytes that are refused.
  if (isBlobRefused) return column < DATA_CELLS ? 'refused' : 'missing'
  return timed?.verdict.status === 'valid' && column < DATA_CELLS ? 'valid' : 'waiting'
}
