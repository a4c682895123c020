/** Blobs and cells as items: data, commitment and proof, with nothing that ties them to a block. */
import { encodeHex } from '../../util/hex.ts'
import type { Portable } from '../../util/portable.ts'
import type { Anchor } from './protocol.ts'
import { type Links, noLinks } from '../../verdict/verdict.ts'
import type { Core } from '../../kzg/module.ts'
import { checkCommitments } from './anchor.ts'
import { CELLS_PER_EXT_BLOB } from '../../beacon/constants.ts'
import { BLOB_BYTES, CELL_BYTES, POINT_BYTES } from '../../beacon/ssz/layout.ts'
import { boundedBytesOf, bytesOf, malformed, recordOf, Refused } from '../../beacon/ssz/fields.ts'
import type { UnitWriter } from './unit-writer.ts'

export interface UnitChecked {
  readonly links: Links
  readonly unit: Uint8Array<ArrayBuffer>
  /** See `Checked`. */
  readonly signedHeader?: Uint8Array
}

/** `BlobItem`: verify_blob_kzg_proof's arguments, and the versioned hash if its deliverer knows it. */
export function checkBlob(core: Core, value: Portable, anchor: Anchor, writer: UnitWriter): UnitChecked {
  const item = recordOf(value, 'not-an-item')
  // Nothing is copied into the module's memory, which never shrinks, but what can be of the right length.
  const commitment = boundedBytesOf(item['commitment'], POINT_BYTES)
  const proof = boundedBytesOf(item['proof'], POINT_BYTES)
  const blob = boundedBytesOf(item['blob'], BLOB_BYTES)
  const unit = writer.write(core, (into) => core.exports.blobUnit(commitment, proof, blob, into))
  const links = checkVersionedHash(core, item['versionedHash'], commitment)
  return { unit, links: { ...noLinks, ...links, ...checkCommitments(core, anchor, [commitment], false) } }
}

/** `CellItem`: one row of verify_cell_kzg_proof_batch's arguments. */
export function checkCell(core: Core, value: Portable, anchor: Anchor, writer: UnitWriter): UnitChecked {
  const item = recordOf(value, 'not-an-item')
  const commitment = boundedBytesOf(item['commitment'], POINT_BYTES)
  const index = cellIndex(item['cellIndex'])
  const cell = boundedBytesOf(item['cell'], CELL_BYTES)
  const proof = boundedBytesOf(item['proof'], POINT_BYTES)
  const unit = writer.write(core, (into) => core.exports.cellUnit(commitment, index, cell, proof, into))
  return { unit, links: { ...noLinks, ...checkCommitments(core, anchor, [commitment], false) } }
}

function cellIndex(value: Portable | undefined): number {
  const index = typeof value === 'bigint' ? Number(value) : value
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= CELLS_PER_EXT_BLOB)
    throw malformed('cell-index')
  return index
}

function checkVersionedHash(core: Core, value: Portable | undefined, commitment: Uint8Array): Partial<Links> {
  if (value === undefined) return {}
  const wanted = bytesOf(value)
  if (wanted.length !== 32) throw malformed('versioned-hash-length')
  if (encodeHex(core.exports.versionedHash(commitment)) !== encodeHex(wanted)) {
    throw new Refused({ status: 'invalid', stage: 'versioned-hash', reason: 'versioned-hash-mismatch' })
  }
  return { 'versioned-hash': 'verified' }
}
