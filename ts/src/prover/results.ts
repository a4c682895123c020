/** Results of the prover's functions that have more than one part. */
import { CELLS_PER_EXT_BLOB } from '../beacon/constants.ts'
import { CELL_BYTES } from '../beacon/ssz/layout.ts'
import { splitCells } from '../kzg/inputs.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** What `computeKzgProof` returns: the proof that p(z) = y for a blob's polynomial p, and y. */
export interface KzgProof {
  /** The KZG proof, 48 bytes. */
  readonly proof: ByteArray
  /** The value of the polynomial at z: a field element, 32 bytes, big-endian. */
  readonly y: ByteArray
}

/** What `computeCellsAndKzgProofs` and `recoverCellsAndKzgProofs` return: all cells of the extended blob, and the proof of each. */
export interface CellsAndKzgProofs {
  /** The 128 cells in order, 2,048 bytes each. */
  readonly cells: ByteArray[]
  /** The proofs of the 128 cells in order, 48 bytes each. */
  readonly proofs: ByteArray[]
}

const CELLS_BYTES = CELLS_PER_EXT_BLOB * CELL_BYTES

/** Out of proof ‖ y. */
export function readKzgProof(bytes: Uint8Array): KzgProof {
  return { proof: bytes.slice(0, 48), y: bytes.slice(48) }
}

/** Out of 128 cells ‖ 128 proofs. */
export function readCellsAndKzgProofs(bytes: Uint8Array): CellsAndKzgProofs {
  return {
    cells: splitCells(bytes.subarray(0, CELLS_BYTES)),
    proofs: splitProofs(bytes.subarray(CELLS_BYTES)),
  }
}

/** Proofs of 48 bytes out of one piece, each in memory of its own. */
export function splitProofs(bytes: Uint8Array): ByteArray[] {
  return Array.from({ length: bytes.length / 48 }, (_, at) => bytes.slice(at * 48, (at + 1) * 48))
}
