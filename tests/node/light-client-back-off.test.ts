/** When an endpoint that failed is asked again. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Endpoint } from '../../dist/beacon/endpoint.js'
import { BeaconFailure, BeaconUnavailableError, type FailureKind } from '../../dist/beacon/failure.js'
import { Clock } from '../../dist/light-client/clock.js'
import { follow } from '../../dist/light-client/follow.js'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
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
    const [old, news] = ['0x01', '0x02'].map((root) => ({ root }))
    const polls: number[] = []
    const followed = {
      clock: new Clock(network as never, () => performance.now()),
      ...{ finalized: old, optimistic: old },
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
})
