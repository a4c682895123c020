/**
 * Where the parts of sidecars are in their SSZ, derived from the fields: all offsets and sizes of the package come from here.
 * Containers: specs/phase0/beacon-chain.md (headers), specs/deneb/p2p-interface.md (BlobSidecar), specs/fulu/das-core.md
 * (DataColumnSidecar). All in bytes.
 */

export const BLOB_BYTES: number = 4_096 * 32
export const CELL_BYTES: number = 64 * 32
/** A commitment or a proof: a compressed point of G1. */
export const POINT_BYTES = 48
const ROOT_BYTES = 32
/** Of a list: where its entries begin, which is behind the fixed part. */
const OFFSET_BYTES = 4

/** Slot and proposer index; roots of parent, state and body. */
export const HEADER_BYTES: number = 2 * 8 + 3 * ROOT_BYTES
/** A header and its proposer's signature. */
export const SIGNED_HEADER_BYTES: number = HEADER_BYTES + 96

/** How many nodes are in the branch of a commitment (KZG_COMMITMENT_INCLUSION_PROOF_DEPTH), and in that of their list. */
export const COMMITMENT_BRANCH_DEPTH = 17
export const COMMITMENTS_BRANCH_DEPTH = 4
/** The height of the list's own tree: above it, the branch of a commitment has the length of the list. */
const COMMITMENTS_LIST_HEIGHT = 12

/** Where each field begins; `end` is where the last one ends. */
export type Layout<Field extends string> = { readonly [field in Field | 'end']: number }

export const blobSidecar: Layout<
  'index' | 'blob' | 'kzg_commitment' | 'kzg_proof' | 'signed_block_header' | 'kzg_commitment_inclusion_proof'
> = layout({
  index: 8,
  blob: BLOB_BYTES,
  kzg_commitment: POINT_BYTES,
  kzg_proof: POINT_BYTES,
  signed_block_header: SIGNED_HEADER_BYTES,
  kzg_commitment_inclusion_proof: COMMITMENT_BRANCH_DEPTH * ROOT_BYTES,
})

/** In a blob sidecar: how many commitments its block has, a uint64 in a node of the branch. */
export const COMMITMENT_COUNT_AT: number =
  blobSidecar.kzg_commitment_inclusion_proof + COMMITMENTS_LIST_HEIGHT * ROOT_BYTES

/** The fixed part: of the lists it has the offsets, and `end` is where the first of them begins. */
export const dataColumnSidecar: Layout<
  | 'index'
  | 'column'
  | 'kzg_commitments'
  | 'kzg_proofs'
  | 'signed_block_header'
  | 'kzg_commitments_inclusion_proof'
> = layout({
  index: 8,
  column: OFFSET_BYTES,
  kzg_commitments: OFFSET_BYTES,
  kzg_proofs: OFFSET_BYTES,
  signed_block_header: SIGNED_HEADER_BYTES,
  kzg_commitments_inclusion_proof: COMMITMENTS_BRANCH_DEPTH * ROOT_BYTES,
})

/** A data column sidecar of a block with so many blobs: for each, a cell, a commitment and a proof. */
export function columnBytes(blobs: number): number {
  return dataColumnSidecar.end + blobs * (CELL_BYTES + 2 * POINT_BYTES)
}

/** That of Gloas (specs/gloas/p2p-interface.md), which has neither commitments nor a header. Its first offset tells it from Fulu's. */
export const gloasDataColumnSidecar: Layout<
  'index' | 'column' | 'kzg_proofs' | 'slot' | 'beacon_block_root'
> = layout({
  index: 8,
  column: OFFSET_BYTES,
  kzg_proofs: OFFSET_BYTES,
  slot: 8,
  beacon_block_root: ROOT_BYTES,
})

/** Whether the SSZ of a data column sidecar is of Gloas' container, by where it says that its first list begins. */
export function isGloasColumn(ssz: Uint8Array): boolean {
  return hasColumnBehind(ssz, gloasDataColumnSidecar)
}

/**
 * Whether the SSZ looks like one data column sidecar, of Fulu or of Gloas: its first list begins behind the fixed part of one of them, and the
 * upper half of its index is 0. A list of two has its second offset there, and where that first list begins, the index of its first column.
 */
export function isColumn(ssz: Uint8Array): boolean {
  return (
    (isGloasColumn(ssz) || hasColumnBehind(ssz, dataColumnSidecar)) &&
    new DataView(ssz.buffer, ssz.byteOffset).getUint32(4, true) === 0
  )
}

/** Whether the SSZ says that its cells, which are the first list, begin behind the fixed part of this layout. */
function hasColumnBehind(ssz: Uint8Array, { column, end }: Layout<'column'>): boolean {
  return ssz.length >= end && new DataView(ssz.buffer, ssz.byteOffset).getUint32(column, true) === end
}

/** Fields one after the other, in the order in which they are named. */
function layout<Field extends string>(sizes: Readonly<Record<Field, number>>): Layout<Field> {
  const offsets: Record<string, number> = {}
  let end = 0
  for (const [field, size] of Object.entries<number>(sizes)) {
    offsets[field] = end
    end += size
  }
  return { ...offsets, end } as Layout<Field>
}

/** Entries of fixed size, one after the other. */
export function splitFixed<Memory extends ArrayBufferLike>(
  bytes: Uint8Array<Memory>,
  length: number,
): Uint8Array<Memory>[] | null {
  if (bytes.length % length !== 0) return null
  return Array.from({ length: bytes.length / length }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  )
}

/** Entries of any size, `maxCount` at most: a table of offsets, then the entries, without gaps. */
export function splitByOffsets(bytes: Uint8Array, maxCount: number): Uint8Array[] | null {
  if (bytes.length === 0) return []
  if (bytes.length < 4) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tableLength = view.getUint32(0, true)
  const isTable = tableLength > 0 && tableLength % 4 === 0 && tableLength <= 4 * maxCount
  if (!isTable || tableLength > bytes.length) return null
  const offsets = Array.from({ length: tableLength / 4 }, (_, at) => view.getUint32(4 * at, true))
  const ends = [...offsets.slice(1), bytes.length]
  const entries: Uint8Array[] = []
  for (const [at, offset] of offsets.entries()) {
    const end = ends[at] ?? bytes.length
    if (offset > end || end > bytes.length) return null
    entries.push(bytes.subarray(offset, end))
  }
  return entries
}
