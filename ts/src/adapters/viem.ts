/**
 * viem (2.x). `kzg` for its blob functions and transactions: `const kzg = toViemKzg(await loadProver({ proofs: 'blobs' }))`.
 * viem 2.57 serialises blobs with one proof each (EIP-4844) and knows nothing of proofs of cells.
 */
import type { Bytes } from '../util/hex.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { Prover } from '../prover/prover.ts'
import { type Hex, toHex } from './hex.ts'
import { type BlobProver, proveBlobs } from './prove-blobs.ts'

/** viem's `Kzg`. */
export interface ViemKzg {
  blobToKzgCommitment(blob: Uint8Array): Uint8Array
  computeBlobKzgProof(blob: Uint8Array, commitment: Uint8Array): Uint8Array
}

/** viem's `BlobSidecar`, in hex, as its transactions take them. */
export interface ViemBlobSidecar {
  readonly blob: Hex
  readonly commitment: Hex
  readonly proof: Hex
}

/** The object that viem takes as `kzg`. */
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
 * The same off the calling thread: a transaction's `sidecars`, which viem then need not work out. Their versioned hashes are
 * viem's `sidecarsToVersionedHashes({ sidecars })`.
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
