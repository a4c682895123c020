/** Takes the jobs of audits out of the queue, and keeps their results: what one machine of several does. */
import type { Job, Worker } from 'bullmq'
import { type Auditor, createAuditor, nameOf, unpackJob } from '../../audit/index.ts'
import { type NetworkName, networks } from '../../beacon/networks.ts'
import { loadAhead } from '../../block-data/load-ahead.ts'
import { createVerifier } from '../../verifier/create.ts'
import type { Verifier } from '../../verifier/verifier.ts'
import { within } from '../../util/timers.ts'
import { untilAborted } from '../command.ts'
import { parseNetwork } from '../options/network.ts'
import { wordedFetch } from '../options/fetch.ts'
import {
  AUDIT_ENDED,
  type AuditRecord,
  keepResult,
  PREFIX,
  QUEUE,
  type QueuedJob,
  recordKey,
} from './queue.ts'
import type { RedisLink } from './redis.ts'

export interface WorkerTerms {
  /** Slots at the same time. */
  readonly concurrency: number
  /** Threads that verify. */
  readonly workers: number | undefined
  /** How long nothing may be heard of this process before its jobs are others'. */
  readonly lockMs: number
  readonly onEvent: (event: WorkerEvent) => void
  readonly signal: AbortSignal
}

/** What a worker does. */
export type WorkerEvent =
  | {
      readonly event: 'done'
      readonly audit: string
      readonly from: number
      readonly to: number
      readonly ms: number
    }
  /** `job`: the slots of the job that failed; null where it is the worker itself, which ends. */
  | { readonly event: 'failed'; readonly job: string | null; readonly error: string }
  | { readonly event: 'trouble'; readonly detail: string }

/** Jobs that a worker has at the same time: while one has its last slots to do, the other has more. */
const JOBS_AT_ONCE = 2
/** Audits whose auditor is kept, each with the threads of its verifier. */
const MAX_AUDITORS = 4
/** How often a job may be taken over from workers that were killed. */
const MAX_TAKEN_OVER = 5
/** How long jobs that are under way may take once the worker is to end, while Redis is there. */
const PATIENCE_MS = 30_000
/** How long jobs that are given up may take to tell Redis so. */
const GIVING_UP_MS = 2_000

/** Loads what jobs need, before one is taken. Throws `WasmUnavailableError` and `SetupUnavailableError`. */
export async function loadForJobs(): Promise<void> {
  const verifier = await createVerifier({ workers: 0, cache: false })
  try {
    await loadAhead(verifier)
  } finally {
    await verifier.dispose()
  }
}

/**
 * Works until the signal is aborted; then ends what is under way, and takes nothing more. Jobs that cannot be ended, as where Redis is gone, are others'
 * once the lock is over; connections may be left then that go on to look for it.
 */
export async function work(link: RedisLink, terms: WorkerTerms): Promise<void> {
  const { concurrency, workers, lockMs, onEvent, signal } = terms
  const auditors = new Auditors(link, concurrency, workers)
  // Jobs go on to their end when the worker is told to end: given back, they would be begun anew elsewhere.
  const abandoned = new AbortController()
  let underWay = 0
  const process = async (job: Job<QueuedJob>): Promise<void> => {
    underWay++
    try {
      await doJob(job)
    } finally {
      underWay--
    }
  }
  const doJob = async (job: Job<QueuedJob>): Promise<void> => {
    const began = performance.now()
    const { audit, job: packed } = job.data
    const auditor = await auditors.of(audit)
    // Nobody waits for an audit that was ended, or is whole.
    if (auditor === null) throw new link.bullmq.UnrecoverableError(AUDIT_ENDED)
    const result = await auditor.audit(unpackJob(packed), { signal: abandoned.signal })
    await keepResult(link, audit, result)
    onEvent({
      event: 'done',
      audit,
      from: packed.from,
      to: packed.to,
      ms: Math.round(performance.now() - began),
    })
  }
  const worker = new link.bullmq.Worker<QueuedJob>(QUEUE, process, {
    connection: link.client,
    prefix: PREFIX,
    concurrency: JOBS_AT_ONCE,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MAX_TAKEN_OVER,
  })
  worker.on('failed', (job, error) =>
    onEvent({
      event: 'failed',
      job: job === undefined ? 'a job' : nameOf(job.data.job),
      error: error.message,
    }),
  )
  let told: string | null = null
  worker.on('error', (error) => {
    if (isTold(error) || error.message === told) return
    told = error.message
    onEvent({ event: 'trouble', detail: error.message })
  })
  try {
    await untilAborted(signal)
    // Where there is nothing to wait for, or nobody to tell of it: who supervises processes may not wait for as long.
    const isWorthWaiting = underWay > 0 && link.client.status === 'ready'
    await end(worker, isWorthWaiting ? PATIENCE_MS : 0, abandoned)
  } finally {
    await auditors.dispose()
  }
}

async function end(worker: Worker, patienceMs: number, abandoned: AbortController): Promise<void> {
  const closing = worker.close()
  const late = new Error('the worker ends')
  await within(closing, patienceMs, () => late).catch(async () => {
    abandoned.abort(late)
    // Commands to a server that is gone wait for as long as it is.
    await within(closing, GIVING_UP_MS, () => late).catch(() => {})
  })
}

/**
 * Whether an error of BullMQ is one that the connection has told of already (that Redis is gone, for as long as it is), or is what follows from that:
 * jobs whose locks ended meanwhile, which are others'. Those of connections and of BullMQ's scripts have a `code`.
 */
function isTold(error: Error): boolean {
  return 'code' in error || /^Connection is closed|^could not renew lock/.test(error.message)
}

interface Kept {
  readonly auditor: Auditor
  readonly verifier: Verifier
}

/** An auditor for each audit of late. */
class Auditors {
  readonly #link: RedisLink
  readonly #concurrency: number
  readonly #workers: number | undefined
  /** By the audit and its record. The one that was not used for longest goes first. */
  readonly #kept = new Map<string, Promise<Kept>>()

  constructor(link: RedisLink, concurrency: number, workers: number | undefined) {
    this.#link = link
    this.#concurrency = concurrency
    this.#workers = workers
  }

  /** Null where the audit has no record. */
  async of(id: string): Promise<Auditor | null> {
    const record = await this.#link.client.get(recordKey(id))
    if (record === null) return null
    // An audit that is gone on with may have other servers and terms than before.
    const key = `${id} ${record}`
    const kept = this.#kept.get(key) ?? this.#make(record)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    try {
      return (await kept).auditor
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }

  async #make(record: string): Promise<Kept> {
    // Those of the jobs that are under way were used last.
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MAX_AUDITORS && oldest !== undefined) {
      const old = await this.#kept.get(oldest)
      this.#kept.delete(oldest)
      await old?.verifier.dispose()
    }
    const { network, beacon, servers, attempts, timeoutMs } = JSON.parse(record) as AuditRecord
    const workers = this.#workers
    const verifier = await createVerifier({
      network: Object.hasOwn(networks, network) ? (network as NetworkName) : parseNetwork(network),
      cache: false,
      ...(workers !== undefined && { workers }),
    })
    const auditor = createAuditor({
      ...{ verifier, beacon, servers, attempts, timeoutMs, fetch: wordedFetch },
      concurrency: this.#concurrency,
    })
    return { auditor, verifier }
  }

  async dispose(): Promise<void> {
    const all = await Promise.allSettled(this.#kept.values())
    this.#kept.clear()
    for (const made of all) if (made.status === 'fulfilled') await made.value.verifier.dispose()
  }
}
