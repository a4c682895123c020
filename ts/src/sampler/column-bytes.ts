/** Reading a `DataColumnSidecar` that was verified, and whose offsets are therefore right (specs/fulu/das-core.md). */
import { encodeHex } from '../util/hex.ts'
import { dataColumnSidecar, POINT_BYTES } from '../beacon/ssz/layout.ts'
import { splitFixed } from '../beacon/ssz/list.ts'

export interface ColumnParts {
  /** Cells of 2,048 bytes, one after the other, one for each blob. */
  readonly cells: Uint8Array
  /** 0x hex, in the block's order. */
  readonly commitments: readonly string[]
}

/** The parts of a verified sidecar, as views on it. */
export function columnParts(ssz: Uint8Array): ColumnParts {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  const offset = (field: 'column' | 'kzg_commitments' | 'kzg_proofs'): number =>
    view.getUint32(dataColumnSidecar[field], true)
  const list = ssz.subarray(offset('kzg_commitments'), offset('kzg_proofs'))
  return {
    cells: ssz.subarray(offset('column'), offset('kzg_commitments')),
    commitments: (splitFixed(list, POINT_BYTES) ?? []).map((bytes) => `0x${encodeHex(bytes)}`),
  }
}
