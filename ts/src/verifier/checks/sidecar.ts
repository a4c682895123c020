/** Sidecars: data with a header and the Merkle branch that ties one to the other. */
import type { Portable } from '../../util/portable.ts'
import type { CheckRequest } from './protocol.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from '../../kzg/module.ts'
import { anchorRoot, checkCommitments, commitmentsOf } from './anchor.ts'
import { boundedBytesOf } from '../../beacon/ssz/fields.ts'
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import {
  blobSidecar,
  columnBytes,
  dataColumnSidecar,
  type Layout,
  SIGNED_HEADER_BYTES,
} from '../../beacon/ssz/layout.ts'
import type { UnitChecked } from './item.ts'
import type { UnitWriter } from './unit-writer.ts'
import { blobSidecarSsz, dataColumnSidecarSsz } from '../../beacon/ssz/sidecar-json.ts'

/** A BlobSidecar (Deneb, Electra), SSZ or Beacon API JSON: verify_blob_sidecar_inclusion_proof and what precedes it. */
export function checkBlobSidecar(
  core: Core,
  item: Portable,
  request: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  const ssz = isBytes(item) ? boundedBytesOf(item, blobSidecar.end) : blobSidecarSsz(item)
  const root = anchorRoot(core, request.anchor)
  const network = request.network as BigUint64Array<ArrayBuffer>
  const unit = writer.write(core, (into) => core.exports.blobSidecar(ssz, network, root, into))
  return { unit, links: sidecarLinks(core, unit, request, false), ...signedHeader(ssz, blobSidecar, request) }
}

/** A DataColumnSidecar (Fulu): verify_data_column_sidecar and verify_data_column_sidecar_inclusion_proof. */
export function checkDataColumnSidecar(
  core: Core,
  item: Portable,
  request: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  const ssz = isBytes(item) ? boundedBytesOf(item, MAX_COLUMN_BYTES) : dataColumnSidecarSsz(item)
  const root = anchorRoot(core, request.anchor)
  const network = request.network as BigUint64Array<ArrayBuffer>
  const unit = writer.write(core, (into) => core.exports.dataColumnSidecar(ssz, network, root, into))
  return {
    unit,
    links: sidecarLinks(core, unit, request, true),
    ...signedHeader(ssz, dataColumnSidecar, request),
  }
}

/** The SignedBeaconBlockHeader of a sidecar that passed, where it is wanted. */
function signedHeader(
  ssz: Uint8Array,
  { signed_block_header: from }: Layout<'signed_block_header'>,
  { wantsHeaders }: CheckRequest,
): Pick<UnitChecked, 'signedHeader'> {
  return wantsHeaders ? { signedHeader: ssz.slice(from, from + SIGNED_HEADER_BYTES) } : {}
}

/** A column of the most blobs that a block can commit to. */
const MAX_COLUMN_BYTES = columnBytes(MAX_BLOB_COMMITMENTS_PER_BLOCK)

const isBytes = (item: Portable): boolean => typeof item === 'string' || item instanceof Uint8Array

/** A sidecar's own header proves nothing about the chain: only an anchor makes it more than absent. */
function sidecarLinks(core: Core, unit: Uint8Array, { anchor }: CheckRequest, whole: boolean): Links {
  const listed = checkCommitments(core, anchor, commitmentsOf(core, unit), whole)
  return {
    ...noLinks,
    ...listed,
    inclusion: 'verified',
    ...(anchor.kind === 'header' ? anchor.links : {}),
  }
}
