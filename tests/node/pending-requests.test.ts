/** Requests for columns that have not ended: when one is silent, and what it is told at the end. In virtual time. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PendingRequests, type RequestEvents } from '../../dist/block-data/requests/pending.js'
import { VirtualTime } from '../support/virtual-time.ts'

const endpoint = {} as never
const time = new VirtualTime()
let pending: PendingRequests
beforeEach(() => {
  time.begin()
  pending = new PendingRequests(new AbortController().signal)
})
afterEach(() => time.end())

/** Begins a request that never has an answer, and does as it is told when it begins; resolves to why it was ended. */
function begin(pauseMs: number, does: (events: RequestEvents) => void): Promise<Error> {
  return new Promise((resolve) => {
    pending.begin({ endpoint, wanted: [7], pauseMs }, async (own, events) => {
      does(events)
      await new Promise((_, reject) =>
        own.addEventListener('abort', () => {
          resolve(own.reason as Error)
          reject(own.reason as Error)
        }),
      )
    })
  })
}

it('is silent two seconds after it was sent, and is named for it', async () => {
  const ended = begin(0, ({ onSent }) => onSent())
  expect(pending.awaited).toHaveLength(1)
  await time.until(pending.next(true))
  expect([performance.now(), pending.awaited.length]).toEqual([2_000, 0])
  await time.until(pending.end())
  expect(await ended).toMatchObject({
    kind: 'timeout',
    message: 'no complete answer in 2000 ms, when another endpoint had one',
  })
})

it('counts from when it was sent, however long it had to wait for its turn', async () => {
  const ended = begin(0, ({ onSent }) => void setTimeout(onSent, 1_500))
  await time.until(pending.next(true))
  expect(performance.now()).toBe(3_500)
  await time.until(pending.end())
  expect((await ended).message).toContain('in 2000 ms')
})

it('is named for nothing where it was never sent', async () => {
  const ended = begin(0, () => {})
  await time.until(pending.next(true))
  expect([performance.now(), pending.awaited.length]).toEqual([4_000, 0])
  await time.until(pending.end())
  expect(await ended).toMatchObject({ name: 'AbortError' })
})

it('is awaited by nobody while its endpoint wants to be left alone, and asked for nothing else', async () => {
  const ended = begin(5_000, () => {})
  expect([pending.size, pending.awaited.length, pending.indices.size]).toEqual([1, 0, 0])
  expect(pending.endpoints.has(endpoint)).toBe(true)
  await time.until(pending.end())
  expect(await ended).toMatchObject({ name: 'AbortError' })
})
