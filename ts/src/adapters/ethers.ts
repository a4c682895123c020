/**
 * ethers (6.x). A transaction's `kzg`: `toEthersKzg(await loadProver(), 1)`, with `blobWrapperVersion: 1` on the transaction;
 * or `toEthersKzg(prover, 0)` without one.
 */
import type { Bytes } from '../util/hex.ts'
import { concatAll } from '../util/bytes.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type BlobProver, proveBlobs, readVersion, type WrapperVersion } from './prove-blobs.ts'
import { type Hex, toHex } from './hex.ts'

/** ethers' `KzgLibrary`. */
export interface EthersKzg {
  blobToKzgCommitment: (blob: Uint8Array) => Uint8Array
  computeBlobKzgProof: (blob: Uint8Array, commitment: Uint8Array) => Uint8Array
}

/** ethers' `Blob`. */
export interface EthersBlob {
  readonly data: Hex
  /** One proof; or 128 of them in one piece. */
  readonly proof: Hex
  readonly commitment: Hex
}

/**
 * The object that ethers takes as `kzg`. ethers has one function for both kinds of proof, and cuts what it answers into 128
 * where the transaction has `blobWrapperVersion: 1`: the version must be said here, too.
 */
export function toEthersKzg(
  {
    blobToKzgCommitment,
    computeBlobKzgProof,
    computeCellsAndKzgProofs,
  }: Pick<Prover, 'blobToKzgCommitment' | 'computeBlobKzgProof' | 'computeCellsAndKzgProofs'>,
  blobWrapperVersion: WrapperVersion,
): EthersKzg {
  readVersion(blobWrapperVersion)
  return {
    blobToKzgCommitment: (blob) => blobToKzgCommitment(blob),
    computeBlobKzgProof:
      blobWrapperVersion === 0
        ? (blob, commitment) => computeBlobKzgProof(blob, commitment)
        : (blob) => concatAll(computeCellsAndKzgProofs(blob).proofs),
  }
}

/** The same off the calling thread: a transaction's `blobs`, for which ethers needs no `kzg`. */
export async function toEthersBlobs(
  prover: BlobProver,
  blobs: readonly Bytes[],
  blobWrapperVersion: WrapperVersion,
  options?: ProverCallOptions,
): Promise<EthersBlob[]> {
  const proved = await proveBlobs(prover, blobs, blobWrapperVersion, options)
  return proved.map(({ blob, commitment, proofs }) => ({
    data: toHex(blob),
    proof: toHex(concatAll(proofs)),
    commitment: toHex(commitment),
  }))
}
