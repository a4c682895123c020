/**
 * Beacon API JSON sidecars as SSZ. From here on there is one form only, and one parser: that of crates/beacon.
 * Containers: specs/deneb/p2p-interface.md (BlobSidecar), specs/fulu/das-core.md and
 * specs/gloas/p2p-interface.md (DataColumnSidecar).
 */
import type { Portable } from '../../util/portable.ts'
import { malformed, type PortableRecord, recordOf, requireLengths } from './fields.ts'
import {
  BLOB_BYTES,
  blobSidecar,
  CELL_BYTES,
  COMMITMENT_BRANCH_DEPTH,
  COMMITMENTS_BRANCH_DEPTH,
  dataColumnSidecar,
  gloasDataColumnSidecar,
  POINT_BYTES,
} from './layout.ts'
import { SszWriter } from './fields.ts'

export function blobSidecarSsz(sidecar: Portable): Uint8Array {
  const json = recordOf(sidecar, 'not-an-item')
  const ssz = new SszWriter(blobSidecar.end)
  ssz.uint64(json['index'])
  ssz.bytes(json['blob'], BLOB_BYTES, 'blob-length')
  ssz.bytes(json['kzg_commitment'], POINT_BYTES, 'commitment-length')
  ssz.bytes(json['kzg_proof'], POINT_BYTES, 'proof-length')
  ssz.signedHeader(json['signed_block_header'])
  ssz.vector(json['kzg_commitment_inclusion_proof'], COMMITMENT_BRANCH_DEPTH, 32, 'bad-json')
  return ssz.finish()
}

/** A data column sidecar of Fulu; or of Gloas, which names its block in the place of a header. */
export function dataColumnSidecarSsz(sidecar: Portable): Uint8Array {
  const json = recordOf(sidecar, 'not-an-item')
  if (isGloasColumnJson(json)) return gloasDataColumnSidecarSsz(json)
  const { column, kzg_commitments: commitments, kzg_proofs: proofs } = json
  if (!Array.isArray(column) || !Array.isArray(commitments) || !Array.isArray(proofs))
    throw malformed('bad-json')
  // Before memory is set aside for them: a list of empty strings would have two thousand times its own size.
  requireLengths(column, CELL_BYTES, 'cell-length')
  requireLengths(commitments, POINT_BYTES, 'commitment-length')
  requireLengths(proofs, POINT_BYTES, 'proof-length')
  const commitmentsAt = dataColumnSidecar.end + column.length * CELL_BYTES
  const proofsAt = commitmentsAt + commitments.length * POINT_BYTES
  const ssz = new SszWriter(proofsAt + proofs.length * POINT_BYTES)
  ssz.uint64(json['index'])
  ssz.offset(dataColumnSidecar.end)
  ssz.offset(commitmentsAt)
  ssz.offset(proofsAt)
  ssz.signedHeader(json['signed_block_header'])
  ssz.vector(json['kzg_commitments_inclusion_proof'], COMMITMENTS_BRANCH_DEPTH, 32, 'bad-json')
  ssz.vector(column, column.length, CELL_BYTES, 'cell-length')
  ssz.vector(commitments, commitments.length, POINT_BYTES, 'commitment-length')
  ssz.vector(proofs, proofs.length, POINT_BYTES, 'proof-length')
  return ssz.finish()
}

/** Whether the JSON of a data column sidecar is of Gloas' container, which names its block in the place of a header. */
export function isGloasColumnJson(json: Readonly<Record<string, unknown>>): boolean {
  return json['signed_block_header'] === undefined && json['beacon_block_root'] !== undefined
}

function gloasDataColumnSidecarSsz(json: PortableRecord): Uint8Array {
  const { column, kzg_proofs: proofs } = json
  if (!Array.isArray(column) || !Array.isArray(proofs)) throw malformed('bad-json')
  requireLengths(column, CELL_BYTES, 'cell-length')
  requireLengths(proofs, POINT_BYTES, 'proof-length')
  const proofsAt = gloasDataColumnSidecar.end + column.length * CELL_BYTES
  const ssz = new SszWriter(proofsAt + proofs.length * POINT_BYTES)
  ssz.uint64(json['index'])
  ssz.offset(gloasDataColumnSidecar.end)
  ssz.offset(proofsAt)
  ssz.uint64(json['slot'])
  ssz.bytes(json['beacon_block_root'], 32, 'bad-json')
  ssz.vector(column, column.length, CELL_BYTES, 'cell-length')
  ssz.vector(proofs, proofs.length, POINT_BYTES, 'proof-length')
  return ssz.finish()
}
