/** How a worker of audits ends, with what stands for BullMQ and for the connection to Redis: without jobs there is nothing to wait for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { work, type WorkerEvent } from '../../../dist/cli/audit/worker.js'
import { never } from '../../support/make.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A worker whose Redis answers nothing more, so that BullMQ closes it never. */
function workerOf(status: string) {
  const given: {
    process?: (job: object) => Promise<void>
    listeners: Map<string, (...args: never[]) => void>
  } = { listeners: new Map() }
  class Worker {
    constructor(_queue: string, process: (job: object) => Promise<void>) {
      given.process = process
    }
    on(event: string, listener: (...args: never[]) => void): void {
      given.listeners.set(event, listener)
    }
    readonly close = never
  }
  const link = { bullmq: { Worker }, client: { status, get: never }, place: 'redis://redis.invalid' }
  const [end, events] = [new AbortController(), [] as WorkerEvent[]]
  const working = work(link as never, {
    ...{ concurrency: 1, workers: 1, lockMs: 30_000, signal: end.signal },
    onEvent: (event) => events.push(event),
  })
  let hasEnded = false
  void working.then(() => (hasEnded = true))
  return { ...given, given, end: () => end.abort(), events, link, hasEnded: () => hasEnded }
}

/** A job that never comes to its end: what its audit is about is not told. */
const job = { data: { audit: '1', job: {} } }

describe('a worker that is told to end while Redis does not answer', () => {
  it.each(['ready', 'reconnecting'])('has two seconds where it has no job: %s', async (status) => {
    const worker = workerOf(status)
    worker.end()
    await vi.advanceTimersByTimeAsync(1_900)
    expect(worker.hasEnded()).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(worker.hasEnded()).toBe(true)
  })

  it('has two seconds where it has a job, and Redis is known to be gone', async () => {
    const worker = workerOf('reconnecting')
    void worker.given.process!(job)
    worker.end()
    await vi.advanceTimersByTimeAsync(2_100)
    expect(worker.hasEnded()).toBe(true)
  })

  it('has half a minute more where it has a job, and Redis is there', async () => {
    const worker = workerOf('ready')
    void worker.given.process!(job)
    worker.end()
    await vi.advanceTimersByTimeAsync(31_900)
    expect(worker.hasEnded()).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(worker.hasEnded()).toBe(true)
  })
})

describe('what BullMQ says of itself', () => {
  it('is told once, and not at all where the connection tells of it, or it follows from that', async () => {
    const worker = workerOf('ready')
    const say = worker.listeners.get('error') as unknown as (error: Error) => void
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' })
    const lock = Object.assign(new Error('Missing lock for job 1_64-95. moveToFinished'), { code: -2 })
    for (const error of [refused, lock, refused]) say(error)
    for (const words of ['Connection is closed.', 'could not renew lock for job 1_64-95'])
      say(new Error(words))
    expect(worker.events).toEqual([])
    const readOnly = "READONLY You can't write against a read only replica."
    for (let time = 0; time < 3; time++) say(new Error(readOnly))
    expect(worker.events).toEqual([{ event: 'trouble', detail: readOnly }])
    worker.end()
    await vi.advanceTimersByTimeAsync(3_000)
  })
})
