/** Proofs of cells in parts: 16 that need the blob alone, then two that need what came of all of them. */
import { concatAll } from '../../util/bytes.ts'
import type { Job } from './job.ts'
import { PARTS, sharesOf } from './shares.ts'
import type { WorkersTables } from './tables.ts'

const BLOB_BYTES = 131_072
/** Eight points of 96 bytes. */
const PART_BYTES = 768

/** Steps that `proveCells` reports. */
export const PROOF_STEPS: number = PARTS + 2

/** The 128 proofs, in one piece, for all cells of an extended blob. `step` hears of each part that is done. */
export async function proveCells(
  job: Job,
  cells: Uint8Array,
  tables: WorkersTables | null,
  workers: number,
  step: (count: number) => void,
): Promise<Uint8Array> {
  // The first 64 cells are the blob.
  const blob = cells.slice(0, BLOB_BYTES)
  const sums = new Uint8Array(PARTS * PART_BYTES)
  const shares = sharesOf(workers, tables !== null).map(async ({ first, end, on }) => {
    const terms = on === undefined ? {} : { on }
    const part = await job.ask(async (api) => {
      await tables?.supply(api, first, end)
      return await api.sums(blob, tables?.shape ?? null, first, end)
    }, terms)
    sums.set(part, first * PART_BYTES)
    step(end - first)
  })
  await Promise.all(shares)
  // Before other blobs' sums: a blob that is nearly done is to be done.
  const halves = ([0, 1] as const).map(async (half) => {
    const proofs = await job.ask((api) => api.finish(sums, half), { urgent: true })
    step(1)
    return proofs
  })
  return concatAll(await Promise.all(halves))
}
