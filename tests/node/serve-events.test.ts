/** The event stream of `blobcheck serve`, over real HTTP. */
import { type ChainEvent, createBeaconApp, type MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { columns, handChain, type Json } from '../support/served.ts'
import { range, until } from '../support/make.ts'
import { toHex } from '../support/bytes.ts'

let chain: MadeChain
let server: BeaconServer
async function start(): Promise<void> {
  chain = await handChain({ slots: 10, blobsPerBlock: 1, isMissed: (slot) => slot % 10 === 9 })
  server = await serveBeacon({ chain, faults: { rules: [{ fault: { kind: 'withhold', columns: 100 } }] } })
}

interface Event {
  readonly event: string
  readonly data: Json
}

/** Opens a stream; `next` waits for so many events. */
async function listen(
  topics: string,
  { url } = server,
): Promise<{ next(count: number): Promise<Event[]>; close(): void }> {
  const controller = new AbortController()
  const response = await fetch(`${url}/eth/v1/events?${topics}`, { signal: controller.signal })
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

/** Those who listen to the chain. */
function keepListeners(): Set<(event: ChainEvent) => void> {
  const listeners = new Set<(event: ChainEvent) => void>()
  const { subscribe } = chain
  vi.spyOn(chain, 'subscribe').mockImplementation((listener) => {
    const unsubscribe = subscribe.call(chain, listener)
    listeners.add(listener)
    return () => {
      unsubscribe()
      listeners.delete(listener)
    }
  })
  return listeners
}

describe('events', () => {
  beforeEach(start)
  afterEach(async () => await server.close())

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

  it('name the blocks that duties depend on', async () => {
    const stream = await listen('topics=head,head_v2')
    chain.advance(100)
    const events = await stream.next(2 * range(100).filter((at) => chain.at(72 + at) !== null).length)
    for (const { event, data } of events) {
      const head = event === 'head' ? data : data['data']!
      const epoch = Math.floor(Number(head['slot']) / 32)
      // A slot that was missed has the block before it; before the first slot there is genesis alone.
      const upTo = (slot: number): string => (chain.at(slot) ?? chain.at(slot < 64 ? 0 : slot - 1))!.root
      const [before, present] = [upTo(32 * (epoch - 1) - 1), upTo(32 * epoch - 1)]
      expect(head['epoch_transition']).toBe(Number(head['slot']) % 32 === 0)
      expect(head).toMatchObject(
        event === 'head'
          ? { previous_duty_dependent_root: before, current_duty_dependent_root: present }
          : {
              ...{ current_epoch_dependent_root: before, next_epoch_dependent_root: present },
              payload_status: 'full',
            },
      )
    }
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
    const told = events.filter(({ event }) => event === 'data_column_sidecar')
    const { url } = server
    const served = (await (await fetch(url + columns('head'))).json()) as Json
    expect(told).toHaveLength(28)
    expect(told.map(({ data }) => data['index'])).toEqual(served['data']!.map(({ index }) => index))
    expect(new Set(told.map(({ data }) => data['block_root']))).toEqual(new Set([chain.head.root]))
    expect(told[0]!.data['kzg_commitments']).toHaveLength(1)
    const asked = await fetch(`${url}/eth/v1/beacon/light_client/finality_update`)
    expect(events[28]).toEqual({ event: 'light_client_finality_update', data: await asked.json() })
    expect(events[29]!.event).toBe('light_client_optimistic_update')
    stream.close()
  })

  it('tell light clients of the update that each block brought, once, however many blocks came since', async () => {
    const long = await handChain({ slots: 100, blobsPerBlock: 0 })
    const other = await serveBeacon({ chain: long })
    try {
      const topics = 'head,light_client_finality_update,light_client_optimistic_update'
      const stream = await listen(`topics=${topics}`, other)
      const from = long.head.slot
      long.advance(3)
      const told = (await stream.next(9)).map(({ event, data }) => [
        event,
        Number(data['slot'] ?? data['data']!['signature_slot']),
      ])
      expect(told).toEqual(range(3).flatMap((at) => topics.split(',').map((topic) => [topic, from + 1 + at])))
      stream.close()
    } finally {
      await other.close()
    }
  })

  it('tell by head_v2 what becomes of the payload of a block of Gloas, and by head nothing of it', async () => {
    const isPayloadWithheld = (slot: number): boolean => slot % 3 === 0
    const gloas = await handChain({ slots: 30, blobsPerBlock: 1, gloasForkEpoch: 3, isPayloadWithheld })
    const other = await serveBeacon({ chain: gloas })
    try {
      const stream = await listen('topics=head_v2', other)
      const old = await listen('topics=head,data_column_sidecar', other)
      gloas.advance(8)
      // Slots 94 and 95 are of Fulu. The payloads of 96 and 99 are never revealed.
      const expected = [94, 95, 96, 97, 98, 99, 100, 101].flatMap((slot) =>
        (slot < 96 ? ['full'] : isPayloadWithheld(slot) ? ['empty'] : ['empty', 'full']).map((status) => [
          slot,
          status,
        ]),
      )
      const events = await stream.next(expected.length)
      expect(events.map(({ data: { data } }) => [Number(data!['slot']), data!['payload_status']])).toEqual(
        expected,
      )
      for (const { event, data } of events) {
        const slot = Number(data['data']!['slot'])
        expect(event).toBe('head_v2')
        expect(data['version']).toBe(slot < 96 ? 'fulu' : 'gloas')
        const { root, header } = gloas.at(slot)!
        expect(data['data']).toMatchObject({ block: root, execution_optimistic: false })
        expect(data['data']!['state']).toBe(toHex(header.message.state_root))
        // What it says of the payload is what the server has of it; before Gloas there is no envelope.
        const envelope = await fetch(`${other.url}/eth/v1/beacon/execution_payload_envelopes/${slot}`)
        if (slot >= 96) expect(envelope.status).toBe(isPayloadWithheld(slot) ? 404 : 200)
      }
      const heads: number[] = []
      // Six of these blocks have columns.
      for (const { event, data } of await old.next(8 + 6 * 128))
        if (event === 'head') heads.push(Number(data['slot']))
        else {
          expect(isPayloadWithheld(Number(data['slot'])) && Number(data['slot']) >= 96).toBe(false)
          expect('kzg_commitments' in data).toBe(Number(data['slot']) < 96)
        }
      expect(heads).toEqual([94, 95, 96, 97, 98, 99, 100, 101])
      stream.close()
      old.close()
    } finally {
      await other.close()
    }
  })

  it('tell of the payload of a block of Gloas as it is revealed, while the block becomes full', async () => {
    // Slot 95 is of Fulu. The payload of 97 is never revealed.
    const isPayloadWithheld = (slot: number): boolean => slot === 97
    const gloas = await handChain({ slots: 31, blobsPerBlock: 1, gloasForkEpoch: 3, isPayloadWithheld })
    const other = await serveBeacon({ chain: gloas })
    try {
      const payload = 'execution_payload,execution_payload_gossip,execution_payload_available'
      const stream = await listen(`topics=block,block_gossip,head_v2,${payload}`, other)
      gloas.advance(4)
      const events = (await stream.next(3 + 7 + 3 + 7)).map(({ event, data }) =>
        event === 'head_v2' ? [data['data']!['slot'], data['data']!['payload_status']] : [event, data],
      )
      const expected: unknown[] = []
      for (const number of [95, 96, 97, 98]) {
        const slot = String(number)
        const { root } = gloas.at(number)!
        expected.push(
          ['block_gossip', { slot, block: root }],
          ['block', { slot, block: root, execution_optimistic: false }],
        )
        const answer = await fetch(`${other.url}/eth/v1/beacon/execution_payload_envelopes/${slot}`)
        expect(answer.ok).toBe(number === 96 || number === 98)
        if (number >= 96) expected.push([slot, 'empty'])
        if (answer.ok) {
          const { message } = ((await answer.json()) as Json)['data']!
          expect(message!['beacon_block_root']).toBe(root)
          const { builder_index } = message!
          const revealed = { slot, builder_index, block_hash: message!['payload']!['block_hash'] }
          expect(revealed.block_hash).toBe(gloas.at(number)!.execution!.hash)
          expected.push(
            ['execution_payload_gossip', { ...revealed, block_root: root }],
            ['execution_payload_available', { slot, block_root: root }],
            ['execution_payload', { ...revealed, block_root: root, execution_optimistic: false }],
          )
        }
        if (number !== 97) expected.push([slot, 'full'])
      }
      expect(events).toEqual(expected)
      stream.close()
    } finally {
      await other.close()
    }
  })

  it('do not say that the data of a payload are there of which the server has no column', async () => {
    const gloas = await handChain({ slots: 33, blobsPerBlock: 1, gloasForkEpoch: 3 })
    const rules = [{ fault: { kind: 'withhold', columns: 128 } as const }]
    const other = await serveBeacon({ chain: gloas, faults: { rules } })
    try {
      const stream = await listen('topics=execution_payload,execution_payload_available', other)
      gloas.advance(2)
      const events = (await stream.next(2)).map(({ event }) => event)
      expect(events).toEqual(['execution_payload', 'execution_payload'])
      stream.close()
    } finally {
      await other.close()
    }
  })

  it('of many blocks at once, with all of their columns, are lost by nobody who reads', async () => {
    const whole = await handChain({ slots: 10, blobsPerBlock: 1 })
    const other = await serveBeacon({ chain: whole })
    try {
      const stream = await listen('topics=block,data_column_sidecar', other)
      const from = whole.head.slot
      whole.advance(40)
      const events = await stream.next(40 * 129)
      expect(events.map(({ event, data }) => [event, Number(data['slot'])])).toEqual(
        range(40).flatMap((at) => {
          const slot = from + 1 + at
          return [['block', slot], ...range(128).map(() => ['data_column_sidecar', slot])]
        }),
      )
      stream.close()
    } finally {
      await other.close()
    }
  })

  it('end for a reader that never reads, before too many wait', async () => {
    const listeners = keepListeners()
    const app = createBeaconApp({ chain })
    const { body } = await app.fetch(new Request('http://beacon.test/eth/v1/events?topics=head'))
    const [tell] = listeners
    const event = { kind: 'block', block: chain.head } as const
    for (const _ of range(8_192)) tell!(event)
    expect(listeners.size).toBe(1)
    tell!(event)
    expect(listeners.size).toBe(0)
    await body!.cancel()
  })

  it('stop when nobody listens', async () => {
    const listeners = keepListeners()
    const streams = await Promise.all(range(5).map(() => listen('topics=head')))
    expect(listeners.size).toBe(5)
    for (const stream of streams) stream.close()
    await until(() => listeners.size === 0)
    const other = await listen('topics=head')
    chain.advance(1)
    expect(await other.next(1)).toHaveLength(1)
    other.close()
    await until(() => listeners.size === 0)
  })
})

describe('a request for events', () => {
  beforeAll(start)
  afterAll(async () => await server.close())

  it('has the headers of a stream and no body where it is HEAD, and nobody listens then', async () => {
    const subscribe = vi.spyOn(chain, 'subscribe')
    const head = async (query: string): Promise<Response> =>
      await fetch(`${server.url}/eth/v1/events?${query}`, { method: 'HEAD' })
    const response = await head('topics=head')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect((await head('topics=nothing')).status).toBe(400)
    expect(subscribe).not.toHaveBeenCalled()
    const stream = await listen('topics=head')
    expect(subscribe).toHaveBeenCalledOnce()
    stream.close()
  })

  it('may name topics of the API of which nothing happens here, and hears of the others', async () => {
    const silent = ['chain_reorg', 'attestation', 'blob_sidecar', 'execution_payload_bid']
    const stream = await listen(`topics=${[...silent, 'head'].join()}&topics=payload_attributes`)
    chain.advance(3)
    const heard = (await stream.next(2)).map(({ event }) => event)
    expect(heard).toEqual(['head', 'head'])
    stream.close()
    ;(await listen('topics=voluntary_exit')).close()
  })

  it.each(['', 'topics=', 'topics=chain_reorg_of_mine', 'topics=head,nothing'])(
    'is refused with %j',
    async (query) => {
      const response = await fetch(`${server.url}/eth/v1/events?${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 400 })
    },
  )
})
