/** The chain that a proxy follows: a light client that ends, nodes that stand still, and headers that are followed back. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { added, countsOfFailures } from '../../dist/proxy/headers/endpoint-counts.js'
import { FollowedChain } from '../../dist/proxy/headers/followed-chain.js'
import { createProxyApp } from '../../dist/proxy/app.js'
import { Clock } from '../../dist/light-client/clock.js'
import { BeaconUnavailableError } from '../../dist/beacon/failure.js'
import { BeaconEndpoints, readUrls } from '../../dist/beacon/endpoints.js'
import { headerIn } from '../../dist/beacon/header-answer.js'
import { MAX_ANCESTORS } from '../../dist/light-client/ancestors.js'
import { Ancestry } from '../../dist/proxy/headers/ancestry.js'
import { HeaderStore } from '../../dist/proxy/headers/header-store.js'
import { later, unanswered } from '../support/make.ts'
import { pause } from '../support/proxies.ts'

describe('a light client that ends', () => {
  it('is started anew, and whoever waits for a header meanwhile is told to ask again', async () => {
    const network = resolveNetwork('mainnet')
    const newest = 14_000_000
    const now = (): number => (network.genesisTime + 12 * newest + 6) * 1_000
    const word = `0x${'11'.repeat(32)}`
    const header = {
      ...{
        slot: newest - 64,
        root: `0x${'22'.repeat(32)}`,
        proposer_index: '1',
        parent_root: word,
        state_root: word,
      },
      ...{ body_root: word, finalized: true, links: { header: 'verified' } },
    }
    let fail = (_: Error): void => {}
    const client = {
      ...{
        finalized: header,
        optimistic: header,
        first: header,
        report: () => ({ endpoints: [], storeFailures: 0 }),
        dispose: async () => {},
      },
      async *headers() {
        yield header
        await new Promise((_, reject) => (fail = reject))
      },
    }
    const { promise: isAsked, resolve: asked } = later()
    const endpoints = new BeaconEndpoints(readUrls(['http://node.invalid']), {
      ...{ now, timeoutMs: 60_000, random: Math.random, atOnce: 16 },
      fetch: async (_, { signal }) => {
        asked()
        return await unanswered(signal)
      },
    })
    const headers = new FollowedChain({
      ...{ endpoints, clock: new Clock(network, now), history: 10_000, onNews: () => {} },
      start: async () => client as never,
    })
    const faults: string[] = []
    const app = createProxyApp({
      ...{ network, networkName: 'mainnet', headers, source: {} as never, endpoints, disk: null },
      ...{ memoryBytes: 1, deadlineMs: 60_000, atOnce: 10, mostUnderWay: 10, blocksAtOnce: 1 },
      ...{ version: '1', onAnswer: () => {}, onFault: ({ message }) => faults.push(message) },
    })
    const end = new AbortController()
    const following = headers.follow(end.signal)
    expect(headers.status().trouble).toBe('the light client has not started yet')
    while (headers.status().head === null) await new Promise((resolve) => setTimeout(resolve, 1))
    const answer = app.fetch(new Request(`http://proxy.invalid/eth/v1/beacon/headers/${newest - 300}`), 1)
    await isAsked
    fail(new Error('its worker died'))
    const { status, ...body } = await answer.then(async (given) => ({
      status: given.status,
      ...((await given.json()) as { reason?: string }),
    }))
    end.abort()
    await following
    await app.dispose()
    expect([status, body.reason, faults]).toEqual([503, 'starting', []])
  })
})

describe('a chain that is followed', () => {
  const newest = 12_000_000
  const behind = (slots: number): string =>
    `the newest header is ${slots} slots behind the clock: the endpoints are behind, or this machine's clock is fast`

  /** Follows a client that a test makes yield headers (`head`) and errors (`fail`), by a clock that the test sets. */
  async function followed(slotMs: number) {
    const network = { ...resolveNetwork('mainnet'), secondsPerSlot: slotMs / 1000 }
    const time = { slot: newest }
    // Half a second before: by honest clocks a slot may have begun then.
    const now = (): number => network.genesisTime * 1000 + (time.slot + 0.5) * slotMs - 500
    const heads: ((slot: number) => void)[] = []
    let told: (error: Error) => void = () => {}
    const client = {
      finalized: { root: `0x${'01'.repeat(32)}`, slot: newest - 64, finalized: true, links: {} },
      first: { root: `0x${'01'.repeat(32)}`, slot: newest - 64, finalized: true, links: {} },
      optimistic: null,
      report: () => ({ endpoints: [], storeFailures: 0 }),
      dispose: async () => {},
      async *headers({ signal, onError }: { signal: AbortSignal; onError: (error: Error) => void }) {
        told = onError
        const ended = unanswered(signal)
        for (;;) {
          const next = new Promise<number>((resolve) => heads.push(resolve))
          yield { slot: await Promise.race([next, ended]) }
        }
      },
    }
    const news: [string, boolean][] = []
    const headers = new FollowedChain({
      ...{ endpoints: {} as never, clock: new Clock(network, now), history: 10_000 },
      ...{ onNews: (...one) => news.push(one), start: async () => client as never },
    })
    const end = new AbortController()
    const following = headers.follow(end.signal)
    const trouble = (): string | null => headers.status().trouble
    await vi.waitFor(() => expect(heads).toHaveLength(1))
    return {
      ...{ time, news, trouble },
      fail: (message: string): void => told(new Error(message)),
      async head(slot: number): Promise<string | null> {
        const before = heads.length
        heads.at(-1)!(slot)
        await vi.waitFor(() => expect(heads.length).toBeGreaterThan(before))
        return trouble()
      },
      async end(): Promise<void> {
        end.abort()
        await following
      },
    }
  }

  it('whose newest header is of long ago is said to be that, once, until it is in step', async () => {
    const { time, news, trouble, fail, head, end } = await followed(12_000)
    // It has started, and does not know of now yet.
    expect(trouble()).toBe('the light client is on its way to the newest header')
    time.slot = newest + 300
    // Of what was kept, and no endpoint answered: that is what there is to say.
    fail('nobody answers')
    expect(await head(newest)).toBe('nobody answers')
    expect(await head(newest + 1)).toBe(behind(299))
    time.slot += 2
    expect(await head(newest + 2)).toBe(behind(300))
    expect(await head(newest + 302 - 32)).toBeNull()
    time.slot += 100
    expect(await head(newest + 302)).toBe(behind(100))
    await end()
    expect(news).toEqual([
      ['nobody answers', true],
      [behind(299), true],
      ['in step with the chain', false],
      [behind(100), true],
    ])
  })

  it('is said to be behind where nodes stand still, too, and no header comes', async () => {
    const { time, news, trouble, fail, head, end } = await followed(10)
    expect(await head(newest)).toBeNull()
    time.slot = newest + 33
    await vi.waitFor(() => expect(trouble()).toBe(behind(33)))
    time.slot = newest + 34
    await vi.waitFor(() => expect(trouble()).toBe(behind(34)))
    // The clock was fast, and is set back.
    time.slot = newest + 3
    await vi.waitFor(() => expect(trouble()).toBeNull())
    fail('nobody answers')
    time.slot = newest + 40
    await pause(50)
    expect(trouble()).toBe('nobody answers')
    await end()
    expect(news).toEqual([
      ['in step with the chain', false],
      [behind(33), true],
      ['in step with the chain', false],
      ['nobody answers', true],
    ])
    time.slot = newest + 50
    await pause(50)
    expect(news).toHaveLength(4)
  })
})

describe('a store of headers', () => {
  it('gives the last ones by their roots, and forgets the first', () => {
    const store = new HeaderStore(3)
    const headers = [1, 2, 3, 4].map((number) => {
      const ssz = new Uint8Array(112).fill(number)
      return { root: `0x0${number}`, slot: 0, parentRoot: '', ssz }
    })
    for (const header of [...headers.slice(0, 3), headers[0]!]) store.add(header)
    expect(store.get('0x01')?.ssz).toEqual(headers[0]!.ssz)
    store.add(headers[3]!)
    expect(store.get('0x01')).toBeUndefined()
    expect(store.get('0x04')).toMatchObject({
      ...{ root: '0x04', slot: Number(0x0404040404040404n), parentRoot: `0x${'04'.repeat(32)}` },
    })
    for (const number of [2, 3]) expect(store.get(`0x0${number}`)?.ssz[111]).toBe(number)
  })
})

describe('headers that are followed back', () => {
  afterEach(() => vi.restoreAllMocks())
  const word = `0x${'11'.repeat(32)}`
  const FIRST = 1_000
  /**
   * The way back from the last of so many headers in a row, of which those up to a slot are final. `before` is awaited for each request, with the slot
   * that it is about and its name in the request, and has it fail by throwing. `firstSlot`: what the light client began with. `asked`: these slots; `most`: requests at the same time.
   */
  const wayBack = (
    count: number,
    finalSlot: number,
    before: (slot: number, id: string) => unknown = () => {},
    { firstSlot = finalSlot, history = 100_000 } = {},
  ) => {
    const answers = new Map<string, { readonly slot: number; readonly body: Uint8Array<ArrayBuffer> }>()
    const headers = new Map<number, { readonly slot: number; readonly root: string }>()
    for (let slot = FIRST, parent_root = word; slot <= FIRST + count; slot++) {
      const rest = { proposer_index: '1', parent_root, state_root: word, body_root: word }
      const message = { slot: String(slot), ...rest }
      const body = new TextEncoder().encode(JSON.stringify({ data: { header: { message } } }))
      const header = headerIn({ form: 'json', version: null, body })
      for (const id of [header.root, String(slot)]) answers.set(id, { slot, body })
      headers.set(slot, { ...header, finalized: slot <= finalSlot } as never)
      parent_root = header.root
    }
    const zero = { slot: FIRST - 1, root: word, parent_root: word, finalized: true }
    const client = {
      finalized: headers.get(finalSlot) ?? zero,
      first: headers.get(firstSlot) ?? zero,
      optimistic: headers.get(FIRST + count),
      trustAncestors: async (below: readonly Uint8Array[]) =>
        below.length > MAX_ANCESTORS
          ? null
          : below.map((ssz) => headers.get(Number(new DataView(ssz.buffer).getBigUint64(0, true)))),
    }
    const seen = { asked: [] as number[], most: 0 }
    let open = 0
    const endpoints = {
      first: async ({ path }: { path: string }, read: (answer: object) => Promise<unknown>) => {
        const id = path.split('/').at(-1)!
        const { slot, body } = answers.get(id)!
        seen.asked.push(slot)
        seen.most = Math.max(seen.most, ++open)
        try {
          await before(slot, id)
          return await read({ form: 'json', version: null, body })
        } finally {
          open--
        }
      },
    }
    const ancestry = new Ancestry(client as never, { endpoints: endpoints as never, history })
    const newest = (slot: number): void => void (client.optimistic = headers.get(slot))
    return { at: async (slot: number) => await ancestry.at(slot, undefined), seen, newest }
  }

  it('are found behind as many that are not final as a light client does not tie at once', async () => {
    const { at } = wayBack(MAX_ANCESTORS + 10, FIRST - 1)
    expect(await at(FIRST + 2)).toMatchObject({ status: 'found', header: { slot: FIRST + 2 } })
  })

  it('and are not final are looked through a few times, however far the way is', async () => {
    const COUNT = 5_000
    const { at } = wayBack(COUNT, FIRST - 1)
    const get = vi.spyOn(HeaderStore.prototype, 'get')
    expect(await at(FIRST)).toMatchObject({ status: 'found' })
    expect(get.mock.calls.length).toBeLessThan(5 * COUNT)
  })

  it('and are not final are fetched once, while newer ones come', async () => {
    const { at, seen, newest } = wayBack(1_000, FIRST - 1)
    newest(FIRST + 900)
    expect(await at(FIRST + 600)).toMatchObject({ status: 'found' })
    const get = vi.spyOn(HeaderStore.prototype, 'get')
    for (const [next, asked] of [
      [901, []],
      [902, []],
      [904, [903]],
      [910, [909, 908, 907, 906, 905]],
    ] as const) {
      seen.asked.length = get.mock.calls.length = 0
      newest(FIRST + next)
      expect(await at(FIRST + 600)).toMatchObject({ status: 'found', header: { slot: FIRST + 600 } })
      expect(new Set(seen.asked)).toEqual(new Set(asked.map((slot) => FIRST + slot)))
      // What is asked for is tied anew, and not looked through for each step.
      expect(get.mock.calls.length).toBeLessThan(800)
    }
  })

  it('and are not final are fetched anew where they are kept no more', async () => {
    const { at, seen } = wayBack(600, FIRST - 1)
    const { get, add } = HeaderStore.prototype
    // When all of the way is there, one of it has made room for another one.
    let times = 0
    let isKept = true
    vi.spyOn(HeaderStore.prototype, 'get').mockImplementation(function (this: HeaderStore, root) {
      const header = get.call(this, root)
      if (header?.slot !== FIRST + 450) return header
      if (times === 0 && seen.asked.includes(FIRST + 1)) [isKept, times] = [false, 1]
      return isKept ? header : undefined
    })
    vi.spyOn(HeaderStore.prototype, 'add').mockImplementation(function (this: HeaderStore, header) {
      if (header.slot === FIRST + 450) isKept = true
      add.call(this, header)
    })
    expect(await at(FIRST + 1)).toMatchObject({ status: 'found', header: { slot: FIRST + 1 } })
    expect(times).toBe(1)
    expect(seen.asked.filter((slot) => slot === FIRST + 450)).toHaveLength(2)
  })

  it('and are not final keep newer ones waiting for no more than a part of their way', async () => {
    const [gate, arrival] = [later(), later()]
    const { at } = wayBack(1_000, FIRST - 1, async (slot) => {
      if (slot >= FIRST + 700) return
      arrival.resolve()
      await gate.promise
    })
    const old = [1, 2, 3].map(async (slot) => await at(FIRST + slot))
    const isKept = arrival.promise.then(() => ({ status: 'waits for older ones' }))
    expect(await Promise.race([at(FIRST + 990), isKept])).toMatchObject({ status: 'found' })
    await arrival.promise
    gate.resolve()
    for (const answer of await Promise.all(old)) expect(answer).toMatchObject({ status: 'found' })
  })

  it.each([
    ['not final', FIRST - 1],
    ['final', FIRST + 1_000],
  ])('and are %s: where nobody has one, those below it are left alone', async (_, finalSlot) => {
    const missing = FIRST + 750
    const { at, seen } = wayBack(1_000, finalSlot, (slot) => {
      if (slot === missing) throw new BeaconUnavailableError([])
    })
    expect(await at(FIRST)).toMatchObject({ status: 'unreachable' })
    // It may have been asked for in one go with those next to it.
    expect(Math.min(...seen.asked)).toBeGreaterThan(missing - 128)
    seen.asked.length = 0
    expect(await at(FIRST)).toMatchObject({ status: 'unreachable' })
    expect(seen.asked).toEqual([missing])
  })

  it('begin at the header that the light client began with, too, however far back that is', async () => {
    const { at, seen } = wayBack(1_000, FIRST + 900, () => {}, { firstSlot: FIRST + 300, history: 200 })
    expect(await at(FIRST + 300)).toMatchObject({ status: 'found', header: { slot: FIRST + 300 } })
    expect(seen.asked).toEqual([])
    // In more than one step: each of them leads on.
    expect(await at(FIRST + 101)).toMatchObject({ status: 'found', header: { slot: FIRST + 101 } })
    expect(Math.max(...seen.asked)).toBeLessThan(FIRST + 300)
    for (const slot of [FIRST + 99, FIRST + 301, FIRST + 699])
      expect(await at(slot)).toEqual({ status: 'too-old' })
  })

  it('are fetched by their roots where answers by slot do not come, which is tried ever more seldom', async () => {
    const COUNT = 128 * 20
    let [lost, isOver] = [0, false]
    const { at, seen } = wayBack(COUNT, FIRST + COUNT, (_, id) => {
      if (isOver || id.startsWith('0x')) return
      lost++
      throw new BeaconUnavailableError([{ endpoint: 'a', kind: 'timeout', detail: 'no answer' }])
    })
    expect(await at(FIRST + 128)).toMatchObject({ status: 'found', header: { slot: FIRST + 128 } })
    // In the first window, the third, the seventh, and the fifteenth: as many as are asked at the same time, and those that follow until all of these failed.
    expect(lost).toBeGreaterThanOrEqual(4 * 7)
    expect(lost).toBeLessThanOrEqual(4 * 13)
    isOver = true
    expect(await at(FIRST)).toMatchObject({ status: 'found', header: { slot: FIRST } })
    expect(new Set(seen.asked).size).toBe(COUNT)
  })

  it('are asked for by all their slots where many of these are empty', async () => {
    let bySlot = 0
    const { at } = wayBack(256, FIRST + 256, (_, id) => {
      if (id.startsWith('0x')) return
      bySlot++
      throw new BeaconUnavailableError([{ endpoint: 'a', kind: 'not-found', detail: 'status 404' }])
    })
    expect(await at(FIRST)).toMatchObject({ status: 'found', header: { slot: FIRST } })
    expect(bySlot).toBeGreaterThan(250)
  })

  it('are fewer at the same time than one endpoint is asked for, on both ways together', async () => {
    const { at, seen } = wayBack(1_000, FIRST + 500, async () => await new Promise((go) => setImmediate(go)))
    for (const answer of await Promise.all([at(FIRST), at(FIRST + 502)]))
      expect(answer).toMatchObject({ status: 'found' })
    expect(seen.most).toBeGreaterThan(7)
    expect(seen.most).toBeLessThan(16)
  })
})

describe('counts of endpoints', () => {
  it('go on from one light client to the next, and have the failures of those that did not start', () => {
    const failure = { endpoint: 'http://a.example', kind: 'timeout', detail: 'no answer' } as const
    const started = { name: 'http://a.example', requests: 5, failures: { timeout: 1, behind: 2 } }
    const other = { name: 'http://b.example', requests: 1, failures: {} }
    expect(added(countsOfFailures([failure, failure]), [started, other])).toEqual([
      { name: 'http://a.example', requests: 7, failures: { timeout: 3, behind: 2 } },
      other,
    ])
  })
})
