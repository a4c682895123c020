/** A blob with all that can be proved of it. */
import type { ChainBlob } from '../chain.ts'
import { sharedProver } from './provers.ts'

export interface ProvenBlob extends ChainBlob {
  /** 128 of 2,048 bytes. */
  readonly cells: readonly Uint8Array[]
  /** 128 of 48 bytes. */
  readonly cellProofs: readonly Uint8Array[]
  /** The proof of EIP-4844, which few ask for: it is computed when it is wanted first, and kept. */
  proof(): Promise<Uint8Array>
}

/** A proof of EIP-4844 that is computed when it is wanted first. */
export function lazyProof(blob: Uint8Array, commitment: Uint8Array): () => Promise<Uint8Array> {
  let proof: Promise<Uint8Array> | undefined
  return () => (proof ??= sharedProver().then((prover) => prover.computeBlobKzgProof(blob, commitment)))
}
