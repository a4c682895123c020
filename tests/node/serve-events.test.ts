/** The event stream of `blobcheck serve`, over real HTTP. */
import type { MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handChain, type Json } from '../support/served.ts'
import { range } from '../support/make.ts'

let chain: MadeChain
let server: BeaconServer
beforeEach(async () => {
  chain = await handChain({ slots: 10, blobsPerBlock: 1, isMissed: (slot) => slot % 10 === 9 })
  server = await serveBeacon({ chain, faults: { rules: [{ fault: { kind: 'withhold', columns: 100 } }] } })
})
afterEach(async () => await server.close())

interface Event {
  readonly event: string
  readonly data: Json
}

/** Opens a stream; `next` waits for so many events. */
async function listen(topics: string): Promise<{ next(count: number): Promise<Event[]>; close(): void }> {
  const controller = new AbortController()
  const response = await fetch(`${server.url}/eth/v1/events?${topics}`, { signal: controller.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  // It has begun to listen once it says so.
  while (!text.includes('\n\n')) text += (await reader.read()).value ?? ''
  text = text.slice(text.indexOf('\n\n') + 2)
  return {
    async next(count) {
      const events: Event[] = []
      while (events.length < count) {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          const { done, value } = await reader.read()
          if (done) break
          text += value
          continue
        }
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (event !== '') events.push({ event, data: JSON.parse(data) as Json })
      }
      return events
    },
    close: () => controller.abort(),
  }
}

describe('events', () => {
  it('tell of each block as its slot comes, and of no slot without one', async () => {
    const stream = await listen('topics=head&topics=block')
    const from = chain.head.slot
    chain.advance(12)
    const slots = range(12)
      .map((at) => from + 1 + at)
      .filter((slot) => slot % 10 !== 9)
    const events = await stream.next(2 * slots.length)
    expect(events.map(({ event, data }) => [event, Number(data['slot'])])).toEqual(
      slots.flatMap((slot) => [
        ['block', slot],
        ['head', slot],
      ]),
    )
    for (const { data } of events) expect(data['block']).toBe(chain.at(Number(data['slot']))!.root)
    stream.close()
  })

  it('tell of what is finalized, once for each epoch', async () => {
    const stream = await listen('topics=finalized_checkpoint')
    chain.advance(32 * 5)
    const [first, second] = await stream.next(2)
    expect(Number(second!.data['epoch'])).toBe(Number(first!.data['epoch']) + 1)
    for (const { data } of [first!, second!]) {
      const block = chain.byRoot(data['block']!)!
      expect(block.slot).toBe(32 * Number(data['epoch']))
    }
    stream.close()
  })

  it('tell of the columns that the server has, and of what light clients want', async () => {
    const stream = await listen(
      'topics=data_column_sidecar,light_client_finality_update,light_client_optimistic_update',
    )
    chain.advance(1)
    const events = await stream.next(30)
    const columns = events.filter(({ event }) => event === 'data_column_sidecar')
    expect(columns).toHaveLength(28)
    expect(new Set(columns.map(({ data }) => data['block_root']))).toEqual(new Set([chain.head.root]))
    expect(columns[0]!.data['kzg_commitments']).toHaveLength(1)
    const { url } = server
    const asked = await fetch(`${url}/eth/v1/beacon/light_client/finality_update`)
    expect(events[28]).toEqual({ event: 'light_client_finality_update', data: await asked.json() })
    expect(events[29]!.event).toBe('light_client_optimistic_update')
    stream.close()
  })

  it('stop when nobody listens', async () => {
    const streams = await Promise.all(range(5).map(() => listen('topics=head')))
    for (const stream of streams) stream.close()
    const other = await listen('topics=head')
    chain.advance(1)
    expect(await other.next(1)).toHaveLength(1)
    other.close()
  })

  it.each(['', 'topics=', 'topics=chain_reorg_of_mine', 'topics=head,nothing'])(
    'cannot be asked by %s',
    async (query) => {
      const response = await fetch(`${server.url}/eth/v1/events?${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 400 })
    },
  )
})
