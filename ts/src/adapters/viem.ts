/** An adapter for viem (2.x), which serialises blobs with one proof each (EIP-4844), and has no form with proofs of cells. */
import type { Bytes } from '../util/hex.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type BlobProver, type Hex, proveBlobs, toHex } from './prove-blobs.ts'

/** The interface `Kzg` of viem: what its functions of blobs, and transactions with blobs, take as `kzg`. */
export interface ViemKzg {
  /** The commitment of a blob of 131,072 bytes: 48 bytes. */
  blobToKzgCommitment(blob: Uint8Array): Uint8Array
  /** The proof of a blob for its commitment (EIP-4844): 48 bytes. */
  computeBlobKzgProof(blob: Uint8Array, commitment: Uint8Array): Uint8Array
}

/** A `BlobSidecar` of viem, in 0x hex, as its transactions take them. */
export interface ViemBlobSidecar {
  readonly blob: Hex
  readonly commitment: Hex
  readonly proof: Hex
}

/**
 * Makes the object that viem takes as `kzg`, for its blob functions and for transactions. It computes in the calling thread, some
 * 100 ms for a blob, and throws `KzgInputError` for what is no blob.
 *
 * @example
 * ```ts
 * import { toViemKzg } from 'blobcheck/adapters/viem'
 * import { loadProver } from 'blobcheck/prover'
 *
 * const kzg = toViemKzg(await loadProver({ proofs: 'blobs' }))
 * // client.sendTransaction({ kzg, blobs, maxFeePerBlobGas, to })
 * ```
 */
export function toViemKzg({
  blobToKzgCommitment,
  computeBlobKzgProof,
}: Pick<Prover, 'blobToKzgCommitment' | 'computeBlobKzgProof'>): ViemKzg {
  return {
    blobToKzgCommitment: (blob) => blobToKzgCommitment(blob),
    computeBlobKzgProof: (blob, commitment) => computeBlobKzgProof(blob, commitment),
  }
}

/**
 * Computes a transaction's `sidecars` off the calling thread: each blob with its commitment and its proof, in 0x hex, in the order
 * of `blobs`. viem then computes none of them; their versioned hashes are its `sidecarsToVersionedHashes({ sidecars })`. Rejects
 * with `KzgInputError` for what is no blob, and with the signal's reason.
 *
 * @example
 * ```ts
 * import { toViemSidecars } from 'blobcheck/adapters/viem'
 * import { createProver } from 'blobcheck/prover'
 *
 * const sidecars = await toViemSidecars(await createProver(), blobs, { signal })
 * // const blobVersionedHashes = sidecarsToVersionedHashes({ sidecars })
 * // client.sendTransaction({ sidecars, blobVersionedHashes, maxFeePerBlobGas, to })
 * ```
 */
export async function toViemSidecars(
  prover: BlobProver,
  blobs: readonly Bytes[],
  options?: ProverCallOptions,
): Promise<ViemBlobSidecar[]> {
  const proved = await proveBlobs(prover, blobs, 0, options)
  return proved.map(({ blob, commitment, proofs }) => ({
    blob: toHex(blob),
    commitment: toHex(commitment),
    proof: toHex(proofs[0]!),
  }))
}
