/** The first half of the way, seen from the calling thread: deliveries to the workers' checks and back, in chunks. */
import { again, type Pool, type Task, type Terms } from '../pool/pool.ts'
import type { Checked, CheckRequest, Delivery } from '../checks/delivery.ts'
import type { Counters } from '../verdict/stats.ts'

/** Deliveries in one task: few enough for progress and abort to be lively, many enough to hash four at a time. */
const CHUNK = 8

/** For each delivery what the checks found, or null where two workers died of it. */
export async function inspect(
  pool: Pool,
  request: CheckRequest,
  counters: Counters,
  signal: AbortSignal | undefined,
  onDone: (count: number) => void,
): Promise<(Checked | null)[]> {
  const { deliveries } = request
  const size = Math.min(CHUNK, Math.max(1, Math.ceil(deliveries.length / Math.max(pool.workers, 1))))
  const chunks: Promise<(Checked | null)[]>[] = []
  for (let at = 0; at < deliveries.length; at += size) {
    const chunk = deliveries.slice(at, at + size)
    chunks.push(
      checkChunk(chunk).then((checked) => {
        onDone(chunk.length)
        return checked
      }),
    )
  }
  return (await Promise.all(chunks)).flat()

  async function checkChunk(chunk: readonly Delivery[]): Promise<(Checked | null)[]> {
    const answer = await attempt(chunk)
    if (answer !== null) return answer
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += chunk.length
    return await Promise.all(chunk.map(async (delivery) => (await attempt([delivery], again))?.[0] ?? null))
  }

  /** An aborted call's chunks cost nothing more: its promise is settled already, and nobody shares them. */
  function attempt(chunk: readonly Delivery[], terms?: Terms): Promise<Checked[] | null> {
    const task: Task<Checked[]> = (api) =>
      signal?.aborted ? Promise.resolve([]) : api.check({ ...request, deliveries: chunk })
    return pool.attempt(task, terms)
  }
}
