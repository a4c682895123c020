/** Blobs out of verified columns, in the workers. */
import { CELL_BYTES } from '../beacon/ssz/layout.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import { CRASHED } from '../runtime/errors.ts'
import { abortable } from '../util/signals.ts'
import { columnParts } from './column-bytes.ts'
import type { RebuiltBlob } from './report.ts'

/** A verified column. */
export interface VerifiedColumn {
  readonly index: number
  readonly ssz: Uint8Array
}

/**
 * All blobs of a block, from 64 of its columns or more; null where a worker could not. Each cell belongs to its commitment,
 * which was verified, and 64 of them leave one blob only that the commitment can be of; that all other cells come out the same
 * is checked again.
 */
export async function rebuildBlobs(
  pool: VerifierPool,
  columns: readonly VerifiedColumn[],
  commitments: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RebuiltBlob[] | null> {
  const ordered = [...columns].sort((a, b) => a.index - b.index)
  const indices = Uint32Array.from(ordered, ({ index }) => index)
  const cells = ordered.map(({ ssz }) => columnParts(ssz).cells)
  const rebuild = async (commitment: string, row: number): Promise<RebuiltBlob | null> => {
    const ofBlob = new Uint8Array(cells.length * CELL_BYTES)
    cells.forEach((column, at) =>
      ofBlob.set(column.subarray(row * CELL_BYTES, (row + 1) * CELL_BYTES), at * CELL_BYTES),
    )
    const blob = await pool.attemptTwice((api) => api.rebuild(indices, ofBlob))
    return blob === CRASHED || blob === null ? null : { index: row, blob, commitment }
  }
  return await abortable(
    signal,
    async () => {
      const blobs: RebuiltBlob[] = []
      // As many at once as there are workers, so that memory holds few copies of cells at a time.
      const width = Math.max(1, pool.workers)
      for (let from = 0; from < commitments.length; from += width) {
        const group = commitments.slice(from, from + width)
        const rebuilt = await Promise.all(group.map((commitment, at) => rebuild(commitment, from + at)))
        for (const blob of rebuilt) if (blob !== null) blobs.push(blob)
      }
      return blobs.length === commitments.length ? blobs : null
    },
    () => {},
  )
}
