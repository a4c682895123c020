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
  return fixedBytesOf(ssz) === gloasDataColumnSidecar.end
}

/**
 * Whether the SSZ begins with a data column sidecar, of Fulu or of Gloas: its first list begins behind the fixed part of one of them, and the
 * upper half of its index is 0.
 *
 * No list of columns looks so. One of two or more has its second offset at byte 4, which is no less than the first, and that is 8 or more. In a
 * list of one, bytes 4 to 12 are the index of its column, which would be 56 or 356 times 2³².
 */
export function isColumn(ssz: Uint8Array): boolean {
  return fixedBytesOf(ssz) > 0 && uint32(ssz, 4) === 0
}

/** How long the fixed part of a data column sidecar is: its cells, which are the first list, begin behind it. 0 for what is no such sidecar. */
function fixedBytesOf(ssz: Uint8Array): number {
  const cellsAt = ssz.length < gloasDataColumnSidecar.end ? 0 : uint32(ssz, dataColumnSidecar.column)
  const isKnown = cellsAt === gloasDataColumnSidecar.end || cellsAt === dataColumnSidecar.end
  return isKnown && ssz.length >= cellsAt ? cellsAt : 0
}

/**
 * How long the data column sidecar is that these bytes begin with, by its own offsets: as many commitments and proofs as cells. All bytes where
 * the offsets say anything else, or where they begin with none.
 */
function columnLength(ssz: Uint8Array): number {
  const fixed = fixedBytesOf(ssz)
  if (fixed === 0) return ssz.length
  const isGloas = fixed === gloasDataColumnSidecar.end
  const proofs = uint32(ssz, (isGloas ? gloasDataColumnSidecar : dataColumnSidecar).kzg_proofs)
  // Before the proofs there are cells, and in Fulu commitments behind them. All of a fixed part is less than a cell: no count is below 0.
  const count = (proofs - fixed) / (CELL_BYTES + (isGloas ? 0 : POINT_BYTES))
  const cellsEnd = uint32(ssz, dataColumnSidecar.kzg_commitments)
  const isRight = count % 1 === 0 && cellsEnd === fixed + count * CELL_BYTES
  return isRight ? proofs + count * POINT_BYTES : ssz.length
}

/** A little-endian uint32. */
function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
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

/**
 * Data column sidecars, `maxCount` at most, of which one that is cut or damaged is an entry, too: an SSZ list; or one after the other, without a
 * table of offsets, as Teku answers and Prysm did until its 17320 (beacon-APIs 633). Then each is as long as its own offsets say, and what is behind
 * one whose offsets are wrong belongs to it. One sidecar by itself is the shortest of these. Null where the bytes are neither.
 */
export function splitColumns<Memory extends ArrayBufferLike>(
  bytes: Uint8Array<Memory>,
  maxCount: number,
): Uint8Array<Memory>[] | null {
  const list = isColumn(bytes) ? null : splitByOffsets(bytes, maxCount)
  // Where the first index alone is damaged, the bytes may be no list, and sidecars all the same.
  if (list !== null || fixedBytesOf(bytes) === 0) return list
  const entries: Uint8Array<Memory>[] = []
  for (let rest = bytes; rest.length > 0;) {
    if (entries.length === maxCount) return null
    const length = columnLength(rest)
    entries.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return entries
}

/** Entries of any size, `maxCount` at most: a table of offsets, then the entries, without gaps. */
function splitByOffsets<Memory extends ArrayBufferLike>(
  bytes: Uint8Array<Memory>,
  maxCount: number,
): Uint8Array<Memory>[] | null {
  if (bytes.length < OFFSET_BYTES) return bytes.length === 0 ? [] : null
  let from = uint32(bytes, 0)
  const table = from
  if (table === 0 || table % OFFSET_BYTES !== 0 || table > OFFSET_BYTES * maxCount || table > bytes.length)
    return null
  const entries: Uint8Array<Memory>[] = []
  for (let next = OFFSET_BYTES; next <= table; next += OFFSET_BYTES) {
    const end = next < table ? uint32(bytes, next) : bytes.length
    if (from > end || end > bytes.length) return null
    entries.push(bytes.subarray(from, end))
    from = end
  }
  return entries
}
