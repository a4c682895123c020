/** The grid of the block's cells: data as its blob's verdict has it, parity as it is computed here from verified data; and the inspector. */
import type { BlobGridElement, CellSelection, CellState } from 'blobcheck/elements'
import { fromHex, hexByte, toHex } from './bytes.ts'
import { copyButton } from './copy.ts'
import { element, setText } from './page.ts'
import type { Timed } from './run.ts'
import { CELL_BYTES, CELLS, DATA_CELLS, type Sidecar } from './sidecar.ts'
import { detailOf, integer, isRefused, milliseconds } from './words.ts'

/** What the grid knows of a blob. */
interface Row {
  sidecar: Sidecar
  timed: Timed | null
  /** 64 cells of 2,048 bytes that follow from the blob as it came; null until they are computed. */
  parity: readonly Uint8Array[] | null
}

export class Grid {
  readonly #grid = document.querySelector('blob-grid') as BlobGridElement
  readonly #rows: Row[]
  #selected: CellSelection | null = null
  readonly #copy = copyButton('Copy the bytes', () =>
    toHex(this.#bytesOf(this.#selected!) ?? new Uint8Array()),
  )

  /** Call it when `<blob-grid>` is defined. */
  constructor(sidecars: readonly Sidecar[]) {
    this.#rows = sidecars.map((sidecar) => ({ sidecar, timed: null, parity: null }))
    this.#grid.blobs = sidecars.length
    this.#copy.hidden = true
    element('#inspector', HTMLElement).append(this.#copy)
    this.#grid.addEventListener('cellselect', ({ detail }) => {
      this.#selected = detail
      this.#inspect()
    })
  }

  /** A run begins, on this sidecar. */
  wait(at: number, sidecar: Sidecar): void {
    Object.assign(this.#rows[at]!, { sidecar, timed: null })
    this.#draw(at)
  }

  judge(at: number, timed: Timed): void {
    this.#rows[at]!.timed = timed
    this.#draw(at)
  }

  /** The cells that extend a blob, computed from the blob as it came. */
  extend(at: number, parity: readonly Uint8Array[]): void {
    this.#rows[at]!.parity = parity
    this.#draw(at)
  }

  #draw(at: number): void {
    const [data, parity] = this.#statesOf(this.#rows[at]!)
    for (let column = 0; column < CELLS; column++)
      this.#grid.cell(at, column, column < DATA_CELLS ? data : parity)
    if (this.#selected?.blob === at) this.#inspect()
  }

  #statesOf({ timed, parity }: Row): readonly [CellState, CellState] {
    const verdict = timed?.verdict
    if (verdict?.status === 'valid') return ['valid', parity === null ? 'waiting' : 'rebuilt']
    // Nothing follows from bytes that are refused.
    return isRefused(verdict) ? ['refused', 'missing'] : ['waiting', 'waiting']
  }

  #bytesOf({ blob, column }: CellSelection): Uint8Array | null {
    const { sidecar, parity, timed } = this.#rows[blob]!
    if (column >= DATA_CELLS)
      return timed?.verdict.status === 'valid' ? (parity?.[column - DATA_CELLS] ?? null) : null
    const digits = 2 * CELL_BYTES
    return fromHex(`0x${sidecar.blob.slice(2 + column * digits, 2 + (column + 1) * digits)}`)
  }

  #inspect(): void {
    if (this.#selected === null) return
    const { blob, column } = this.#selected
    const { timed } = this.#rows[blob]!
    const bytes = this.#bytesOf(this.#selected)
    const isData = column < DATA_CELLS
    const from = integer(column * CELL_BYTES)
    const to = integer((column + 1) * CELL_BYTES - 1)
    setText(
      '#inspector-cell',
      `Blob ${blob}, column ${column}: ${isData ? `bytes ${from} to ${to}` : 'parity'}`,
    )
    setText(
      '#inspector-reason',
      timed === null
        ? 'No verdict yet.'
        : isData || timed.verdict.status !== 'valid'
          ? `${detailOf(timed.verdict)}, ${milliseconds(timed.ms)} after the run began.`
          : 'Computed here from the verified data; nobody sent it.',
    )
    setText('#inspector-bytes', bytes === null ? 'Its bytes are not here.' : dump(bytes))
    this.#copy.hidden = bytes === null
  }
}

/** The first bytes of a cell, as hex and as text. */
function dump(bytes: Uint8Array): string {
  const rows: string[] = []
  for (let at = 0; at < 64; at += 16) {
    const part = bytes.subarray(at, at + 16)
    const hex = Array.from(part, hexByte).join(' ')
    const text = Array.from(part, (byte) =>
      byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·',
    ).join('')
    rows.push(`${hex}  ${text}`)
  }
  return rows.join('\n')
}
