/** The prover's functions, synchronous, in the calling thread. Made by `loadProver`. */
import type { Bytes } from '../util/hex.ts'
import { bytesOf, indicesOf, listOf, splitCells } from '../kzg/inputs.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { Engine } from './engine/engine.ts'
import type { TableShape } from './precompute.ts'
import { type CellsAndKzgProofs, type KzgProof, readCellsAndKzgProofs, readKzgProof } from './results.ts'

/**
 * The proving functions of specs/deneb/polynomial-commitments.md and specs/fulu/polynomial-commitments-sampling.md, by
 * c-kzg's names. Bytes are `Uint8Array` or `0x` hex; malformed input throws `KzgInputError`, exactly where the official
 * vectors say `null`. The functions need no `this`: they may be taken off the object.
 */
export interface Prover {
  /** The WASM module that computes. */
  readonly kernel: KernelName
  /** The commitment, 48 bytes, to a blob of 131,072. */
  readonly blobToKzgCommitment: (blob: Bytes) => Uint8Array
  /** A proof at z, 32 bytes, big-endian, canonical; and p(z). */
  readonly computeKzgProof: (blob: Bytes, z: Bytes) => KzgProof
  /** The proof, 48 bytes, that EIP-4844 sends along with a blob. That the commitment is the blob's own is not checked. */
  readonly computeBlobKzgProof: (blob: Bytes, commitment: Bytes) => Uint8Array
  /** The 128 cells of 2,048 bytes of the extended blob. */
  readonly computeCells: (blob: Bytes) => Uint8Array[]
  /** All 128 cells from at least 64 of them, given in ascending order of their indices. */
  readonly recoverCells: (cellIndices: readonly number[], cells: readonly Bytes[]) => Uint8Array[]
  /** The cells, and the 128 proofs that EIP-7594 sends along with a blob. */
  readonly computeCellsAndKzgProofs: (blob: Bytes) => CellsAndKzgProofs
  /** All cells and proofs from at least 64 cells, given in ascending order of their indices. */
  readonly recoverCellsAndKzgProofs: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
  ) => CellsAndKzgProofs
}

export function proverOf(engine: Engine, tables: TableShape | null): Prover {
  return {
    kernel: engine.kernel,
    blobToKzgCommitment(blob) {
      const b = bytesOf(blob)
      return engine.run(null, (exports) => exports.blobToKzgCommitment(b))
    },
    computeKzgProof(blob, z) {
      const [b, zBytes] = [bytesOf(blob), bytesOf(z)]
      return readKzgProof(engine.run(null, (exports) => exports.computeKzgProof(b, zBytes)))
    },
    computeBlobKzgProof(blob, commitment) {
      const [b, c] = [bytesOf(blob), bytesOf(commitment)]
      return engine.run(null, (exports) => exports.computeBlobKzgProof(b, c))
    },
    computeCells(blob) {
      const b = bytesOf(blob)
      return splitCells(engine.run(null, (exports) => exports.computeCells(b)))
    },
    recoverCells(cellIndices, cells) {
      const [i, l] = [indicesOf(cellIndices, 'cell-index'), listOf(cells)]
      return splitCells(engine.run(null, (exports) => exports.recoverCells(i, l.bytes, l.lengths)))
    },
    computeCellsAndKzgProofs(blob) {
      const b = bytesOf(blob)
      return readCellsAndKzgProofs(engine.run(tables, (exports) => exports.computeCellsAndKzgProofs(b)))
    },
    recoverCellsAndKzgProofs(cellIndices, cells) {
      const [i, l] = [indicesOf(cellIndices, 'cell-index'), listOf(cells)]
      return readCellsAndKzgProofs(
        engine.run(tables, (exports) => exports.recoverCellsAndKzgProofs(i, l.bytes, l.lengths)),
      )
    },
  }
}
