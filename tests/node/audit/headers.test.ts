/** The headers of a range: each fetched once, whatever lies between, and none believed because it was given. */
import type { LightClient } from 'blobcheck/light-client'
import { createBeaconApp, type MadeChain, makeChain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  headersOnTrust,
  provenHeaders,
  type RangeHeaders,
  type SlotHeader,
} from '../../../dist/audit/index.js'
import { BeaconEndpoints } from '../../../dist/beacon/endpoints.js'
import { enter } from '../../support/clients.ts'
import { flawedServer } from '../../support/audits.ts'
import { range } from '../../support/make.ts'

let chain: MadeChain
let head: number

beforeAll(async () => {
  chain = await makeChain({
    slots: 400,
    blobsPerBlock: 0,
    isMissed: (slot) => slot % 9 === 0,
    signHeaders: false,
  })
  head = chain.head.slot
})

const signal = new AbortController().signal

type Answers = (path: string) => Response | undefined | Promise<Response | undefined>

/** Endpoints that answer by an app, but for what `answers` has for them; and how often each path was asked for. */
function endpointsOf(answers: Answers = () => undefined): {
  readonly endpoints: BeaconEndpoints
  readonly asked: Map<string, number>
} {
  const app = createBeaconApp({ chain })
  const asked = new Map<string, number>()
  const endpoints = new BeaconEndpoints([new URL('http://a.example')], {
    async fetch(url: string, init) {
      const { pathname } = new URL(url)
      asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
      return (await answers(pathname)) ?? (await app.fetch(new Request(url, { headers: init.headers })))
    },
    ...{ now: Date.now, random: Math.random, timeoutMs: 5_000, atOnce: 8 },
  })
  return { endpoints, asked }
}

async function walked(headers: RangeHeaders, from: number, to: number): Promise<SlotHeader[]> {
  const slots: SlotHeader[] = []
  for await (const slot of headers.walk({ from, to }, { signal })) slots.push(slot)
  return slots
}

/** That each slot of a range came once, downwards, with what the chain has there. */
function expectChain(slots: readonly SlotHeader[], from: number, to: number): void {
  const within = slots.filter(({ slot }) => slot <= to)
  expect(within.map(({ slot }) => slot)).toEqual(Array.from({ length: to - from + 1 }, (_, at) => to - at))
  for (const one of within)
    expect('header' in one && (one.header?.root ?? null)).toBe(chain.at(one.slot)?.root ?? null)
}

describe('on the endpoints’ word', () => {
  it('comes down from the block after the range, with one request for each header', async () => {
    const { endpoints, asked } = endpointsOf()
    const [from, to] = [80, head - 100]
    const slots = await walked(headersOnTrust(endpoints), from, to)
    expectChain(slots, from, to)
    // The next block says what became of the payload of the last one.
    expect(slots[0]).toMatchObject({ header: { root: chain.at(slots[0]!.slot)!.root } })
    expect(slots[0]!.slot).toBeGreaterThan(to)
    for (let slot = from; slot <= to; slot++)
      expect(asked.get(`/eth/v1/beacon/headers/${slot}`), `slot ${slot}`).toBe(1)
    expect([...asked.keys()].filter((path) => path.includes('0x'))).toEqual([])
  })

  it('asks for the parent by its root where a slot’s header is another one', async () => {
    const other = chain.at(100)!
    const { endpoints, asked } = endpointsOf(async (path) =>
      path.endsWith('/headers/200')
        ? // Of the right slot, and of no chain.
          Response.json({
            data: {
              root: other.root,
              header: {
                message: {
                  ...{ slot: '200', proposer_index: '1', parent_root: other.root },
                  ...{ state_root: other.root, body_root: other.root },
                },
              },
            },
          })
        : undefined,
    )
    expectChain(await walked(headersOnTrust(endpoints), 150, 250), 150, 250)
    expect(asked.get(`/eth/v1/beacon/headers/${chain.at(200)!.root}`)).toBe(1)
  })

  it('takes a header that is not given for an empty slot only where its child agrees', async () => {
    const hidden = chain.at(200)!
    const { endpoints } = endpointsOf((path) =>
      path.endsWith('/headers/200') ? new Response('no', { status: 404 }) : undefined,
    )
    const slots = await walked(headersOnTrust(endpoints), 190, 210)
    expect(slots.find(({ slot }) => slot === 200)).toMatchObject({ header: { root: hidden.root } })
  })

  it('knows nothing below a header that nobody gives', async () => {
    const hidden = chain.at(200)!
    const { endpoints } = endpointsOf((path) =>
      path.endsWith('/headers/200') || path.endsWith(hidden.root)
        ? new Response('no', { status: 404 })
        : undefined,
    )
    const slots = await walked(headersOnTrust(endpoints), 190, 210)
    expectChain(
      slots.filter(({ slot }) => slot > 200),
      201,
      210,
    )
    const below = slots.filter(({ slot }) => slot <= 200)
    expect(below).toHaveLength(11)
    for (const slot of below) expect(slot).toMatchObject({ unknown: expect.stringMatching(/slot 201.*404/) })
  })

  it('says of slots after the head that they are', async () => {
    const { endpoints } = endpointsOf()
    const slots = await walked(headersOnTrust(endpoints), head - 2, head + 200)
    expect(slots).toHaveLength(203)
    expect(slots.filter((slot) => 'unknown' in slot && slot.unknown.includes('newer'))).toHaveLength(200)
    expectChain(slots, head - 2, head)
  })

  it('says it of each slot of a range that lies after the head, and lets a signal end it', async () => {
    const { endpoints } = endpointsOf()
    const headers = headersOnTrust(endpoints)
    const slots = await walked(headers, 1e9, 1e9 + 100)
    expect(slots.map(({ slot }) => slot)).toEqual(range(101).map((at) => 1e9 + 100 - at))
    for (const slot of slots) expect(slot).toMatchObject({ unknown: expect.stringContaining('newer') })
    let isOver = false
    setTimeout(() => (isOver = true), 20)
    for await (const _ of headers.walk({ from: 1e9, to: 2e9 }, { signal })) if (isOver) break
    expect(isOver).toBe(true)
  })

  it('says of each slot why nothing is known where nobody answers', async () => {
    const { endpoints } = endpointsOf(() => new Response('no', { status: 404 }))
    const slots = await walked(headersOnTrust(endpoints), 100, 120)
    expect(slots).toHaveLength(21)
    for (const slot of slots) expect(slot).toMatchObject({ unknown: expect.stringContaining('404') })
  })

  it('ends with the signal', async () => {
    const controller = new AbortController()
    const { endpoints } = endpointsOf()
    const walk = headersOnTrust(endpoints).walk({ from: 70, to: 300 }, { signal: controller.signal })
    await walk.next()
    controller.abort(new Error('enough'))
    await expect(
      (async () => {
        while (!(await walk.next()).done);
      })(),
    ).rejects.toThrow('enough')
  })
})

/** A light client of the chain, at its head. */
async function startClient(): Promise<LightClient> {
  const { network, checkpoint } = chain
  const client = await enter({ network, checkpoint, beacon: await flawedServer(chain), store: false })
  await client.sync()
  return client
}

describe('from a checkpoint', () => {
  it('are those of the light client, each vouched for, with one request for each', async () => {
    const client = await startClient()
    const { endpoints, asked } = endpointsOf()
    const [from, to] = [70, client.finalized.slot - 40]
    const slots = await walked(provenHeaders(client, endpoints), from, to)
    expectChain(slots, from, to)
    for (const slot of slots)
      if ('header' in slot && slot.header !== null)
        expect(slot.header).toMatchObject({ links: { 'sync-committee': 'verified' }, finalized: true })
    expect(Math.max(...asked.values())).toBe(1)
    expect([...asked.keys()].filter((path) => path.includes('0x'))).toEqual([])
  })

  it('are none of slots that are not final yet, whose blocks may be others later', async () => {
    const client = await startClient()
    const { slot: final } = client.finalized
    expect(final).toBeLessThan(head - 32)
    const slots = await walked(provenHeaders(client, endpointsOf().endpoints), final - 10, head)
    expect(slots.map(({ slot }) => slot)).toEqual(range(head - final + 11).map((at) => head - at))
    expectChain(
      slots.filter(({ slot }) => slot <= final),
      final - 10,
      final,
    )
    for (const slot of slots.filter(({ slot }) => slot > final))
      expect(slot).toEqual({ slot: slot.slot, unknown: expect.stringContaining('it is not final yet') })
  })

  it('are none of a range that lies after the head', async () => {
    const client = await startClient()
    const slots = await walked(provenHeaders(client, endpointsOf().endpoints), 1e9, 1e9 + 100)
    expect(slots.map(({ slot }) => slot)).toEqual(range(101).map((at) => 1e9 + 100 - at))
    for (const slot of slots) expect(slot).toMatchObject({ unknown: expect.stringContaining('newer') })
  })

  it('are told how far the way is', async () => {
    const client = await startClient()
    const steps: [number, number][] = []
    const onStep = (done: number, total: number): void => void steps.push([done, total])
    for await (const _ of provenHeaders(client, endpointsOf().endpoints).walk(
      { from: 70, to: 100 },
      { signal, onStep },
    ));
    const total = client.finalized.slot - 70 + 1
    expect(steps.at(-1)).toEqual([total, total])
    expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).toSorted((a, b) => a - b))
  })
})
