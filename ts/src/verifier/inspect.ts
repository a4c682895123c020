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

/** As many as can be under way in a call. */
export const slabsFor = (pool: Pool): Slabs => new Slabs(SLAB_BYTES, runnersOf(pool) + 1)

const runnersOf = ({ workers }: Pool): number => Math.max(workers, 1)

/** What a call's deliveries are checked with. */
export interface Inspection {
  readonly pool: Pool
  readonly slabs: Slabs
  readonly consignment: Consignment
  readonly terms: Omit<CheckRequest, 'deliveries' | 'slab'>
  readonly counters: Counters
}

/** A delivery once more, alone, on a worker that is alive; null where it dies. */
export async function inspectAgain(
  { pool, slabs, consignment, terms }: Inspection,
  at: number,
): Promise<Checked | null> {
  const reading = consignment.read(at, 1, 0, slabs)
  const answer = await pool.attempt((api) => check(api, terms, reading), again)
  slabs.giveBack(answer?.slab ?? null)
  return answer?.checked[0] ?? null
}

function check(
  api: Parameters<Task<Inspected>>[0],
  terms: Inspection['terms'],
  { deliveries, slab, disposable }: Reading,
): PromiseLike<Inspected> {
  const lent = slab === null ? disposable : [slab, ...disposable]
  return api.check(transfer({ ...terms, deliveries, slab }, [...lent]))
}

/** For each delivery what the checks found, or null where two workers died of it. */
export async function inspect(
  inspection: Inspection,
  signal: AbortSignal | undefined,
  onDone: (count: number) => void,
): Promise<(Checked | null)[]> {
  const { pool, slabs, consignment, terms, counters } = inspection
  const runners = runnersOf(pool)
  const fairShare = Math.ceil(consignment.length / runners)
  const chunks: Promise<(Checked | null)[]>[] = []
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
  return (await Promise.all(chunks)).flat()

  async function checkChunk(from: number, reading: Reading): Promise<(Checked | null)[]> {
    const answer = await attempt(reading)
    if (answer !== null) {
      slabs.giveBack(answer.slab)
      return [...answer.checked]
    }
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += reading.deliveries.length
    return await Promise.all(reading.deliveries.map((_, at) => inspectAgain(inspection, from + at)))
  }

  /** An aborted call's chunks cost nothing more: its promise is settled already, and nobody shares them. */
  function attempt(reading: Reading): Promise<Inspected | null> {
    const none: Inspected = { checked: [], slab: reading.slab }
    return pool.attempt((api) => (signal?.aborted ? Promise.resolve(none) : check(api, terms, reading)))
  }
}
