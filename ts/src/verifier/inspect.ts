/** The first half of the way, seen from the calling thread: deliveries to the workers' checks and back, in chunks. */
import { transfer } from 'comlink'
import type { Checked, CheckRequest } from '../checks/delivery.ts'
import { again, type Pool, type Task } from '../pool/pool.ts'
import type { Inspected } from '../worker/protocol.ts'
import type { Counters } from '../verdict/stats.ts'
import type { Consignment, Reading } from './deliveries.ts'
import { Slabs } from './slabs.ts'

/** One chunk: little enough for progress and abort to be lively, enough to be worth a message and to be hashed in lanes. */
const CHUNK = { items: 128, bytes: 1 << 20 }

/** A chunk may exceed its bytes by what its last item has: a blob, or a column of 72 rows. */
const SLAB_BYTES = CHUNK.bytes + (256 << 10)

/** Chunks whose units' memory is kept for the next call: those of 64 blobs. */
const KEPT = 8

/** As many as can be under way in a call, for deliveries; and those that keep units. */
export const slabsFor = (pool: Pool): Slabs => new Slabs(SLAB_BYTES, runnersOf(pool) + 1 + KEPT)

const runnersOf = ({ workers }: Pool): number => Math.max(workers, 1)

/** What a call's deliveries are checked with. */
export interface Inspection {
  readonly pool: Pool
  readonly slabs: Slabs
  readonly consignment: Consignment
  readonly terms: Omit<CheckRequest, 'deliveries' | 'slab' | 'room'>
  readonly counters: Counters
}

/** What the checks found, in order, and the memory that units were written to, if any. */
export interface Findings {
  /** `null`: two workers died of it. */
  readonly checked: readonly (Checked | null)[]
  readonly rooms: readonly ArrayBuffer[]
}

/** A delivery once more, alone, on a worker that is alive; null where it dies. */
export async function inspectAgain(
  { pool, slabs, consignment, terms }: Inspection,
  at: number,
): Promise<Checked | null> {
  const reading = consignment.read(at, 1, 0, slabs)
  const answer = await pool.attempt((api) => check(api, terms, reading, slabs.take()), again)
  slabs.giveBack(answer?.slab ?? null)
  return answer?.checked[0] ?? null
}

function check(
  api: Parameters<Task<Inspected>>[0],
  terms: Inspection['terms'],
  { deliveries, slab, disposable }: Reading,
  room: ArrayBuffer,
): PromiseLike<Inspected> {
  const lent = slab === null ? [room, ...disposable] : [room, slab, ...disposable]
  return api.check(transfer({ ...terms, deliveries, slab, room }, lent))
}

/** All deliveries, in chunks. */
export async function inspect(
  inspection: Inspection,
  signal: AbortSignal | undefined,
  onDone: (count: number) => void,
): Promise<Findings> {
  const { pool, slabs, consignment, terms, counters } = inspection
  const runners = runnersOf(pool)
  const fairShare = Math.ceil(consignment.length / runners)
  const chunks: Promise<(Checked | null)[]>[] = []
  const rooms: ArrayBuffer[] = []
  const underWay = new Set<Promise<unknown>>()
  for (let from = 0; from < consignment.length && !signal?.aborted;) {
    // One chunk is ready for whichever worker is done first; more would only fill memory.
    if (underWay.size > runners) await Promise.race(underWay)
    const reading = consignment.read(from, Math.min(CHUNK.items, fairShare), CHUNK.bytes, slabs)
    const count = reading.deliveries.length
    const chunk = checkChunk(from, reading).then((checked) => {
      onDone(count)
      underWay.delete(chunk)
      return checked
    })
    underWay.add(chunk)
    chunks.push(chunk)
    from += count
  }
  return { checked: (await Promise.all(chunks)).flat(), rooms }

  async function checkChunk(from: number, reading: Reading): Promise<(Checked | null)[]> {
    const answer = await attempt(reading)
    if (answer !== null) {
      slabs.giveBack(answer.slab)
      if (answer.room !== null) rooms.push(answer.room)
      return [...answer.checked]
    }
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += reading.deliveries.length
    return await Promise.all(reading.deliveries.map((_, at) => inspectAgain(inspection, from + at)))
  }

  /** An aborted call's chunks cost nothing more: its promise is settled already, and nobody shares them. */
  function attempt(reading: Reading): Promise<Inspected | null> {
    const none: Inspected = { checked: [], slab: reading.slab, room: null }
    return pool.attempt((api) =>
      signal?.aborted ? Promise.resolve(none) : check(api, terms, reading, slabs.take()),
    )
  }
}
