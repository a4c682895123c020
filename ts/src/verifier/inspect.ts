/** The first half of the way, seen from the calling thread: deliveries to the workers' checks and back, in chunks. */
import { platform } from '#platform'
import { transfer } from 'comlink'
import type { Portable } from '../util/portable.ts'
import type { Checked, CheckRequest } from './checks/delivery.ts'
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import { retryOptions, type Task } from '../runtime/pool/pool.ts'

import type { Inspected, VerifierApi, VerifierPool } from './worker/protocol.ts'
import type { Counters } from './stats.ts'
import type { Consignment, Reading } from './deliveries.ts'
import { Slabs } from './slabs.ts'

/** Items of one chunk: few enough for progress and abort to be lively, enough to be worth a message and to be hashed in lanes. */
const CHUNK_ITEMS = 128

/** What is copied before the calling thread is let go, however many workers wait for it: a millisecond. */
const AT_ONCE = 4 << 20

const chunkBytes = (pool: VerifierPool): number =>
  Math.min(platform.chunkBytes, Math.floor(AT_ONCE / runnersOf(pool)))

/** What a chunk may have beyond its bytes: the rest of its last item, a blob or a column of 72 rows. */
const LAST_ITEM = 256 << 10

/** The units' memory that is kept for the next call: that of 64 blobs. */
const KEPT = 8 << 20

/** Units of so few bytes have memory of their own: a slab would be mostly empty, and there may be many such chunks and calls. */
const LITTLE = 320 << 10

/** What a unit may have beyond the data that it is made of. */
const HEAD = 256

/** As many slabs as can be under way in a call, for deliveries; and those that keep units. */
export function slabsFor(pool: VerifierPool): Slabs {
  const bytes = chunkBytes(pool)
  return new Slabs(bytes + LAST_ITEM, runnersOf(pool) + 1 + Math.ceil(KEPT / bytes))
}

const runnersOf = ({ workers }: VerifierPool): number => Math.max(workers, 1)

/** What a call's deliveries are checked with. */
export interface Inspection {
  readonly pool: VerifierPool
  readonly slabs: Slabs
  readonly consignment: Consignment
  readonly terms: Omit<CheckRequest, 'deliveries' | 'slab' | 'room'>
  readonly counters: Counters
}

/** A delivery once more, alone, on a worker that is alive; null where it dies. */
export async function inspectAgain(
  { pool, slabs, consignment, terms }: Inspection,
  at: number,
): Promise<Checked | null> {
  const reading = consignment.read(at, 1, 0, slabs)
  const answer = await pool.attempt(
    (api) => check(api, terms, reading, roomFor(reading, slabs)),
    retryOptions,
  )
  if (answer === CRASHED) return null
  slabs.giveBack(answer.slab)
  return answer.checked[0] ?? null
}

function check(
  api: Parameters<Task<Inspected, VerifierApi>>[0],
  terms: Inspection['terms'],
  { deliveries, slab, disposable }: Reading,
  room: ArrayBuffer,
): PromiseLike<Inspected> {
  const lent = slab === null ? [room, ...disposable] : [room, slab, ...disposable]
  return api.check(transfer({ ...terms, deliveries, slab, room }, lent))
}

/** Room for the units of some deliveries. */
function roomFor({ deliveries }: Reading, slabs: Slabs): ArrayBuffer {
  const bytes = deliveries.reduce((sum, { item }) => sum + HEAD + bytesIn(item), 0)
  return bytes < LITTLE ? new ArrayBuffer(bytes) : slabs.take()
}

/** The bytes that an item has, in hex or not. */
function bytesIn(item: Portable): number {
  if (typeof item === 'string') return item.length / 2
  if (item instanceof Uint8Array) return item.length
  // Null has no values, nor have numbers.
  return Object.values(item ?? {}).reduce<number>((sum, part) => sum + bytesIn(part), 0)
}

/** What the checks found, in order; `null` where two workers died of it. In chunks. */
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
    // Each worker has one, and one is ready for whichever is done first, copied when the page has had its turn. More would
    // only fill memory.
    if (underWay.size > runners) await Promise.race(underWay)
    else if (underWay.size === runners) await platform.turn()
    const reading = consignment.read(from, Math.min(CHUNK_ITEMS, fairShare), chunkBytes(pool), slabs)
    const count = reading.deliveries.length
    const chunk = checkChunk(from, reading).then((checked) => {
      onDone(count)
      underWay.delete(chunk)
      return checked
    })
    chunk.catch(() => {}) // whoever waits for all of them learns of it
    underWay.add(chunk)
    chunks.push(chunk)
    from += count
  }
  return (await Promise.all(chunks)).flat()

  async function checkChunk(from: number, reading: Reading): Promise<(Checked | null)[]> {
    const answer = await attempt(reading)
    if (answer !== CRASHED) {
      slabs.giveBack(answer.slab)
      slabs.giveBack(answer.room)
      return [...answer.checked]
    }
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += reading.deliveries.length
    return await Promise.all(reading.deliveries.map((_, at) => inspectAgain(inspection, from + at)))
  }

  /** An aborted call's chunks cost nothing more: its promise is settled already, and nobody shares them. */
  function attempt(reading: Reading): Promise<Inspected | Crashed> {
    const none: Inspected = { checked: [], slab: reading.slab, room: null }
    return pool.attempt((api) =>
      signal?.aborted ? Promise.resolve(none) : check(api, terms, reading, roomFor(reading, slabs)),
    )
  }
}
