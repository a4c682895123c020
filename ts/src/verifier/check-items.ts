/** The items of a call, sent to the workers' checks in chunks; and what comes back. */
import { platform } from '#platform'
import { transfer } from '../vendor/comlink.ts'
import type { Portable } from '../util/portable.ts'
import type { Checked, CheckRequest } from './checks/protocol.ts'
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import { retryOptions, type Task, type TaskOptions } from '../runtime/pool/pool.ts'
import type { CheckAnswer, VerifierApi, VerifierPool } from './worker/protocol.ts'
import type { Counters } from './stats.ts'
import type { Tracer } from './trace.ts'
import type { Call } from './call.ts'
import type { CallItems, ItemChunk } from './call-items.ts'
import { BufferPool } from './buffer-pool.ts'

/** Items of one chunk: few enough for progress and abort to be lively, enough to be worth a message and to be hashed in lanes. */
const CHUNK_ITEMS = 128

/** What is copied before the calling thread is let go, however many workers wait for it: a millisecond. In bytes. */
const AT_ONCE = 4 << 20

const chunkBytes = (pool: VerifierPool): number =>
  Math.min(platform.chunkBytes, Math.floor(AT_ONCE / runnersOf(pool)))

/** What a chunk may have beyond its bytes: the rest of its last item, a blob or a column of 72 rows. */
const LAST_ITEM = 256 << 10

/** The units' memory that is kept for the next call: that of 64 blobs. */
const KEPT = 8 << 20

/** What a unit may have beyond the data that it is made of. */
const HEAD = 256

/** The buffers of a verifier: as many as can be under way in a call, for items; and those that keep units. */
export function bufferPoolFor(pool: VerifierPool): BufferPool {
  const bytes = chunkBytes(pool)
  return new BufferPool(bytes + LAST_ITEM, runnersOf(pool) + 1 + Math.ceil(KEPT / bytes))
}

const runnersOf = ({ workers }: VerifierPool): number => Math.max(workers, 1)

/** What a call's items are checked with. */
export interface CheckContext {
  readonly pool: VerifierPool
  readonly buffers: BufferPool
  readonly callItems: CallItems
  /** What is the same for all items of the call. */
  readonly rules: Omit<CheckRequest, 'items' | 'buffer' | 'taken' | 'unitBuffer'>
  readonly counters: Counters
  readonly call: Call
  /** Undefined where nobody listens. */
  readonly trace: Tracer | undefined
}

/** Checks a call's items in chunks. Returns what was found, in order; `null` where two workers died of an item. */
export async function checkItems(
  context: CheckContext,
  signal: AbortSignal | undefined,
  onDone: (count: number) => void,
): Promise<(Checked | null)[]> {
  const { pool, buffers, callItems, counters } = context
  const runners = runnersOf(pool)
  const fairShare = Math.ceil(callItems.length / runners)
  const checks: Promise<(Checked | null)[]>[] = []
  const underWay = new Set<Promise<unknown>>()
  for (let from = 0; from < callItems.length && !signal?.aborted;) {
    // Each worker has one, and one is ready for whichever is done first, copied when the page has had its turn. More would
    // only fill memory.
    if (underWay.size > runners) await Promise.race(underWay)
    else if (underWay.size === runners) await platform.turn()
    const chunk = callItems.read(from, Math.min(CHUNK_ITEMS, fairShare), chunkBytes(pool), buffers)
    const count = chunk.items.length
    const check = checkWhole(from, chunk).then((checked) => {
      onDone(count)
      underWay.delete(check)
      return checked
    })
    check.catch(() => {}) // whoever waits for all of them learns of it
    underWay.add(check)
    checks.push(check)
    from += count
  }
  return (await Promise.all(checks)).flat()

  async function checkWhole(from: number, chunk: ItemChunk): Promise<(Checked | null)[]> {
    const answer = await attempt(context, chunk, {}, signal)
    if (answer !== CRASHED) {
      buffers.giveBack(answer.unitBuffer)
      return [...answer.checked]
    }
    // One of them may be what crashes workers: each once more, alone.
    counters.retries += chunk.items.length
    return await Promise.all(chunk.items.map((_, at) => checkItemAgain(context, from + at)))
  }
}

/** Checks an item once more, alone, on a worker that is alive; null where that dies, or where the item was lost with another. */
export async function checkItemAgain(context: CheckContext, at: number): Promise<Checked | null> {
  const { buffers, callItems } = context
  if (!(await callItems.isThere(at))) return null
  const answer = await attempt(context, callItems.read(at, 1, 0, buffers), retryOptions, undefined)
  return answer === CRASHED ? null : (answer.checked[0] ?? null)
}

/** Sends a chunk to a worker, and takes back what was lent with it. An aborted call's chunk costs nothing more: nobody waits for it. */
async function attempt(
  { pool, buffers, rules, call, trace }: CheckContext,
  chunk: ItemChunk,
  options: TaskOptions,
  signal: AbortSignal | undefined,
): Promise<CheckAnswer | Crashed> {
  const { items, buffer, disposable } = chunk
  const task: Task<CheckAnswer, VerifierApi> = (api) => {
    const taken = chunk.taken.map((memory) => memory.buffer)
    if (signal?.aborted) return Promise.resolve({ checked: [], buffer, taken, unitBuffer: null })
    const unitBuffer = unitBufferFor(chunk, buffers)
    const lent = [unitBuffer, ...(buffer === null ? [] : [buffer]), ...disposable, ...taken]
    return api.check(transfer({ ...rules, items, buffer, taken, unitBuffer }, lent))
  }
  trace?.check(task, call, items)
  const answer = await pool.attempt(task, options)
  if (answer === CRASHED) return CRASHED
  buffers.giveBack(answer.buffer)
  chunk.taken.forEach((memory, at) => (memory.buffer = answer.taken[at] ?? memory.buffer))
  return answer
}

/** A buffer that the units of some items fit in. */
function unitBufferFor({ items }: ItemChunk, buffers: BufferPool): ArrayBuffer {
  return buffers.take(items.reduce((sum, { item }) => sum + HEAD + bytesIn(item), 0))
}

/** The bytes that an item has, in hex or not. */
function bytesIn(item: Portable): number {
  if (typeof item === 'string') return item.length / 2
  if (item instanceof Uint8Array) return item.length
  // Null has no values, nor have numbers.
  return Object.values(item ?? {}).reduce<number>((sum, part) => sum + bytesIn(part), 0)
}
