/** Reading a `DataColumnSidecar` that was verified, and whose offsets are therefore right (specs/fulu/das-core.md). */
import { encodeHex } from '../bytes/hex.ts'

/** Where the offsets of `column`, `kzg_commitments` and `kzg_proofs` are. */
const OFFSETS = [8, 12, 16] as const

export interface ColumnParts {
  /** Cells of 2,048 bytes, one after the other, one for each blob. */
  readonly cells: Uint8Array
  /** 0x hex, in the block's order. */
  readonly commitments: readonly string[]
}

/** The parts of a verified sidecar, as views on it. */
export function columnParts(ssz: Uint8Array): ColumnParts {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  const [column, commitments, proofs] = OFFSETS.map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ]
  const list = ssz.subarray(commitments, proofs)
  return {
    cells: ssz.subarray(column, commitments),
    commitments: Array.from(
      { length: list.length / 48 },
      (_, at) => `0x${encodeHex(list.subarray(48 * at, 48 * at + 48))}`,
    ),
  }
}
