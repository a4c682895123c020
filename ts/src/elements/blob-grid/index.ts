/**
 * `blobcheck/elements/blob-grid`: importing it defines `<blob-grid>`. Where there are no elements, under Node, nothing is defined.
 */
import { define } from '../shared/element.ts'
import { BlobGridElement, type CellSelection } from './element.ts'

export { BlobGridElement, type CellSelection } from './element.ts'
export type { CellState } from './states.ts'

declare global {
  interface HTMLElementTagNameMap {
    'blob-grid': BlobGridElement
  }
  interface HTMLElementEventMap {
    cellselect: CustomEvent<CellSelection>
  }
}

define('blob-grid', BlobGridElement)
