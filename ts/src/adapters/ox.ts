/** An adapter for ox (1.6.2 or later), which serialises blobs with 128 proofs of cells each (EIP-7594), and refuses the older form. */
import type { Bytes } from '../util/hex.ts'
import type { Kzg } from '../kzg/index.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type BlobProver, computing, deciding, type Hex, proveBlobs, toHex } from './prove-blobs.ts'

export type { BlobProver, Hex } from './prove-blobs.ts'
export type { ProverCallOptions, ProverProgress } from '../prover/options.ts'
export type { CellsAndKzgProofs } from '../prover/results.ts'

/** The interface `Kzg.Kzg` of ox: what its functions of blobs take as `kzg`. Blobs, cells and points are bytes. */
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

/** The `TxEnvelopeEip4844.Sidecars` of ox, in 0x hex: what a transaction carries for its blobs. */
export interface OxSidecars {
  readonly blobs: readonly Hex[]
  readonly commitments: readonly Hex[]
  /** 128 proofs for each blob, those of the first blob first. */
  readonly cellProofs: readonly Hex[]
}

/**
 * Makes the object that ox takes as `kzg`, of a prover and a verifier in the calling thread. Malformed input throws
 * `KzgInputError`, in verification, too. Throws `TypeError` for a prover of `createProver`, which `toOxSidecars` takes, and for what is no verifier;
 * functions of either that answer with promises throw it when they are called.
 *
 * @example
 * ```ts
 * import { toOxKzg } from 'blobcheck/adapters/ox'
 * import { loadKzg } from 'blobcheck/kzg'
 * import { loadProver } from 'blobcheck/prover'
 *
 * const kzg = toOxKzg(await loadProver(), await loadKzg())
 * // Blobs.toCellProofs(blobs, { kzg })
 * ```
 */
export function toOxKzg(
  prover: Pick<
    Prover,
    'blobToKzgCommitment' | 'computeCells' | 'computeCellsAndKzgProofs' | 'recoverCellsAndKzgProofs'
  >,
  verifier: Pick<Kzg, 'verifyCellKzgProofBatch'>,
): OxKzg {
  const names = [
    'blobToKzgCommitment',
    'computeCells',
    'computeCellsAndKzgProofs',
    'recoverCellsAndKzgProofs',
  ] as const
  return { ...computing(prover, names, 'toOxSidecars'), ...deciding(verifier, ['verifyCellKzgProofBatch']) }
}

/**
 * Computes a transaction envelope's `sidecars` off the calling thread: blobs, their commitments, and 128 cell proofs for each,
 * in 0x hex. Rejects with `KzgInputError` for what is no blob, and with the signal's reason.
 *
 * @example
 * ```ts
 * import { toOxSidecars } from 'blobcheck/adapters/ox'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver() // once, for all transactions
 * const { commitments, cellProofs } = await toOxSidecars(prover, blobs, { signal })
 * console.log(cellProofs.length / commitments.length) // 128
 * ```
 */
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
