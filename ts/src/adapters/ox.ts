/**
 * ox (1.x). `const kzg = toOxKzg(await loadProver(), await loadKzg())`. ox serialises blobs with proofs of cells (EIP-7594),
 * and refuses the older form.
 */
import type { Bytes } from '../util/hex.ts'
import type { Kzg } from '../kzg/index.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type Hex, toHex } from './hex.ts'
import { type BlobProver, proveBlobs } from './prove-blobs.ts'

/** ox's `Kzg.Kzg`. */
export interface OxKzg {
  blobToKzgCommitment(blob: Uint8Array): Uint8Array
  computeCells(blob: Uint8Array): readonly Uint8Array[]
  computeCellsAndKzgProofs(blob: Uint8Array): {
    cells: readonly Uint8Array[]
    proofs: readonly Uint8Array[]
  }
  recoverCellsAndKzgProofs(
    cellIndices: readonly number[],
    cells: readonly Uint8Array[],
  ): { cells: readonly Uint8Array[]; proofs: readonly Uint8Array[] }
  verifyCellKzgProofBatch(
    commitments: readonly Uint8Array[],
    cellIndices: readonly number[],
    cells: readonly Uint8Array[],
    proofs: readonly Uint8Array[],
  ): boolean
}

/** ox's `TxEnvelopeEip4844.Sidecars`, in hex. */
export interface OxSidecars {
  readonly blobs: readonly Hex[]
  readonly commitments: readonly Hex[]
  /** 128 for each blob. */
  readonly cellProofs: readonly Hex[]
}

/** The object that ox takes as `kzg`. Malformed input throws `KzgInputError`, in verification, too. */
export function toOxKzg(
  {
    blobToKzgCommitment,
    computeCells,
    computeCellsAndKzgProofs,
    recoverCellsAndKzgProofs,
  }: Pick<
    Prover,
    'blobToKzgCommitment' | 'computeCells' | 'computeCellsAndKzgProofs' | 'recoverCellsAndKzgProofs'
  >,
  verifier: Pick<Kzg, 'verifyCellKzgProofBatch'>,
): OxKzg {
  return {
    blobToKzgCommitment: (blob) => blobToKzgCommitment(blob),
    computeCells: (blob) => computeCells(blob),
    computeCellsAndKzgProofs: (blob) => computeCellsAndKzgProofs(blob),
    recoverCellsAndKzgProofs: (cellIndices, cells) => recoverCellsAndKzgProofs(cellIndices, cells),
    verifyCellKzgProofBatch: (commitments, cellIndices, cells, proofs) =>
      verifier.verifyCellKzgProofBatch(commitments, cellIndices, cells, proofs),
  }
}

/** The same off the calling thread: a transaction envelope's `sidecars`. */
export async function toOxSidecars(
  prover: BlobProver,
  blobs: readonly Bytes[],
  options?: ProverCallOptions,
): Promise<OxSidecars> {
  const proved = await proveBlobs(prover, blobs, 1, options)
  return {
    blobs: proved.map(({ blob }) => toHex(blob)),
    commitments: proved.map(({ commitment }) => toHex(commitment)),
    cellProofs: proved.flatMap(({ proofs }) => proofs.map(toHex)),
  }
}
