/** An adapter for ethers (6.x), which sends blobs with one proof each, or from 6.16 on with 128 where a transaction has `blobWrapperVersion: 1`. */
import type { Bytes } from '../util/hex.ts'
import { concatAll } from '../util/bytes.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import {
  type BlobProver,
  computing,
  type Hex,
  proveBlobs,
  readVersion,
  toHex,
  type WrapperVersion,
} from './prove-blobs.ts'

export type { BlobProver, Hex, WrapperVersion } from './prove-blobs.ts'
export type { ProverCallOptions, ProverProgress } from '../prover/options.ts'
export type { CellsAndKzgProofs } from '../prover/results.ts'

/** The interface `KzgLibrary` of ethers: what a transaction takes as `kzg`. */
export interface EthersKzg {
  /** The commitment of a blob of 131,072 bytes: 48 bytes. */
  blobToKzgCommitment: (blob: Uint8Array) => Uint8Array
  /** One proof of 48 bytes (EIP-4844), or the 128 proofs of the blob’s cells one after the other (EIP-7594). */
  computeBlobKzgProof: (blob: Uint8Array, commitment: Uint8Array) => Uint8Array
}

/** A `Blob` of ethers, in 0x hex: its data with commitment and proof, which ethers then does not compute. */
export interface EthersBlob {
  readonly data: Hex
  /** One proof of 48 bytes, or the 128 proofs of its cells one after the other. */
  readonly proof: Hex
  readonly commitment: Hex
}

/**
 * Makes the object that ethers takes as a transaction's `kzg`. ethers has one function for both kinds of proof, and cuts its answer
 * into 128 where the transaction has `blobWrapperVersion: 1`. So the version must be the transaction's: 1, or 0 for one without a
 * wrapper version. Throws `TypeError` for any other version, and for a prover of `createProver`, which `toEthersBlobs` takes; the functions throw
 * `KzgInputError` for what is no blob, and `TypeError` where the prover's answer with promises.
 *
 * @example
 * ```ts
 * import { toEthersKzg } from 'blobcheck/adapters/ethers'
 * import { loadProver } from 'blobcheck/prover'
 *
 * const kzg = toEthersKzg(await loadProver(), 1)
 * // wallet.sendTransaction({ type: 3, kzg, blobWrapperVersion: 1, blobs, maxFeePerBlobGas, to })
 * ```
 */
export function toEthersKzg(
  prover: Pick<Prover, 'blobToKzgCommitment' | 'computeBlobKzgProof' | 'computeCellsAndKzgProofs'>,
  blobWrapperVersion: WrapperVersion,
): EthersKzg {
  readVersion(blobWrapperVersion)
  const names = ['blobToKzgCommitment', 'computeBlobKzgProof', 'computeCellsAndKzgProofs'] as const
  const functions = computing(prover, names, 'toEthersBlobs')
  const { blobToKzgCommitment, computeBlobKzgProof, computeCellsAndKzgProofs } = functions
  return {
    blobToKzgCommitment,
    computeBlobKzgProof:
      blobWrapperVersion === 0
        ? computeBlobKzgProof
        : (blob) => concatAll(computeCellsAndKzgProofs(blob).proofs),
  }
}

/**
 * Computes a transaction's `blobs` off the calling thread, with commitments and proofs, so that ethers needs no `kzg`. The version
 * must be the transaction's `blobWrapperVersion`, or 0 for one without. Rejects with `TypeError` for any other version, with
 * `KzgInputError` for what is no blob, and with the signal's reason.
 *
 * @example
 * ```ts
 * import { toEthersBlobs } from 'blobcheck/adapters/ethers'
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver() // once, for all transactions
 * const proved = await toEthersBlobs(prover, blobs, 1, { signal })
 * // wallet.sendTransaction({ type: 3, blobWrapperVersion: 1, blobs: proved, maxFeePerBlobGas, to })
 * ```
 */
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
