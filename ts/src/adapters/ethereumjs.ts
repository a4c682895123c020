/**
 * ethereumjs (10.x). `new Common({ …, customCrypto: { kzg: toEthereumjsKzg(await loadProver(), await loadKzg()) } })`.
 * Everything is hex.
 */
import type { Bytes } from '../util/hex.ts'
import type { Kzg } from '../kzg/index.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type Hex, toHex } from './hex.ts'
import { type BlobProver, proveBlobs, type WrapperVersion } from './prove-blobs.ts'

/** The `KZG` of @ethereumjs/util. */
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

/** What `createBlob4844Tx` takes of a transaction's blobs; it derives the versioned hashes. */
export interface EthereumjsBlobFields {
  readonly networkWrapperVersion: WrapperVersion
  readonly blobs: Hex[]
  readonly kzgCommitments: Hex[]
  /** 1 or 128 for each blob. */
  readonly kzgProofs: Hex[]
}

/** The object that ethereumjs takes as `customCrypto.kzg`. Malformed input throws `KzgInputError`, in verification, too. */
export function toEthereumjsKzg(
  prover: Omit<Prover, 'kernel' | 'recoverCells' | 'computeKzgProof'>,
  verifier: Pick<Kzg, 'verifyKzgProof' | 'verifyBlobKzgProofBatch' | 'verifyCellKzgProofBatch'>,
): EthereumjsKzg {
  return {
    blobToKzgCommitment: (blob) => toHex(prover.blobToKzgCommitment(blob)),
    computeBlobProof: (blob, commitment) => toHex(prover.computeBlobKzgProof(blob, commitment)),
    verifyProof: (commitment, z, y, proof) => verifier.verifyKzgProof(commitment, z, y, proof),
    verifyBlobProofBatch: (blobs, commitments, proofs) =>
      verifier.verifyBlobKzgProofBatch(blobs, commitments, proofs),
    computeCells: (blob) => prover.computeCells(blob).map(toHex),
    computeCellsAndProofs(blob) {
      const { cells, proofs } = prover.computeCellsAndKzgProofs(blob)
      return [cells.map(toHex), proofs.map(toHex)]
    },
    recoverCellsAndProofs(indices, cells) {
      const recovered = prover.recoverCellsAndKzgProofs(indices, cells)
      return [recovered.cells.map(toHex), recovered.proofs.map(toHex)]
    },
    verifyCellKzgProofBatch: (commitments, indices, cells, proofs) =>
      verifier.verifyCellKzgProofBatch(commitments, indices, cells, proofs),
  }
}

/** The same off the calling thread: fields for `createBlob4844Tx`, which then computes none of them. */
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
