/** The first half of the way, seen from the calling thread: deliveries to the workers' checks and back, in chunks. */
import { transfer } from 'comlink'
import type { Checked, CheckRequest } from '../checks/delivery.ts'
import { again, type Pool, type Task, type Terms } from '../pool/pool.ts'
import type { Counters } from '../verdict/stats.ts'
import type { Consignment, Reading } from './deliveries.ts'

/** One chunk: little enough for progress and abort to be lively, enough to be worth a message and to be hashed in lanes. */
const CHUNK = { items: 128, bytes: 1 << 20 }

/** For each delivery what the checks found, or null where two workers died of it. */
export async function inspect(
  pool: Pool,
  consignment: Consignment,
  terms: Omit<CheckRequest, 'deliveries'>,
  counters: Counters,
  signal: AbortSignal | undefined,
  onDone: (count: number) => void,
): Promise<(Checked | null)[]> {
  const runners = Math.max(pool.workers, 1)
  const fairShare = Math.ceil(consignment.length / runners)
  const chunks: Promise<(Checked | null)[]>[] = []
  const underWay = new Set<Promise<unknown>>()
  for (let from = 0; from < consignment.length && !signal?.aborted;) {
    // One chunk is ready for whichever worker is done first; more would only fill memory.
    if (underWay.size > runners) await Promise.race(underWay)
    const reading = consignment.read(from, Math.min(CHUNK.items, fairShare), CHUNK.bytes)
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
    if (answer !== null) return answer
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += reading.deliveries.length
    return await Promise.all(
      reading.deliveries.map(
        async (_, at) => (await attempt(consignment.read(from + at, 1, 0), again))?.[0] ?? null,
      ),
    )
  }

  /** An aborted call's chunks cost nothing more: its promise is settled already, and nobody shares them. */
  function attempt(reading: Reading, how?: Terms): Promise<Checked[] | null> {
    const { deliveries, disposable } = reading
    const task: Task<Checked[]> = (api) =>
      signal?.aborted ? Promise.resolve([]) : api.check(transfer({ ...terms, deliveries }, [...disposable]))
    return pool.attempt(task, how)
  }
}
