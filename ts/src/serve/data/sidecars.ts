/** Sidecars out of blobs with their proofs, and the branches of a block. */
import type { SignedBeaconBlockHeader } from '../ssz/header.ts'
import { levelsOf, lengthChunk, siblings } from '../ssz/merkle.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import { bytes } from '../ssz/type.ts'
import type { ProvenBlob } from './proven-blob.ts'

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
export function columnOf({ header, blobs, commitmentsBranch }: SidecarFrame, index: number): DataColumnSidecar {
  return {
    index,
    column: blobs.map(({ cells }) => cells[index]!),
    kzg_commitments: blobs.map(({ commitment }) => commitment),
    kzg_proofs: blobs.map(({ cellProofs }) => cellProofs[index]!),
    signed_block_header: header,
    kzg_commitments_inclusion_proof: commitmentsBranch,
  }
}
