/** An adapter for viem (2.x), which serialises blobs with one proof each (EIP-4844), and has no form with proofs of cells. */
import type { Bytes } from '../util/hex.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type Hex, toHex } from './hex.ts'
import { type BlobProver, proveBlobs } from './prove-blobs.ts'

/** The interface `Kzg` of viem. */
export interface ViemKzg {
  blobToKzgCommitment(blob: Uint8Array): Uint8Array
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
 * const kzg = toViemKzg(await loadProver({ proofs: 'blobs' }))
 * await client.sendTransaction({ kzg, blobs, maxFeePerBlobGas, to })
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
 * const sidecars = await toViemSidecars(await createProver(), blobs, { signal })
 * await client.sendTransaction({ sidecars, blobVersionedHashes: sidecarsToVersionedHashes({ sidecars }), maxFeePerBlobGas, to })
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
