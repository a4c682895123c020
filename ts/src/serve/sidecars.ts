/** Sidecars out of proven blobs and the branches of a block, and the provers that prove blobs. */
import { createProver } from '../prover/async-prover.ts'
import { loadProver } from '../prover/prover.ts'
import type { CellsAndKzgProofs } from '../prover/results.ts'
import { Once } from '../util/once.ts'
import { sleep } from '../util/timers.ts'
import type { ChainBlob } from './chain.ts'
import type { SignedBeaconBlockHeader } from './ssz/block.ts'
import { lengthChunk, levelsOf, siblings } from './ssz/merkle.ts'
import type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'
import { bytes } from './ssz/types.ts'

/** The part of a prover that chains need. */
export interface BlobProver {
  commit(blob: Uint8Array | string): Promise<Uint8Array>
  proveCells(blob: Uint8Array | string): Promise<CellsAndKzgProofs>
  dispose(): Promise<void>
}

/**
 * Starts one; it and its calls reject with the signal's reason.
 *
 * @internal
 */
export async function openProver(signal: AbortSignal | undefined): Promise<BlobProver> {
  signal?.throwIfAborted()
  if ('ServiceWorkerGlobalScope' in globalThis) {
    const prover = await loadProver()
    // Others get a turn before each blob, which holds up this thread: else nobody could abort the signal.
    const inTurn = async <T>(work: () => T): Promise<T> => {
      await sleep(0, signal)
      return work()
    }
    return {
      commit: async (blob) => await inTurn(() => prover.blobToKzgCommitment(blob)),
      proveCells: async (blob) => await inTurn(() => prover.computeCellsAndKzgProofs(blob)),
      dispose: async () => {},
    }
  }
  const prover = await createProver()
  const options = signal === undefined ? {} : { signal }
  return {
    commit: async (blob) => await prover.blobToKzgCommitment(blob, options),
    proveCells: async (blob) => await prover.computeCellsAndKzgProofs(blob, options),
    dispose: async () => await prover.dispose(),
  }
}

/** A prover of blobs in this thread: it proves one at a time, 80 ms each. */
const sharedProver = new Once(() => loadProver({ proofs: 'blobs' }))

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
  const proof = new Once(async () => (await sharedProver.get()).computeBlobKzgProof(blob, commitment))
  return () => proof.get()
}

/** What sidecars of one block share. */
export interface SidecarFrame {
  readonly header: SignedBeaconBlockHeader
  readonly blobs: readonly ProvenBlob[]
  /** The 4 nodes between the list of commitments and the body's root. */
  readonly commitmentsBranch: readonly Uint8Array[]
}

/** floorlog2 of MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const LIST_DEPTH = 12
const commitmentType = bytes(48)

/** The sidecar of a blob, with its proof of EIP-4844. */
export async function blobSidecarOf(frame: SidecarFrame, index: number): Promise<BlobSidecar> {
  const { header, blobs, commitmentsBranch } = frame
  const { blob, commitment, proof } = blobs[index]!
  const leaves = blobs.map((one) => commitmentType.root(one.commitment))
  return {
    index,
    blob,
    kzg_commitment: commitment,
    kzg_proof: await proof(),
    signed_block_header: header,
    kzg_commitment_inclusion_proof: [
      ...siblings(levelsOf(leaves, LIST_DEPTH), index),
      lengthChunk(blobs.length),
      ...commitmentsBranch,
    ],
  }
}

/** The sidecar of a column. */
export function columnOf(
  { header, blobs, commitmentsBranch }: SidecarFrame,
  index: number,
): DataColumnSidecar {
  return {
    index,
    column: blobs.map(({ cells }) => cells[index]!),
    kzg_commitments: blobs.map(({ commitment }) => commitment),
    kzg_proofs: blobs.map(({ cellProofs }) => cellProofs[index]!),
    signed_block_header: header,
    kzg_commitments_inclusion_proof: commitmentsBranch,
  }
}
