/** Blobs and columns as they are served. Sources: specs/deneb/p2p-interface.md, specs/fulu/das-core.md. */
import { COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { type Container, container } from './container.ts'
import { SignedBeaconBlockHeader } from './header.ts'
import { bytes, list, type Type, uint64, vector } from './type.ts'

export interface BlobSidecar {
  readonly index: number
  readonly blob: Uint8Array
  readonly kzg_commitment: Uint8Array
  readonly kzg_proof: Uint8Array
  readonly signed_block_header: SignedBeaconBlockHeader
  /** 17 nodes. */
  readonly kzg_commitment_inclusion_proof: readonly Uint8Array[]
}

export interface DataColumnSidecar {
  readonly index: number
  /** A cell of 2,048 bytes for each blob. */
  readonly column: readonly Uint8Array[]
  readonly kzg_commitments: readonly Uint8Array[]
  readonly kzg_proofs: readonly Uint8Array[]
  readonly signed_block_header: SignedBeaconBlockHeader
  /** 4 nodes. */
  readonly kzg_commitments_inclusion_proof: readonly Uint8Array[]
}

/** MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const MAX_BLOBS = MAX_BLOB_COMMITMENTS_PER_BLOCK

export const BlobSidecar: Container<BlobSidecar> = container<BlobSidecar>({
  index: uint64,
  blob: bytes(131_072),
  kzg_commitment: bytes(48),
  kzg_proof: bytes(48),
  signed_block_header: SignedBeaconBlockHeader,
  kzg_commitment_inclusion_proof: vector(bytes(32), 17),
})

export const DataColumnSidecar: Container<DataColumnSidecar> = container<DataColumnSidecar>({
  index: uint64,
  column: list(bytes(2_048), MAX_BLOBS),
  kzg_commitments: list(bytes(48), MAX_BLOBS),
  kzg_proofs: list(bytes(48), MAX_BLOBS),
  signed_block_header: SignedBeaconBlockHeader,
  kzg_commitments_inclusion_proof: vector(bytes(32), 4),
})

/** Answers in SSZ are lists. */
export const BlobSidecars: Type<readonly BlobSidecar[]> = list(BlobSidecar, MAX_BLOBS)
export const DataColumnSidecars: Type<readonly DataColumnSidecar[]> = list(DataColumnSidecar, COLUMNS)
export const Blobs: Type<readonly Uint8Array[]> = list(bytes(131_072), MAX_BLOBS)
