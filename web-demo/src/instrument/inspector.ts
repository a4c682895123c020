/** What is known of the cell that the cursor is on: which bytes of its blob it is, its verdict, and its bytes. */
import type { CellSelection } from 'blobcheck/elements'
import { hexByte, toHex } from '../shared/bytes.ts'
import { copyButton } from '../shared/copy.ts'
import { element, setText } from '../shared/page.ts'
import { CELL_BYTES, DATA_CELLS } from '../shared/sizes.ts'
import { integer } from '../shared/words.ts'
import type { CellDetail } from './stage.ts'

/** How many bytes are written out. */
const SHOWN = 64

export class Inspector {
  #bytes = new Uint8Array()
  readonly #copy = copyButton('Copy the bytes', () => toHex(this.#bytes))

  constructor() {
    this.#copy.hidden = true
    element('#inspector', HTMLElement).append(this.#copy)
  }

  clear(): void {
    setText('#inspector-cell', 'Choose a cell: with the pointer, or with the arrow keys.')
    setText('#inspector-reason', 'A cell is 2,048 bytes of a blob.')
    setText('#inspector-bytes', '')
    this.#copy.hidden = true
  }

  show({ blob, column }: CellSelection, { text, bytes }: CellDetail): void {
    const from = integer(column * CELL_BYTES)
    const to = integer((column + 1) * CELL_BYTES - 1)
    setText(
      '#inspector-cell',
      `Blob ${blob}, column ${column}: ${column < DATA_CELLS ? `bytes ${from} to ${to}` : 'parity'}`,
    )
    setText('#inspector-reason', text)
    setText('#inspector-bytes', bytes === null ? 'Its bytes are not here.' : dump(bytes))
    this.#bytes = Uint8Array.from(bytes ?? [])
    this.#copy.hidden = bytes === null
  }
}

/** The first bytes of a cell, as hex and as text. */
function dump(bytes: Uint8Array): string {
  const rows: string[] = []
  for (let at = 0; at < Math.min(SHOWN, bytes.length); at += 16) {
    const part = bytes.subarray(at, at + 16)
    const hex = Array.from(part, hexByte).join(' ')
    const text = Array.from(part, (byte) =>
      byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·',
    ).join('')
    rows.push(`${hex}  ${text}`)
  }
  return rows.join('\n')
}
