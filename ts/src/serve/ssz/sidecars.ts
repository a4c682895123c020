/** Blobs and columns as they are served. Sources: specs/deneb/p2p-interface.md, specs/fulu/das-core.md. */
import { COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import {
  BLOB_BYTES,
  CELL_BYTES,
  COMMITMENT_BRANCH_DEPTH,
  COMMITMENTS_BRANCH_DEPTH,
  POINT_BYTES,
} from '../../beacon/ssz/layout.ts'
import { SignedBeaconBlockHeader } from './block.ts'
import { bytes, type Container, container, list, type Type, uint64, vector } from './types.ts'

/** A blob of a block before Fulu, with what ties it to the block. Source: specs/deneb/p2p-interface.md. */
export interface BlobSidecar {
  /** The place of the blob in its block, from 0. */
  readonly index: number
  /** 131,072 bytes. */
  readonly blob: Uint8Array
  /** 48 bytes. */
  readonly kzg_commitment: Uint8Array
  /** 48 bytes. */
  readonly kzg_proof: Uint8Array
  readonly signed_block_header: SignedBeaconBlockHeader
  /** 17 nodes of 32 bytes. */
  readonly kzg_commitment_inclusion_proof: readonly Uint8Array[]
}

/** A column of the blobs of a block of Fulu, with what ties it to the block. Source: specs/fulu/das-core.md. */
export interface DataColumnSidecar {
  /** The index of the column, below 128. */
  readonly index: number
  /** A cell of 2,048 bytes for each blob. */
  readonly column: readonly Uint8Array[]
  /** 48 bytes for each blob. */
  readonly kzg_commitments: readonly Uint8Array[]
  /** 48 bytes for each cell. */
  readonly kzg_proofs: readonly Uint8Array[]
  readonly signed_block_header: SignedBeaconBlockHeader
  /** 4 nodes of 32 bytes. */
  readonly kzg_commitments_inclusion_proof: readonly Uint8Array[]
}

/** MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const MAX_BLOBS = MAX_BLOB_COMMITMENTS_PER_BLOCK

export const BlobSidecar: Container<BlobSidecar> = container<BlobSidecar>({
  index: uint64,
  blob: bytes(BLOB_BYTES),
  kzg_commitment: bytes(POINT_BYTES),
  kzg_proof: bytes(POINT_BYTES),
  signed_block_header: SignedBeaconBlockHeader,
  kzg_commitment_inclusion_proof: vector(bytes(32), COMMITMENT_BRANCH_DEPTH),
})

export const DataColumnSidecar: Container<DataColumnSidecar> = container<DataColumnSidecar>({
  index: uint64,
  column: list(bytes(CELL_BYTES), MAX_BLOBS),
  kzg_commitments: list(bytes(POINT_BYTES), MAX_BLOBS),
  kzg_proofs: list(bytes(POINT_BYTES), MAX_BLOBS),
  signed_block_header: SignedBeaconBlockHeader,
  kzg_commitments_inclusion_proof: vector(bytes(32), COMMITMENTS_BRANCH_DEPTH),
})

/** Answers in SSZ are lists. */
export const BlobSidecars: Type<readonly BlobSidecar[]> = list(BlobSidecar, MAX_BLOBS)
export const DataColumnSidecars: Type<readonly DataColumnSidecar[]> = list(DataColumnSidecar, COLUMNS)
export const Blobs: Type<readonly Uint8Array[]> = list(bytes(BLOB_BYTES), MAX_BLOBS)
