/**
 * Batches that are larger than the memory that they should take: collected part by part into accumulators, which one
 * pairing closes. The module's memory holds one part at a time, however many there are.
 */
import { pack } from '../util/bytes.ts'
import type { Exports } from './module.ts'
import { freshSeed, hasCsprng } from '../runtime/platform/web-apis.ts'
import { blobArguments } from './arguments.ts'

/** Blobs, and cells, in one part: eight megabytes of either. */
export const BLOBS_AT_ONCE = 64
export const CELLS_AT_ONCE = 4096

/**
 * Whether a batch is to be taken in parts. Without a CSPRNG it cannot be: coefficients come from the inputs then, and must
 * come from all of them.
 */
export function needsParts(count: number, atOnce: number): boolean {
  return count > atOnce && hasCsprng()
}

/** Blobs, commitments and proofs, of which there is any number each: as verifyBlobKzgProofBatch, faults included. */
export function verifyBlobsInParts(
  exports: Exports,
  blobs: readonly Uint8Array[],
  commitments: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): boolean {
  exports.checkBlobBatch(lengthsOf(blobs), lengthsOf(commitments), lengthsOf(proofs))
  return closeParts(exports, blobs.length, BLOBS_AT_ONCE, (from, to) => {
    const part = (list: readonly Uint8Array[]): readonly Uint8Array[] => list.slice(from, to)
    return exports.collectBlobs(...blobArguments(part(blobs), part(commitments), part(proofs)), freshSeed())
  })
}

/** One entry of each list a cell: as verifyCellKzgProofBatch, faults included. */
export function verifyCellsInParts(
  exports: Exports,
  commitments: readonly Uint8Array[],
  indices: Uint32Array<ArrayBuffer>,
  cells: readonly Uint8Array[],
  proofs: readonly Uint8Array[],
): boolean {
  exports.checkCellBatch(lengthsOf(commitments), indices, lengthsOf(cells), lengthsOf(proofs))
  return closeParts(exports, cells.length, CELLS_AT_ONCE, (from, to) => {
    const [c, l, p] = [commitments, cells, proofs].map((list) => pack(list.slice(from, to))) as Three
    const i = indices.subarray(from, to)
    return exports.collectCells(c.bytes, c.lengths, i, l.bytes, l.lengths, p.bytes, p.lengths, freshSeed())
  })
}

type Three = [ReturnType<typeof pack>, ReturnType<typeof pack>, ReturnType<typeof pack>]

function closeParts(
  exports: Exports,
  count: number,
  atOnce: number,
  collect: (from: number, to: number) => Uint8Array,
): boolean {
  const sums: Uint8Array[] = []
  for (let from = 0; from < count; from += atOnce) {
    try {
      sums.push(collect(from, Math.min(from + atOnce, count)))
    } catch (error) {
      // code + 256 · index, as crates/wasm throws them; the index is that within the part.
      throw typeof error === 'number' ? error + 256 * from : error
    }
  }
  const { bytes, lengths } = pack(sums)
  return exports.close(bytes, lengths, 0, 1)
}

const lengthsOf = (list: readonly Uint8Array[]): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(list, (bytes) => bytes.length)
