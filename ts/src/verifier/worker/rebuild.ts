/** A blob out of verified cells: `recover_cells` (specs/fulu/polynomial-commitments-sampling.md), of which half is the blob. */
import { transfer } from 'comlink'
import { CELL_BYTES } from '../../beacon/ssz/layout.ts'
import type { Core } from '../../kzg/module.ts'

/** The cells that are the blob itself: those of the extension follow. */
const OF_BLOB = 64

/**
 * From 64 cells or more, 2,048 bytes each, in ascending order of their indices. Null where they are not cells of one blob:
 * all of them must come out again, those too that the others were rebuilt without.
 */
export function rebuildBlob(
  core: Core,
  cellIndices: Uint32Array,
  cells: Uint8Array,
): Uint8Array<ArrayBuffer> | null {
  const lengths = new Uint32Array(cellIndices.length).fill(CELL_BYTES)
  let all: Uint8Array
  try {
    all = core.exports.recoverCells(cellIndices as Uint32Array<ArrayBuffer>, cells, lengths)
  } catch (error) {
    if (typeof error === 'number') return null // a reason, and no trap
    throw error
  }
  const isGiven = cellIndices.every((index, at) =>
    isSame(all, index * CELL_BYTES, cells, at * CELL_BYTES, CELL_BYTES),
  )
  if (!isGiven) return null
  const blob = new Uint8Array(all.subarray(0, OF_BLOB * CELL_BYTES))
  return transfer(blob, [blob.buffer])
}

function isSame(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[fromA + at] !== b[fromB + at]) return false
  return true
}
