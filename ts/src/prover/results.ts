/** What the prover's functions answer with where there is more than one thing to say. */
import { CELLS_PER_EXT_BLOB } from '../beacon/constants.ts'
import { CELL_BYTES } from '../beacon/ssz/layout.ts'
import { splitCells } from '../kzg/inputs.ts'

/** A proof that p(z) = y. */
export interface KzgProof {
  /** 48 bytes. */
  readonly proof: Uint8Array
  /** 32 bytes, big-endian. */
  readonly y: Uint8Array
}

/** All cells of the extended blob, and the proof of each. */
export interface CellsAndKzgProofs {
  /** 128 of 2,048 bytes. */
  readonly cells: Uint8Array[]
  /** 128 of 48 bytes. */
  readonly proofs: Uint8Array[]
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
export function splitProofs(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / 48 }, (_, at) => bytes.slice(at * 48, (at + 1) * 48))
}
