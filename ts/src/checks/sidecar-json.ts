/**
 * Beacon API JSON sidecars as SSZ. From here on there is one form only, and one parser: that of crates/beacon.
 * Containers: specs/deneb/p2p-interface.md (BlobSidecar), specs/fulu/das-core.md (DataColumnSidecar).
 */
import type { Portable } from '../bytes/portable.ts'
import { malformed, recordOf } from './fields.ts'
import { SszWriter } from './ssz-writer.ts'

export function blobSidecarSsz(sidecar: Portable): Uint8Array {
  const json = recordOf(sidecar, 'not-an-item')
  const ssz = new SszWriter(131_928)
  ssz.uint64(json['index'])
  ssz.bytes(json['blob'], 131_072, 'blob-length')
  ssz.bytes(json['kzg_commitment'], 48, 'commitment-length')
  ssz.bytes(json['kzg_proof'], 48, 'proof-length')
  ssz.signedHeader(json['signed_block_header'])
  ssz.vector(json['kzg_commitment_inclusion_proof'], 17, 32, 'bad-json')
  return ssz.finish()
}

const COLUMN_FIXED_PART = 356

export function dataColumnSidecarSsz(sidecar: Portable): Uint8Array {
  const json = recordOf(sidecar, 'not-an-item')
  const { column, kzg_commitments: commitments, kzg_proofs: proofs } = json
  if (!Array.isArray(column) || !Array.isArray(commitments) || !Array.isArray(proofs))
    throw malformed('bad-json')
  const commitmentsAt = COLUMN_FIXED_PART + column.length * 2048
  const proofsAt = commitmentsAt + commitments.length * 48
  const ssz = new SszWriter(proofsAt + proofs.length * 48)
  ssz.uint64(json['index'])
  ssz.offset(COLUMN_FIXED_PART)
  ssz.offset(commitmentsAt)
  ssz.offset(proofsAt)
  ssz.signedHeader(json['signed_block_header'])
  ssz.vector(json['kzg_commitments_inclusion_proof'], 4, 32, 'bad-json')
  ssz.vector(column, column.length, 2048, 'cell-length')
  ssz.vector(commitments, commitments.length, 48, 'commitment-length')
  ssz.vector(proofs, proofs.length, 48, 'proof-length')
  return ssz.finish()
}
