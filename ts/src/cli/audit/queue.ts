/**
 * The jobs of an audit in a queue of BullMQ, and their results. The process that audits resolves headers, puts jobs into the queue, and
 * collects results from a hash, where each range is set once; it never computes. What is in Redis may vanish: jobs that are neither there
 * nor done are put there again.
 */
import type { Queue } from 'bullmq'
import {
  type AuditJob,
  type JobRunner,
  nameOf,
  nothingKnown,
  packJob,
  type PackedJob,
  type RangeResult,
} from '../../audit/index.ts'
import { abortable, joinSignals } from '../../util/signals.ts'
import { sleep } from '../../util/timers.ts'
import { leave, type RedisLink } from './redis.ts'

/** The prefix of all keys, and the name of the queue that all audits share. */
export const PREFIX = 'blobcheck'
export const QUEUE = 'audit'

/** How long what is in Redis outlives the last sign of an audit, in seconds: it can be gone on with for so long. */
const KEPT_SECONDS = 7 * 86_400

/** Jobs that are in the queue at the same time: minutes of work for some machines, so that none of them waits. */
const JOBS_AT_ONCE = 256
const POLL_MS = 100
/** How often it is looked whether jobs are still there. */
const LOOK_MS = 2_000
/** After so long without a worker, people are told how to start one. */
const QUIET_MS = 10_000
/** How often a job is begun, whatever ends it: an error of its worker, or the worker's own end. */
const JOB_ATTEMPTS = 5

/** Why a job fails whose audit has no record. The record may only have expired while the process that audits was suspended. */
export const AUDIT_ENDED = 'the audit has ended'

/** What workers have to know of an audit. */
export interface AuditRecord {
  /** A network's name, or the text of a config. */
  readonly network: string
  readonly beacon: readonly string[]
  readonly servers: readonly string[]
  readonly attempts: number
  readonly timeoutMs: number
}

export const recordKey = (id: string): string => `${PREFIX}:audits:${id}`
const resultsKey = (id: string): string => `${PREFIX}:audits:${id}:results`

/** The data of a job in the queue. */
export interface QueuedJob {
  /** The audit. */
  readonly audit: string
  readonly job: PackedJob
}

/** Keeps the result of a range, once: one that is there stays. Workers and the audit call it. */
export async function keepResult({ client }: RedisLink, id: string, result: RangeResult): Promise<void> {
  const key = resultsKey(id)
  await client.multi().hsetnx(key, nameOf(result), JSON.stringify(result)).expire(key, KEPT_SECONDS).exec()
}

export interface QueueTerms {
  readonly id: string
  readonly record: AuditRecord
  /** Whether there is a report, with which the audit can be gone on with. */
  readonly isKept: boolean
  /** Told where nobody takes jobs. */
  readonly onTrouble: (text: string) => void
  readonly signal: AbortSignal
}

/** Runs an audit whose jobs are done elsewhere. What it left in Redis goes when it is whole, or cannot be gone on with. */
export async function withQueue(
  link: RedisLink,
  { id, record, isKept, onTrouble, signal }: QueueTerms,
  task: (runner: JobRunner) => Promise<void>,
): Promise<void> {
  const queue = new link.bullmq.Queue<QueuedJob>(QUEUE, {
    connection: link.client,
    prefix: PREFIX,
  })
  // What matters shows in commands that fail, and in the link itself.
  queue.on('error', () => {})
  const { either, release } = joinSignals([signal, link.lost])
  const runner = new QueueRunner(link, queue, { id, record, onTrouble, signal: either })
  let isWhole = false
  try {
    await runner.start()
    await task(runner)
    isWhole = true
  } catch (error) {
    throw link.lost.aborted && !signal.aborted ? link.lost.reason : error
  } finally {
    runner.stop()
    release()
    // Workers drop the jobs of an audit that has no record.
    if ((isWhole || !isKept) && link.client.status === 'ready')
      await leave(link.client.unlink(recordKey(id), resultsKey(id)))
    await leave(queue.close())
  }
}

interface Waiting {
  readonly job: AuditJob
  readonly resolve: (result: RangeResult) => void
  readonly reject: (error: unknown) => void
}

class QueueRunner implements JobRunner {
  readonly jobsAtOnce = JOBS_AT_ONCE
  readonly #link: RedisLink
  readonly #queue: Queue<QueuedJob>
  readonly #id: string
  readonly #record: AuditRecord
  readonly #onTrouble: (text: string) => void
  readonly #signal: AbortSignal
  readonly #waiting = new Map<string, Waiting>()
  readonly #end = new AbortController()
  /** When a worker was heard of last, as `performance.now()` tells the time; null once it was told that none is. */
  #heardAt: number | null = performance.now()

  constructor(link: RedisLink, queue: Queue<QueuedJob>, terms: Omit<QueueTerms, 'isKept'>) {
    this.#link = link
    this.#queue = queue
    this.#id = terms.id
    this.#record = terms.record
    this.#onTrouble = terms.onTrouble
    this.#signal = terms.signal
  }

  /** Tells workers of the audit, and begins to collect. */
  async start(): Promise<void> {
    await this.#until(this.#keepRecord())
    void this.#collect()
  }

  stop(): void {
    this.#end.abort()
  }

  async run(job: AuditJob): Promise<RangeResult> {
    const name = nameOf(job)
    // What was done before this process began is not done again.
    const stored = await this.#until(this.#link.client.hget(resultsKey(this.#id), name))
    if (stored !== null) return JSON.parse(stored) as RangeResult
    const result = new Promise<RangeResult>((resolve, reject) =>
      this.#waiting.set(name, { job, resolve, reject }),
    )
    // Whoever waits for it is told; nobody does where the next line fails.
    result.catch(() => {})
    await this.#until(this.#put(job))
    return await this.#until(result)
  }

  async #keepRecord(): Promise<void> {
    await this.#link.client.set(recordKey(this.#id), JSON.stringify(this.#record), 'EX', KEPT_SECONDS)
  }

  /** Has the record live on for as long as the audit gives a sign: without it, workers fail all of its jobs. */
  async #renewRecord(): Promise<void> {
    const isThere = (await this.#link.client.expire(recordKey(this.#id), KEPT_SECONDS)) === 1
    // The record of an audit that is whole was taken away.
    if (!isThere && !this.#end.signal.aborted) await this.#keepRecord()
  }

  /** A job that is there already is not added again: its id is that of its range. */
  async #put(job: AuditJob): Promise<void> {
    await this.#queue.add(
      'range',
      { audit: this.#id, job: packJob(job) },
      {
        jobId: this.#jobId(job),
        attempts: JOB_ATTEMPTS,
        backoff: { type: 'exponential', delay: 1_000 },
        removeOnComplete: true,
        // It is looked at before; what an audit left behind that was ended goes, too.
        removeOnFail: { age: 3_600 },
      },
    )
  }

  #jobId(job: AuditJob): string {
    return `${this.#id}_${nameOf(job)}`
  }

  async #collect(): Promise<void> {
    let lookedAt = performance.now()
    try {
      for (;;) {
        await sleep(POLL_MS, this.#end.signal)
        await this.#take()
        if (performance.now() - lookedAt < LOOK_MS) continue
        await this.#look()
        lookedAt = performance.now()
      }
    } catch (error) {
      if (this.#end.signal.aborted) return
      for (const { reject } of this.#waiting.values()) reject(error)
    }
  }

  /** Takes the results that are there. */
  async #take(): Promise<void> {
    const names = [...this.#waiting.keys()]
    if (names.length === 0) return
    const results = await this.#link.client.hmget(resultsKey(this.#id), ...names)
    for (const [at, name] of names.entries()) {
      const text = results[at]
      if (text === null || text === undefined) continue
      this.#waiting.get(name)?.resolve(JSON.parse(text) as RangeResult)
      this.#waiting.delete(name)
    }
  }

  /** What became of jobs without a result: those that failed for good have one now, and those that are gone are put there again. */
  async #look(): Promise<void> {
    // Before jobs are put there again, which want it.
    await this.#renewRecord()
    const names = [...this.#waiting.keys()]
    const states = await Promise.all(
      Array.from(this.#waiting.values(), ({ job }) => this.#queue.getJobState(this.#jobId(job))),
    )
    this.#listen(states)
    // Jobs that were done meanwhile are gone, too.
    await this.#take()
    for (const [at, name] of names.entries()) {
      const { job } = this.#waiting.get(name) ?? {}
      if (job === undefined) continue
      if (states[at] === 'failed') await this.#failed(job)
      else if (states[at] === 'unknown') await this.#put(job)
    }
  }

  /** Says so, once, where all jobs wait and nobody takes one. */
  #listen(states: readonly string[]): void {
    if (states.some((state) => state !== 'waiting')) this.#heardAt = performance.now()
    else if (states.length > 0 && this.#heardAt !== null && performance.now() - this.#heardAt > QUIET_MS) {
      this.#heardAt = null
      this.#onTrouble(
        `no worker takes jobs at ${this.#link.place}: start one with “blobcheck audit-worker --redis URL”`,
      )
    }
  }

  /**
   * A job that no worker could bring to its end: of its slots nothing is known, and the audit goes on. One that failed only because the
   * record was gone is put there again.
   */
  async #failed(job: AuditJob): Promise<void> {
    const failed = await this.#queue.getJob(this.#jobId(job))
    if (failed?.failedReason === AUDIT_ENDED) {
      await failed.remove()
      await this.#put(job)
      return
    }
    const detail = `no worker brought its job to an end: ${failed?.failedReason ?? 'it is gone'}`
    const slots = job.slots.map((slot) => {
      const known = 'header' in slot ? { root: slot.header?.root ?? null, header: job.trust } : {}
      return { ...nothingKnown(slot.slot, 'crashed', detail), ...known }
    })
    await keepResult(this.#link, this.#id, { from: job.from, to: job.to, slots })
    await failed?.remove()
  }

  /** Redis may be gone, and its commands wait for it: the signal ends that. */
  async #until<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {})
    return await abortable(this.#signal, () => work)
  }
}
