/** Items of one unit each: blobs and cells, which nothing ties to a block, and sidecars, which a header and a Merkle branch tie to one. */
import { concatAll } from '../../util/bytes.ts'
import type { Portable } from '../../util/portable.ts'
import type { Anchor, CheckRequest } from './protocol.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from './core.ts'
import {
  anchorRoot,
  bytesOfDigits,
  checkCommitments,
  commitmentLinks,
  commitmentsOf,
  listLinks,
} from './anchor.ts'
import { checkBareBlob } from './bare-blob.ts'
import { CELLS_PER_EXT_BLOB, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import {
  BLOB_BYTES,
  blobSidecar,
  CELL_BYTES,
  columnBytes,
  dataColumnSidecar,
  isGloasColumn,
  type Layout,
  POINT_BYTES,
  SIGNED_HEADER_BYTES,
} from '../../beacon/ssz/layout.ts'
import { boundedBytesOf, malformed, recordOf } from '../../beacon/ssz/fields.ts'
import { blobSidecarSsz, dataColumnSidecarSsz } from '../../beacon/ssz/sidecar-json.ts'
import type { UnitChecked, UnitWriter } from './unit.ts'

/** `BlobItem`: verify_blob_kzg_proof's arguments, and the versioned hash if its deliverer knows it; or a blob without a proof. */
export function checkBlob(
  core: Core,
  value: Portable,
  at: number,
  request: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  const item = recordOf(value, 'not-an-item')
  if (item['proof'] === undefined) return checkBareBlob(core, item, at, request, writer)
  // Nothing is copied into the module's memory, which never shrinks, but what can be of the right length.
  const commitment = boundedBytesOf(item['commitment'], POINT_BYTES)
  const proof = boundedBytesOf(item['proof'], POINT_BYTES)
  const blob = boundedBytesOf(item['blob'], BLOB_BYTES)
  const unit = writer.write(core, (into) => core.exports.blobUnit(commitment, proof, blob, into))
  return { unit, links: commitmentLinks(core, request.anchor, commitment, item['versionedHash']) }
}

/** `CellItem`: one row of verify_cell_kzg_proof_batch's arguments. */
export function checkCell(core: Core, value: Portable, anchor: Anchor, writer: UnitWriter): UnitChecked {
  const item = recordOf(value, 'not-an-item')
  const commitment = boundedBytesOf(item['commitment'], POINT_BYTES)
  const index = cellIndex(item['cellIndex'])
  const cell = boundedBytesOf(item['cell'], CELL_BYTES)
  const proof = boundedBytesOf(item['proof'], POINT_BYTES)
  const unit = writer.write(core, (into) => core.exports.cellUnit(commitment, index, cell, proof, into))
  return { unit, links: commitmentLinks(core, anchor, commitment) }
}

function cellIndex(value: Portable | undefined): number {
  const index = typeof value === 'bigint' ? Number(value) : value
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= CELLS_PER_EXT_BLOB)
    throw malformed('cell-index')
  return index
}

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

/** A DataColumnSidecar: of Fulu, verify_data_column_sidecar and verify_data_column_sidecar_inclusion_proof; of Gloas, the former alone. */
export function checkDataColumnSidecar(
  core: Core,
  item: Portable,
  request: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  const ssz = isBytes(item) ? boundedBytesOf(item, MAX_COLUMN_BYTES) : dataColumnSidecarSsz(item)
  if (isGloasColumn(ssz)) return checkGloasColumn(core, ssz, request, writer)
  const root = anchorRoot(core, request.anchor)
  const network = request.network as BigUint64Array<ArrayBuffer>
  const unit = writer.write(core, (into) => core.exports.dataColumnSidecar(ssz, network, root, into))
  return {
    unit,
    links: sidecarLinks(core, unit, request, true),
    ...signedHeader(ssz, dataColumnSidecar, request),
  }
}

/**
 * A DataColumnSidecar of Gloas, which says of which block it is and nothing else: the commitments are the anchor's, and that they are of that
 * block is the anchor's word.
 */
function checkGloasColumn(
  core: Core,
  ssz: Uint8Array,
  { anchor, network }: CheckRequest,
  writer: UnitWriter,
): UnitChecked {
  if (anchor.kind !== 'commitments') throw malformed('commitment-missing')
  const commitments = concatAll(anchor.commitments.map(bytesOfDigits))
  const header = anchor.block?.header ?? new Uint8Array(0)
  const words = network as BigUint64Array<ArrayBuffer>
  const unit = writer.write(core, (into) =>
    core.exports.gloasDataColumnSidecar(ssz, words, commitments, header, into),
  )
  return { unit, links: { ...noLinks, ...listLinks(anchor) } }
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
