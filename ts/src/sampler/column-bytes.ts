/** Reading the SSZ of a `DataColumnSidecar` (specs/fulu/das-core.md). */
import { encodeHex } from '../util/hex.ts'
import { CELL_BYTES, dataColumnSidecar, POINT_BYTES } from '../beacon/ssz/layout.ts'
import { splitFixed } from '../beacon/ssz/list.ts'

export interface ColumnParts {
  /** Cells of 2,048 bytes, one after the other, one for each blob. */
  readonly cells: Uint8Array
  /** 0x hex, in the block's order. */
  readonly commitments: readonly string[]
}

/**
 * Whether these bytes decode as a sidecar, to the last one. The proofs come last, one for each commitment: fewer of them are what
 * an answer leaves that was cut where a proof ends.
 */
export function isWholeColumn(ssz: Uint8Array): boolean {
  if (ssz.length < dataColumnSidecar.end) return false
  const { column, commitments, proofs } = offsetsIn(ssz)
  if (column !== dataColumnSidecar.end || commitments < column || proofs < commitments) return false
  const [cellBytes, commitmentBytes, proofBytes] = [
    commitments - column,
    proofs - commitments,
    ssz.length - proofs,
  ]
  return (
    cellBytes % CELL_BYTES === 0 &&
    commitmentBytes % POINT_BYTES === 0 &&
    proofBytes % POINT_BYTES === 0 &&
    proofBytes >= commitmentBytes
  )
}

/** Where the lists of a sidecar begin. */
function offsetsIn(ssz: Uint8Array): Record<'column' | 'commitments' | 'proofs', number> {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return {
    column: view.getUint32(dataColumnSidecar.column, true),
    commitments: view.getUint32(dataColumnSidecar.kzg_commitments, true),
    proofs: view.getUint32(dataColumnSidecar.kzg_proofs, true),
  }
}

/** The parts of a verified sidecar, whose offsets are therefore right, as views on it. */
export function columnParts(ssz: Uint8Array): ColumnParts {
  const { column, commitments, proofs } = offsetsIn(ssz)
  const list = ssz.subarray(commitments, proofs)
  return {
    cells: ssz.subarray(column, commitments),
    commitments: (splitFixed(list, POINT_BYTES) ?? []).map((bytes) => `0x${encodeHex(bytes)}`),
  }
}
