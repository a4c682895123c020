/**
 * Proofs of a blob's cells, shared out over workers: 16 parts that need the blob alone, each of them an eighth of what a second of one core
 * can do, then two that need what came of all of them.
 */
import { BLOB_BYTES } from '../beacon/ssz/layout.ts'
import { concatAll } from '../util/bytes.ts'
import type { CallTasks } from './call.ts'
import { TABLE_PARTS } from './tables/cache.ts'
import type { WorkerTables } from './tables/worker-tables.ts'

/** The parts that the sums of a blob's proofs are worked out in. */
export const PARTS: number = TABLE_PARTS

/** Parts from `first` to before `end`. */
interface Share {
  readonly first: number
  readonly end: number
  /** The worker that has, or is to have, their tables; undefined where any will do. */
  readonly on: number | undefined
}

/** The worker that holds the tables of a part: neighbours together. */
export function ownerOf(part: number, workers: number): number {
  return Math.floor((part * Math.max(workers, 1)) / PARTS)
}

/**
 * The tasks for one blob. Each begins with transforms that take a tenth of what a part takes, so that there are two parts to
 * a task, unless that would leave workers idle. With tables, each worker does the parts that it has the tables of.
 */
function sharesOf(workers: number, hasTables: boolean): Share[] {
  const shares: Share[] = []
  const size = workers > PARTS / 2 ? 1 : 2
  for (let first = 0; first < PARTS;) {
    const on = hasTables ? ownerOf(first, workers) : undefined
    let end = first + 1
    while (end < PARTS && end - first < size && (!hasTables || ownerOf(end, workers) === on)) end++
    shares.push({ first, end, on })
    first = end
  }
  return shares
}

/** Eight points of 96 bytes. */
const PART_BYTES = 768

/** Steps that `proveCells` reports. */
export const PROOF_STEPS: number = PARTS + 2

/** The 128 proofs, in one piece, for all cells of an extended blob. `step` hears of each part that is done. */
export async function proveCells(
  tasks: CallTasks,
  cells: Uint8Array,
  tables: WorkerTables | null,
  workers: number,
  step: (count: number) => void,
): Promise<Uint8Array> {
  // The first 64 cells are the blob.
  const blob = cells.slice(0, BLOB_BYTES)
  const sums = new Uint8Array(PARTS * PART_BYTES)
  const shares = sharesOf(workers, !!tables?.shape).map(async ({ first, end, on }) => {
    const options = on === undefined ? {} : { on }
    const part = await tasks.ask(async (api) => {
      await tables?.supply(api, first, end)
      return await api.sums(blob, tables?.shape ?? null, first, end)
    }, options)
    sums.set(part, first * PART_BYTES)
    step(end - first)
  })
  await Promise.all(shares)
  // Before other blobs' sums: a blob that is nearly done is to be done.
  const halves = ([0, 1] as const).map(async (half) => {
    const proofs = await tasks.ask((api) => api.finish(sums, half), { urgent: true })
    step(1)
    return proofs
  })
  return concatAll(await Promise.all(halves))
}
