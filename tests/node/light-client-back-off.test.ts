/** When an endpoint that failed is asked again. */
import type { LightClientReport } from 'blobcheck/light-client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Endpoint } from '../../dist/beacon/endpoint.js'
import { BeaconFailure, BeaconUnavailableError, type FailureKind } from '../../dist/beacon/failure.js'
import { Clock } from '../../dist/light-client/clock.js'
import { follow } from '../../dist/light-client/follow.js'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { type BeaconServer, type Manner, plainly } from '../support/beacon-server.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'
import { VirtualTime } from '../support/virtual-time.ts'

describe('an endpoint that fails', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  const endpoint = (random: number): Endpoint => {
    const terms = {
      fetch: () => Promise.reject(new Error()),
      timeoutMs: 1,
      now: () => 0,
      random: () => random,
    }
    return new Endpoint('a', new URL('http://a.example'), terms)
  }
  /** How long it waits, to the millisecond; up to ten minutes. */
  const waits = (one: Endpoint): number => {
    for (let ms = 0; ms < 600_000; ms++) {
      if (one.state !== 'waiting') return ms
      vi.advanceTimersByTime(1)
    }
    return Infinity
  }

  it('waits for twice as long each time, up to five minutes, until an answer is used', () => {
    const one = endpoint(1)
    const times = Array.from({ length: 11 }, () => {
      one.failed(new BeaconFailure('network', ''))
      return waits(one)
    })
    expect(times).toEqual([...Array.from({ length: 9 }, (_, at) => 1_000 * 2 ** at), 300_000, 300_000])
    one.failed(new BeaconFailure('timeout', ''))
    one.succeeded()
    expect(one.state).toBe('good')
    one.failed(new BeaconFailure('timeout', ''))
    expect(waits(one)).toBe(1_000)
  })

  it('waits for a random part of that, no less than half', () => {
    const one = endpoint(0)
    one.failed(new BeaconFailure('server-error', ''))
    expect(waits(one)).toBe(500)
  })

  it('waits for as long as it asks for, if that is longer', () => {
    const one = endpoint(1)
    one.failed(new BeaconFailure('rate-limited', '', { retryAfterMs: 7_000 }))
    expect(waits(one)).toBe(7_000)
  })

  it.each<FailureKind>(['behind', 'ahead', 'not-found', 'few-signatures', 'crashed'])(
    'does not wait for what the next question may answer: %s',
    (kind) => {
      const one = endpoint(1)
      one.failed(new BeaconFailure(kind, ''))
      expect(one.state).toBe('good')
    },
  )

  it('is not trusted for an hour where what it said was false', () => {
    const one = endpoint(1)
    one.failed(new BeaconFailure('invalid', ''))
    vi.advanceTimersByTime(3_599_999)
    expect(one.state).toBe('distrusted')
    vi.advanceTimersByTime(1)
    expect(one.state).toBe('good')
  })
})

describe('an endpoint that asks to be left alone', () => {
  let chain: Chain
  beforeAll(() => {
    chain = makeChain({ periods: 1 })
  })

  it.each([
    [429, 'rate-limited'],
    [503, 'server-error'],
  ] as const)('with %i is asked once, and then no more while another answers', async (status, kind) => {
    const busy = await startServer(chain.oracle(), (_said, _request, response) => {
      response.writeHead(status, { 'retry-after': '3600' }).end()
    })
    await expect(startClient(chain, busy.url)).rejects.toMatchObject({ failures: [{ kind }] })
    expect(busy.asked).toHaveLength(1)
    const honest = await startServer(chain.oracle())
    const client = await startClient(chain, [busy.url, honest.url])
    expectHead(await client.sync(), chain)
    await client.sync()
    expect(busy.asked).toHaveLength(2)
    const [report] = client.report().endpoints
    expect(report).toMatchObject({ state: 'waiting', requests: 1, failures: { [kind]: 1 } })
  })
})

/** What a server does in place of an answer. */
const slips: Readonly<Record<string, Manner>> = {
  'a status of 503': (_said, _request, response) => void response.writeHead(503).end(),
  'a request to come again in a second': (_said, _request, response) =>
    void response.writeHead(429, { 'retry-after': '1' }).end(),
  'a connection that is cut': (_said, _request, response) => void response.destroy(),
  'half an answer': ({ body, headers }, _request, response) => {
    response.writeHead(200, { ...headers, 'content-length': String(body.length) })
    response.write(body.slice(0, 100), () => response.destroy())
  },
}

describe.each(['finality', 'optimistic'])('the question for the newest header, %s', (stage) => {
  const path = `/eth/v1/beacon/light_client/${stage}_update`
  let chain: Chain
  beforeAll(() => {
    chain = makeChain({ periods: 1 })
  })

  /** A server that does as a manner has it for so many questions of this kind, and is honest after that. */
  async function failing(manner: Manner, times: number): Promise<BeaconServer> {
    let count = 0
    return await startServer(chain.oracle(), (said, request, response) => {
      if (request.url === path && count++ < times) manner(said, request, response)
      else plainly(said, request, response)
    })
  }
  /** A few slots without a block after the head: what the other question leads to is not fresh, either. */
  const later = (): number => chain.now() + 5 * 12_000
  const countOf = ({ asked }: BeaconServer): number => asked.filter((one) => one.path === path).length

  it.each(Object.keys(slips))('is asked again after %s', async (name) => {
    const server = await failing(slips[name]!, 1)
    const client = await startClient(chain, server.url, { now: later })
    expectHead(await client.sync(), chain)
    expect(countOf(server)).toBe(2)
  })

  it('is asked three times, and no old header is passed off as the newest', async () => {
    const server = await failing(slips['a status of 503']!, 3)
    const client = await startClient(chain, server.url, { now: later })
    const error: unknown = await client.sync().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BeaconUnavailableError)
    const kind = stage === 'finality' ? 'finalized' : 'optimistic'
    const lag = client.report().currentSlot - client[kind].slot
    expect(error).toMatchObject({
      failures: [{ endpoint: server.url, kind: 'server-error' }],
      message: expect.stringMatching(
        new RegExp(`; the newest ${kind} header that is known is ${lag} slots behind the clock$`),
      ) as unknown,
    })
    expect(countOf(server)).toBe(3)
    // What the other question led to stays, and the next synchronisation has both.
    const other = stage === 'finality' ? 'optimistic' : 'finalized'
    expect(client[other].slot).toBe(chain[other].slot)
    expectHead(await client.sync(), chain)
  })

  it('may be without an answer where what is known is fresh', async () => {
    const server = await failing(slips['a status of 503']!, Infinity)
    const honest = await startServer(chain.oracle())
    const client = await startClient(chain, [server.url, honest.url])
    await client.sync()
    await honest.close()
    expectHead(await client.sync(), chain)
  })

  it.each(Object.keys(slips))('is asked once where what is known is fresh: %s', async (name) => {
    let isFailing = false
    const server = await startServer(chain.oracle(), (said, request, response) => {
      if (isFailing && request.url === path) slips[name]!(said, request, response)
      else plainly(said, request, response)
    })
    const client = await startClient(chain, server.url)
    const requestsOf = ({ endpoints }: LightClientReport): number => endpoints[0]!.requests
    const before = requestsOf(await client.sync())
    isFailing = true
    const report = await client.sync()
    expectHead(report, chain)
    // One for each of the two headers; `fetch` itself may send one again where a connection that was used before is cut.
    expect(requestsOf(report) - before).toBe(2)
  })

  describe('beside another endpoint that says what nobody verifies', () => {
    /** A server that has nothing newer, by its own word. */
    async function lying(kind: 'few-signatures' | 'behind'): Promise<BeaconServer> {
      const most = Array.from({ length: 171 }, (_, at) => at)
      const { finality, optimisticUpdate, updates } = chain
      const [old] = updates
      const few = chain.sign(optimisticUpdate.attested, null, most).update
      const lies =
        kind === 'behind'
          ? { finality: old, optimistic: old }
          : { finality: { ...finality, syncAggregate: few.syncAggregate }, optimistic: few }
      return await startServer(chain.oracle(lies))
    }

    it.each(['few-signatures', 'behind'] as const)('is asked again: %s', async (kind) => {
      const [liar, server] = [await lying(kind), await failing(slips['a status of 503']!, 1)]
      const client = await startClient(chain, [liar.url, server.url], { now: later })
      const report = await client.sync()
      expectHead(report, chain)
      expect(report.endpoints[0]!.failures).toMatchObject({ [kind]: expect.any(Number) as unknown })
      expect(countOf(server)).toBe(2)
    })

    it.each(['few-signatures', 'behind'] as const)(
      'is without an answer where who may know better was not heard: %s',
      async (kind) => {
        const [liar, server] = [await lying(kind), await failing(slips['a status of 503']!, 3)]
        const client = await startClient(chain, [liar.url, server.url], { now: later })
        const kinds = [kind, 'server-error']
        const error: unknown = await client.sync().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(BeaconUnavailableError)
        expect((error as BeaconUnavailableError).failures.map((one) => one.kind).sort()).toEqual(kinds.sort())
        expectHead(await client.sync(), chain)
      },
    )

    it.each(['few-signatures', 'behind'] as const)(
      'has an answer where all say so, and each is asked once: %s',
      async (kind) => {
        const servers = [await lying(kind), await lying(kind)]
        const client = await startClient(
          chain,
          servers.map(({ url }) => url),
          { now: later },
        )
        await client.sync()
        expect(servers.map(countOf)).toEqual([1, 1])
      },
    )
  })

  it('is not asked again where nothing passes', async () => {
    const server = await failing((_said, _request, response) => void response.writeHead(404).end(), 1)
    const client = await startClient(chain, server.url, { now: later })
    await expect(client.sync()).rejects.toMatchObject({ failures: [{ kind: 'not-found' }] })
    expect(countOf(server)).toBe(1)
  })
})

describe('an endpoint that asks to be left alone for longer than an answer may take, when it is asked for the newest headers', () => {
  let chain: Chain
  beforeAll(() => {
    chain = makeChain({ periods: 1 })
  })
  const busy = async (): Promise<BeaconServer> =>
    await startServer(chain.oracle(), (said, request, response) => {
      const isNewest = /(finality|optimistic)_update/.test(request.url!)
      if (isNewest) response.writeHead(429, { 'retry-after': '3600' }).end()
      else plainly(said, request, response)
    })

  it('is, and the error says so', async () => {
    const server = await busy()
    const client = await startClient(chain, server.url)
    const failure = { endpoint: server.url, kind: 'rate-limited', detail: expect.stringContaining('3600 s') }
    for (let round = 0; round < 2; round++)
      await expect(client.sync()).rejects.toMatchObject({ failures: [failure, failure] })
    expect(server.asked.filter(({ path }) => path.endsWith('_update'))).toHaveLength(1)
  })

  it('is, while another one is asked', async () => {
    const [one, other] = [await busy(), await startServer(chain.oracle())]
    const client = await startClient(chain, [one.url, other.url])
    expectHead(await client.sync(), chain)
    expectHead(await client.sync(), chain)
    expect(one.asked.filter(({ path }) => path.endsWith('_update'))).toHaveLength(1)
    await other.close()
    await expect(client.sync()).rejects.toMatchObject({
      failures: ['network', 'rate-limited', 'network', 'rate-limited'].map((kind) => ({ kind })),
    })
    expect(one.asked.filter(({ path }) => path.endsWith('_update'))).toHaveLength(1)
  })
})

describe('an endpoint that asks to be left alone for a moment', () => {
  it('is not waited for to say what is final while what is known is fresh', async () => {
    const chain = makeChain({ periods: 1 })
    let isBusy = false
    const server = await startServer(chain.oracle(), (said, request, response) => {
      if (isBusy && request.url!.includes('finality_update'))
        response.writeHead(429, { 'retry-after': '1' }).end()
      else plainly(said, request, response)
    })
    const client = await startClient(chain, server.url)
    await client.sync()
    isBusy = true
    expectHead(await client.sync(), chain)
    const stages = ['finality', 'optimistic', 'finality', 'optimistic']
    expect(server.asked.map(({ path }) => path).filter((path) => path.endsWith('_update'))).toEqual(
      stages.map((stage) => `/eth/v1/beacon/light_client/${stage}_update`),
    )
  })

  it('is waited for once the others have no answer', async () => {
    const chain = makeChain({ periods: 1 })
    let isBusy = true
    const oracle = chain.oracle()
    const one = await startServer(oracle, (said, request, response) => {
      if (!request.url!.includes('finality_update') || !isBusy) return plainly(said, request, response)
      isBusy = false
      response.writeHead(429, { 'retry-after': '2' }).end()
    })
    const down = await startServer((url) => (url.pathname.includes('_update') ? null : oracle(url)))
    const client = await startClient(chain, [one.url, down.url])
    expectHead(await client.sync(), chain)
    // In between it was left alone, though the other one had nothing.
    expect(one.asked.filter(({ path }) => path.endsWith('_update')).map(({ path }) => path)).toEqual(
      ['finality', 'finality', 'optimistic'].map((stage) => `/eth/v1/beacon/light_client/${stage}_update`),
    )
  })
})

describe('who follows a chain while all endpoints are down', () => {
  const time = new VirtualTime()
  afterEach(() => {
    time.end()
    vi.restoreAllMocks()
  })

  it('asks after twice as long each time, up to four slots, and learns soon that they are back', async () => {
    time.begin()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const network = { secondsPerSlot: 12, slotsPerEpoch: 32, genesisTime: 0, forkEpochs: {} }
    const [old, news] = ['0x01', '0x02'].map((root, slot) => ({ root, slot }))
    const polls: number[] = []
    const followed = {
      clock: new Clock(network as never, () => performance.now()),
      ...{ finalized: old, optimistic: old, waitMs: 0 },
      sync() {
        polls.push(performance.now())
        if (polls.length <= 9) return Promise.reject(new BeaconUnavailableError([]))
        followed.optimistic = news
        return Promise.resolve()
      },
    }
    const onError = vi.fn()
    const headers = follow(followed as never, { onError }, (error) => error instanceof BeaconUnavailableError)
    expect((await headers.next()).value).toBe(old)
    expect((await time.until(headers.next())).value).toBe(news)
    const slotsBetween = polls.slice(1).map((at, before) => (at - polls[before]!) / 12_000)
    expect(slotsBetween).toEqual([1, 2, 4, 4, 4, 4, 4, 4, 4])
    expect(onError).toHaveBeenCalledTimes(9)
  })

  it('asks no sooner than the first of them wants to be asked', async () => {
    time.begin()
    const network = { secondsPerSlot: 12, slotsPerEpoch: 32, genesisTime: 0, forkEpochs: {} }
    const polls: number[] = []
    const headers = [1, 2].map((slot) => ({ root: `0x0${slot}`, slot }))
    const followed = {
      clock: new Clock(network as never, () => performance.now()),
      ...{ finalized: headers[0], optimistic: headers[0], waitMs: 600_000 },
      sync() {
        polls.push(performance.now())
        if (polls.length === 1) return Promise.reject(new BeaconUnavailableError([]))
        followed.optimistic = headers[1]
        return Promise.resolve()
      },
    }
    const following = follow(followed as never, {}, (error) => error instanceof BeaconUnavailableError)
    await following.next()
    expect((await time.until(following.next())).value).toBe(headers[1])
    expect(polls[1]! - polls[0]!).toBe(600_000)
  })

  it('asks once in a slot while what it follows moves on, whatever else fails', async () => {
    time.begin()
    const network = { secondsPerSlot: 12, slotsPerEpoch: 32, genesisTime: 0, forkEpochs: {} }
    const polls: number[] = []
    const header = (slot: number) => ({ root: `0x${slot}`, slot })
    const followed = {
      clock: new Clock(network as never, () => performance.now()),
      ...{ finalized: header(0), optimistic: header(0), waitMs: 0 },
      sync() {
        polls.push(performance.now())
        followed.optimistic = header(polls.length)
        return Promise.reject(new BeaconUnavailableError([]))
      },
    }
    const following = follow(followed as never, {}, (error) => error instanceof BeaconUnavailableError)
    for (let slot = 1; slot <= 6; slot++)
      expect((await time.until(following.next())).value).toMatchObject({ slot })
    for (const [at, before] of polls.slice(2).map((one, i) => [one, polls[i + 1]!] as const))
      expect(at - before).toBe(12_000)
  })

  it('yields no header that is older than the one before', async () => {
    time.begin()
    const network = { secondsPerSlot: 12, slotsPerEpoch: 32, genesisTime: 0, forkEpochs: {} }
    const header = (slot: number) => ({ root: `0x${slot}`, slot })
    const said = [7, 3, 5, 8].map(header)
    const followed = {
      clock: new Clock(network as never, () => performance.now()),
      ...{ finalized: header(0), optimistic: header(0), waitMs: 0 },
      async sync() {
        followed.optimistic = said.shift() ?? followed.optimistic
      },
    }
    const following = follow(followed as never, {}, (error) => error instanceof BeaconUnavailableError)
    for (const slot of [7, 8]) expect((await time.until(following.next())).value).toMatchObject({ slot })
  })
})
