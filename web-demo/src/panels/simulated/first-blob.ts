/** The blob whose multiples the simulated chains are made of: the first one of the recorded block, whose cells have proofs already. */
import type { ProvedBlob } from 'blobcheck/serve'
import { CELL_BYTES, CELLS } from '../../shared/sizes.ts'

const POINT_BYTES = 48

/** The commitment, then 128 cells, then their proofs: 268,336 bytes. */
export function packBlob({ commitment, cells, proofs }: ProvedBlob): Blob {
  return new Blob([commitment, ...cells, ...proofs] as BlobPart[])
}

/** Throws for bytes of another length. */
export function unpackBlob(bytes: Uint8Array<ArrayBuffer>): ProvedBlob {
  const proofsAt = POINT_BYTES + CELLS * CELL_BYTES
  if (bytes.length !== proofsAt + CELLS * POINT_BYTES) throw new Error('the first blob is not whole')
  const pieces = (from: number, length: number): Uint8Array<ArrayBuffer>[] =>
    Array.from({ length: CELLS }, (_, at) => bytes.subarray(from + at * length, from + (at + 1) * length))
  return {
    commitment: bytes.subarray(0, POINT_BYTES),
    cells: pieces(POINT_BYTES, CELL_BYTES),
    proofs: pieces(proofsAt, POINT_BYTES),
  }
}
