/** An adapter for ethereumjs (10.1 or later), whose `KZG` takes and gives everything as 0x hex. */
import type { Bytes } from '../util/hex.ts'
import type { Kzg } from '../kzg/index.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import {
  type BlobProver,
  computing,
  deciding,
  type Hex,
  isInputError,
  proveBlobs,
  toHex,
  type WrapperVersion,
} from './prove-blobs.ts'

export type { BlobProver, Hex, WrapperVersion } from './prove-blobs.ts'
export type { ProverCallOptions, ProverProgress } from '../prover/options.ts'
export type { CellsAndKzgProofs } from '../prover/results.ts'

/** The interface `KZG` of @ethereumjs/util: what a `Common` takes as `customCrypto.kzg`. Blobs, cells, points and scalars are 0x hex. */
export interface EthereumjsKzg {
  blobToKzgCommitment(blob: string): string
  computeBlobProof(blob: string, commitment: string): string
  verifyProof(polynomialKZG: string, z: string, y: string, KZGProof: string): boolean
  verifyBlobProofBatch(blobs: string[], expectedKZGCommitments: string[], KZGProofs: string[]): boolean
  computeCells(blob: string): string[]
  computeCellsAndProofs(blob: string): [string[], string[]]
  recoverCellsAndProofs(indices: number[], cells: string[]): [string[], string[]]
  verifyCellKzgProofBatch(
    commitments: string[],
    indices: number[],
    cells: string[],
    proofs: string[],
  ): boolean
}

/** The fields of a transaction's blobs that `createBlob4844Tx` takes; it derives the versioned hashes from them. */
export interface EthereumjsBlobFields {
  /** The version for which the proofs are: 0 (EIP-4844) or 1 (EIP-7594). */
  readonly networkWrapperVersion: WrapperVersion
  readonly blobs: Hex[]
  /** A commitment for each blob. */
  readonly kzgCommitments: Hex[]
  /** One proof for each blob in wrapper version 0, 128 in version 1. */
  readonly kzgProofs: Hex[]
}

/**
 * Makes the object that ethereumjs takes as `customCrypto.kzg`, of a prover and a verifier in the calling thread. Malformed input
 * throws `KzgInputError`, in verification, too. Throws `TypeError` for a prover of `createProver`, which `toEthereumjsBlobFields` takes, and for
 * what is no verifier; functions of either that answer with promises throw it when they are called.
 *
 * @example
 * ```ts
 * import { toEthereumjsKzg } from 'blobcheck/adapters/ethereumjs'
 * import { loadKzg } from 'blobcheck/kzg'
 * import { loadProver } from 'blobcheck/prover'
 *
 * const kzg = toEthereumjsKzg(await loadProver(), await loadKzg())
 * // new Common({ chain: Mainnet, hardfork: Hardfork.Osaka, customCrypto: { kzg } })
 * ```
 */
export function toEthereumjsKzg(
  prover: Omit<Prover, 'kernel' | 'recoverCells' | 'computeKzgProof'>,
  verifier: Pick<Kzg, 'verifyKzgProof' | 'verifyBlobKzgProofBatch' | 'verifyCellKzgProofBatch'>,
): EthereumjsKzg {
  const names = [
    'blobToKzgCommitment',
    'computeBlobKzgProof',
    'computeCells',
    'computeCellsAndKzgProofs',
    'recoverCellsAndKzgProofs',
  ] as const
  const compute = computing(prover, names, 'toEthereumjsBlobFields')
  const verify = deciding(verifier, ['verifyKzgProof', 'verifyBlobKzgProofBatch', 'verifyCellKzgProofBatch'])
  return {
    blobToKzgCommitment: (blob) => toHex(compute.blobToKzgCommitment(blob)),
    computeBlobProof: (blob, commitment) => toHex(compute.computeBlobKzgProof(blob, commitment)),
    verifyProof(commitment, z, y, proof) {
      try {
        return verify.verifyKzgProof(commitment, z, y, proof)
      } catch (error) {
        // By this word of c-kzg's the precompile of ethereumjs' EVM tells that its input is wrong.
        if (isInputError(error)) error.message += ' (C_KZG_BADARGS)'
        throw error
      }
    },
    verifyBlobProofBatch: (blobs, commitments, proofs) =>
      verify.verifyBlobKzgProofBatch(blobs, commitments, proofs),
    computeCells: (blob) => compute.computeCells(blob).map(toHex),
    computeCellsAndProofs(blob) {
      const { cells, proofs } = compute.computeCellsAndKzgProofs(blob)
      return [cells.map(toHex), proofs.map(toHex)]
    },
    recoverCellsAndProofs(indices, cells) {
      const recovered = compute.recoverCellsAndKzgProofs(indices, cells)
      return [recovered.cells.map(toHex), recovered.proofs.map(toHex)]
    },
    verifyCellKzgProofBatch: (commitments, indices, cells, proofs) =>
      verify.verifyCellKzgProofBatch(commitments, indices, cells, proofs),
  }
}

/**
 * Computes the fields of a transaction's blobs off the calling thread; `createBlob4844Tx` then computes none of them. Rejects with
 * `TypeError` for a version other than 0 and 1, with `KzgInputError` for what is no blob, and with the signal's reason.
 *
 * @example
 * ```ts
 * import { toEthereumjsBlobFields } from 'blobcheck/adapters/ethereumjs'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver() // once, for all transactions
 * const fields = await toEthereumjsBlobFields(prover, blobs, 1, { signal })
 * // createBlob4844Tx({ ...fields, to, maxFeePerBlobGas }, { common })
 * ```
 */
export async function toEthereumjsBlobFields(
  prover: BlobProver,
  blobs: readonly Bytes[],
  networkWrapperVersion: WrapperVersion,
  options?: ProverCallOptions,
): Promise<EthereumjsBlobFields> {
  const proved = await proveBlobs(prover, blobs, networkWrapperVersion, options)
  return {
    networkWrapperVersion,
    blobs: proved.map(({ blob }) => toHex(blob)),
    kzgCommitments: proved.map(({ commitment }) => toHex(commitment)),
    kzgProofs: proved.flatMap(({ proofs }) => proofs.map(toHex)),
  }
}
