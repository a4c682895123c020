/**
 * The bytes of verified sidecars: the parts of a `DataColumnSidecar` (specs/fulu/das-core.md, specs/gloas/p2p-interface.md) and of a
 * `BlobSidecar` (specs/deneb/p2p-interface.md), and blobs that are rebuilt out of columns.
 */
import { encodeHex } from '../util/hex.ts'
import {
  blobSidecar,
  CELL_BYTES,
  COMMITMENT_COUNT_AT,
  dataColumnSidecar,
  gloasDataColumnSidecar,
  isGloasColumn,
  POINT_BYTES,
  splitFixed,
} from '../beacon/ssz/layout.ts'
import { CRASHED } from '../runtime/errors.ts'
import { abortable } from '../util/signals.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import type { RebuiltBlob } from './report.ts'

/** Where the lists of a column begin; of Gloas' container, which has no commitments, that one is empty. */
interface ColumnLists {
  readonly column: number
  readonly commitments: number
  readonly proofs: number
}

function listsOf(ssz: Uint8Array): ColumnLists {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  if (isGloasColumn(ssz)) {
    const proofs = view.getUint32(gloasDataColumnSidecar.kzg_proofs, true)
    return { column: gloasDataColumnSidecar.end, commitments: proofs, proofs }
  }
  return {
    column: view.getUint32(dataColumnSidecar.column, true),
    commitments: view.getUint32(dataColumnSidecar.kzg_commitments, true),
    proofs: view.getUint32(dataColumnSidecar.kzg_proofs, true),
  }
}

/**
 * Whether these bytes decode as a column's sidecar, of Fulu or of Gloas, to the last one. The proofs come last, one for each commitment and
 * each cell: fewer of them are what an answer leaves that was cut where a proof ends.
 */
export function isWholeColumn(ssz: Uint8Array): boolean {
  const isGloas = isGloasColumn(ssz)
  const { end } = isGloas ? gloasDataColumnSidecar : dataColumnSidecar
  if (ssz.length < end) return false
  const { column, commitments, proofs } = listsOf(ssz)
  if (column !== end || commitments < column || proofs < commitments || proofs > ssz.length) return false
  const [cellBytes, commitmentBytes, proofBytes] = [
    commitments - column,
    proofs - commitments,
    ssz.length - proofs,
  ]
  const proved = isGloas ? cellBytes / CELL_BYTES : commitmentBytes / POINT_BYTES
  return (
    cellBytes % CELL_BYTES === 0 &&
    commitmentBytes % POINT_BYTES === 0 &&
    proofBytes % POINT_BYTES === 0 &&
    proofBytes / POINT_BYTES >= proved
  )
}

/** The slot of the block of a verified sidecar, by the header in it; null for a column of Gloas, which has none. */
export function slotIn(ssz: Uint8Array): number | null {
  const { signed_block_header: at } = ssz.length === blobSidecar.end ? blobSidecar : dataColumnSidecar
  return isGloasColumn(ssz) ? null : Number(new DataView(ssz.buffer, ssz.byteOffset).getBigUint64(at, true))
}

/** The cells of a verified column, whose offsets are therefore right: 2,048 bytes for each blob, one after the other, as a view on it. */
function cellsOf(ssz: Uint8Array): Uint8Array {
  const { column, commitments } = listsOf(ssz)
  return ssz.subarray(column, commitments)
}

/** The commitments in a verified column of Fulu, 0x hex, in the block's order. A column of Gloas has none. */
export function commitmentsOf(ssz: Uint8Array): string[] {
  const { commitments, proofs } = listsOf(ssz)
  return (splitFixed(ssz.subarray(commitments, proofs), POINT_BYTES) ?? []).map(
    (bytes) => `0x${encodeHex(bytes)}`,
  )
}

export interface BlobParts {
  /** 131,072 bytes, a view on the sidecar. */
  readonly blob: Uint8Array
  /** 0x hex. */
  readonly commitment: string
  /** How many commitments its block has, by the branch that was verified. */
  readonly committed: number
}

/** The parts of a verified blob sidecar, which is therefore as long as it must be. */
export function blobParts(ssz: Uint8Array): BlobParts {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return {
    blob: ssz.subarray(blobSidecar.blob, blobSidecar.kzg_commitment),
    commitment: `0x${encodeHex(ssz.subarray(blobSidecar.kzg_commitment, blobSidecar.kzg_proof))}`,
    // Beyond 2⁵³ it is more than any block can have, whatever its last digits.
    committed: Number(view.getBigUint64(COMMITMENT_COUNT_AT, true)),
  }
}

/** A verified column. */
export interface VerifiedColumn {
  readonly index: number
  readonly ssz: Uint8Array
}

/**
 * These blobs of a block, from 64 of its columns or more; null where a worker could not. Each cell belongs to its commitment,
 * which was verified, and 64 of them leave one blob only that the commitment can be of; that all other cells come out the same
 * is checked again.
 */
export async function rebuildBlobs(
  pool: VerifierPool,
  columns: readonly VerifiedColumn[],
  wanted: readonly Pick<RebuiltBlob, 'index' | 'commitment'>[],
  signal: AbortSignal | undefined,
): Promise<RebuiltBlob[] | null> {
  const ordered = [...columns].sort((a, b) => a.index - b.index)
  const indices = Uint32Array.from(ordered, ({ index }) => index)
  const cells = ordered.map(({ ssz }) => cellsOf(ssz))
  const rebuild = async ({ index, commitment }: (typeof wanted)[number]): Promise<RebuiltBlob | null> => {
    const ofBlob = new Uint8Array(cells.length * CELL_BYTES)
    cells.forEach((column, at) =>
      ofBlob.set(column.subarray(index * CELL_BYTES, (index + 1) * CELL_BYTES), at * CELL_BYTES),
    )
    const blob = await pool.attemptTwice((api) => api.rebuild(indices, ofBlob))
    return blob === CRASHED || blob === null ? null : { index, blob, commitment }
  }
  return await abortable(signal, async () => {
    const blobs: RebuiltBlob[] = []
    // As many at once as there are workers, so that memory holds few copies of cells at a time.
    const width = Math.max(1, pool.workers)
    for (let from = 0; from < wanted.length; from += width) {
      const rebuilt = await Promise.all(wanted.slice(from, from + width).map(rebuild))
      for (const blob of rebuilt) if (blob !== null) blobs.push(blob)
    }
    return blobs.length === wanted.length ? blobs : null
  })
}
