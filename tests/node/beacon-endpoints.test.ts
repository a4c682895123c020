/** How long endpoints may take, asked one after the other or together. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../../dist/beacon/endpoint.js'
import { BeaconEndpoints } from '../../dist/beacon/endpoints.js'
import { BeaconFailure, BeaconUnavailableError } from '../../dist/beacon/failure.js'
import type { BeaconAnswer } from '../../dist/beacon/request.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** What an endpoint says, and after how long; status 200 unless it has another. */
interface Said {
  readonly text: string
  readonly afterMs: number
  readonly status?: number
}
type Says = Readonly<Record<string, Said>>

function endpointsThat(says: Says, asked: string[] = []): BeaconEndpoints {
  return new BeaconEndpoints(
    Object.keys(says).map((name) => new URL(`http://${name}.example`)),
    {
      fetch: async (url, { signal }) => {
        const name = new URL(url).hostname.split('.')[0]!
        asked.push(name)
        signal?.addEventListener('abort', () => asked.push(`${name} aborted`))
        const { text, afterMs, status = 200 } = says[name]!
        await new Promise((resolve) => setTimeout(resolve, afterMs))
        return new Response(text, { status })
      },
      ...{ timeoutMs: 10_000, now: () => 0, random: () => 0 },
    },
  )
}

const route = { path: '/eth/', maxBytes: 100 }
const textOf = ({ body }: BeaconAnswer): string => new TextDecoder().decode(body)

/** What each was found to say; `enough`: of which text there need be no other. */
async function askAll(says: Says, enough: string): Promise<Record<string, string>> {
  const endpoints = endpointsThat(says)
  const test = async (answer: BeaconAnswer): Promise<string> => textOf(answer)
  const isEnough = (replies: readonly Reply<string>[]): boolean =>
    replies.some((reply) => 'value' in reply && reply.value === enough)
  const replies = endpoints.several(route, test, isEnough)
  await vi.advanceTimersByTimeAsync(30_000)
  return Object.fromEntries(
    (await replies).map((reply) => [
      new URL(reply.endpoint.name).hostname.split('.')[0]!,
      'value' in reply ? reply.value : reply.failure.kind,
    ]),
  )
}

const old = { text: 'old', afterMs: 0 }

describe('endpoints that are asked together', () => {
  it('are waited for in full while what is known is not enough, whether asked at first or with all others', async () => {
    const slow = { text: 'new', afterMs: 9_000 }
    const known = { old1: 'old', old2: 'old', slow: 'new' }
    expect(await askAll({ old1: old, old2: old, slow }, 'new')).toEqual(known)
    const crowd = { old1: old, old2: old, old3: old, old4: old, old5: old, slow }
    const all = { ...known, old3: 'old', old4: 'old', old5: 'old' }
    expect(await askAll(crowd, 'new')).toEqual(all)
  })

  it('have two seconds from when it is', async () => {
    const quick = { text: 'new', afterMs: 1_000 }
    const slow = { text: 'new', afterMs: 2_900 }
    const slower = { text: 'new', afterMs: 3_100 }
    const known = { old: 'old', quick: 'new', slow: 'new', slower: 'timeout' }
    expect(await askAll({ old, quick, slow, slower }, 'new')).toEqual(known)
  })
})

describe('one answer, of whoever has it first', () => {
  const silent = { text: '', afterMs: 60_000 }

  /** What was said, after how many milliseconds, and what was asked and aborted until then. */
  async function askOneOf(
    says: Says,
    test: (answer: BeaconAnswer) => Promise<string> = async (answer) => textOf(answer),
    untilMs = 120_000,
  ): Promise<{ said: string; afterMs: number; asked: string[]; endpoints: BeaconEndpoints; told: string[] }> {
    const [asked, told]: string[][] = [[], []]
    const endpoints = endpointsThat(says, asked)
    const start = performance.now()
    const answer = endpoints.first(route, test, undefined, (endpoint, { kind }) =>
      told!.push(`${endpoint.name} ${kind}`),
    )
    let afterMs = 0
    void answer.then(() => (afterMs = performance.now() - start))
    await vi.advanceTimersByTimeAsync(untilMs)
    return { said: await answer, afterMs, asked: asked!, endpoints, told: told! }
  }

  it('takes as many seconds as there are silent endpoints before an honest one, not their timeouts', async () => {
    const says = { a: silent, b: silent, c: silent, d: { text: 'yes', afterMs: 100 } }
    const { said, afterMs, asked, endpoints, told } = await askOneOf(says, undefined, 3_100)
    expect(said).toBe('yes')
    expect(afterMs).toBe(3_100)
    expect(asked.slice(0, 4)).toEqual(['a', 'b', 'c', 'd'])
    expect(asked.slice(4).sort()).toEqual(['a aborted', 'b aborted', 'c aborted', 'd aborted'])
    // What each did is said of each: three of them were silent for so long, and not for the whole timeout.
    expect(told).toEqual(['a', 'b', 'c'].map((name) => `http://${name}.example timeout`))
    const reports = endpoints.report()
    expect(reports.map(({ answers, failures }) => [answers, failures.timeout ?? 0])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0],
    ])
    expect(reports.map(({ lastFailure }) => lastFailure?.detail)).toEqual([
      'no complete answer in 3100 ms, when another endpoint had one',
      'no complete answer in 2100 ms, when another endpoint had one',
      'no complete answer in 1100 ms, when another endpoint had one',
      undefined,
    ])
    // The next request goes to the one that answers.
    asked.length = 0
    const next = endpoints.first(route, async (answer) => textOf(answer))
    await vi.advanceTimersByTimeAsync(200)
    expect(await next).toBe('yes')
    expect(asked.filter((entry) => !entry.includes('aborted'))).toEqual(['d'])
  })

  it.each([
    ['that never answered', []],
    // Who was never asked is asked first; then the quicker one.
    ['that answered before it fell silent, quicker than the other', [10, 100, 10]],
  ])('is asked of a good endpoint before one %s, though its back-off is over', async (_name, before) => {
    const asked: string[] = []
    const says = { a: { text: 'yes', afterMs: 10 }, b: { text: 'yes', afterMs: 100 } }
    const manners: Record<string, { text: string; afterMs: number }> = { ...says }
    const endpoints = endpointsThat(manners, asked)
    const ask = async (): Promise<number> => {
      const start = performance.now()
      const answer = endpoints.first(route, async (said) => textOf(said)).then(() => performance.now())
      await vi.advanceTimersByTimeAsync(5_000)
      return (await answer) - start
    }
    for (const ms of before) expect(await ask()).toBe(ms)
    manners['a'] = silent
    expect(await ask()).toBe(1_100)
    // The back-off of one failure is half a second here, and five have passed.
    expect(endpoints.report()).toMatchObject([{ state: 'good' }, { state: 'good' }])
    asked.length = 0
    for (let round = 0; round < 3; round++) expect(await ask()).toBe(100)
    expect(asked).not.toContain('a')
    // It is not given up: where the good one fails, it is asked.
    manners['a'] = says.a
    manners['b'] = silent
    expect(await ask()).toBe(1_010)
    expect(await ask()).toBe(10)
  })

  it.each([404, 400, 405])(
    'is asked of a good endpoint before one that was quick, and took its time to say %i since',
    async (status) => {
      const asked: string[] = []
      const yes = { text: 'yes', afterMs: 10 }
      const manners: Record<string, Said> = { a: yes, b: { ...yes, afterMs: 100 } }
      const endpoints = endpointsThat(manners, asked)
      /** Who is asked so many times, in order. */
      const ask = async (times: number): Promise<string[]> => {
        const all: string[] = []
        for (let round = 0; round < times; round++) {
          asked.length = 0
          const answer = endpoints.first(route, async (said) => textOf(said)).catch(() => 'nothing')
          await vi.advanceTimersByTimeAsync(5_000)
          await answer
          all.push(asked.filter((entry) => !entry.includes('aborted')).join(' '))
        }
        return all
      }
      expect(await ask(3)).toEqual(['a', 'b', 'a'])
      // That it has nothing may be so, and costs little where it is said at once.
      manners['a'] = { ...yes, afterMs: 20, status }
      expect(await ask(3)).toEqual(['a b', 'a b', 'a b'])
      // It makes nobody quicker than answers did.
      manners['b'] = { ...yes, afterMs: 1, status }
      expect(await ask(20)).toEqual(Array(20).fill('a b'))
      manners['b'] = { ...yes, afterMs: 100 }
      manners['a'] = { ...yes, afterMs: 950, status }
      expect(await ask(3)).toEqual(['a b', 'b', 'b'])
    },
  )

  it('is asked of a good endpoint before one that has refused all requests so far', async () => {
    const asked: string[] = []
    const endpoints = new BeaconEndpoints(
      ['a', 'b'].map((name) => new URL(`http://${name}.example`)),
      {
        fetch: async (url) => {
          asked.push(new URL(url).hostname[0]!)
          return new Response('yes', { status: asked.at(-1) === 'a' ? 404 : 200 })
        },
        ...{ timeoutMs: 10_000, now: () => 0, random: () => 0 },
      },
    )
    for (let round = 0; round < 3; round++)
      expect(await endpoints.first(route, async (said) => textOf(said))).toBe('yes')
    expect(asked).toEqual(['a', 'b', 'b', 'b'])
  })

  it('is asked of one alone while that answers within a second, and of the next at once where one fails', async () => {
    const quick = { text: 'yes', afterMs: 900 }
    expect((await askOneOf({ a: quick, b: silent })).asked).toEqual(['a', 'a aborted'])
    let tests = 0
    const test = async (answer: BeaconAnswer): Promise<string> => {
      if (tests++ === 0) throw new BeaconFailure('malformed', 'no')
      return textOf(answer)
    }
    const { afterMs, endpoints } = await askOneOf({ a: quick, b: quick }, test)
    expect(afterMs).toBe(1_800)
    expect(endpoints.report().map(({ failures }) => failures)).toEqual([{ malformed: 1 }, {}])
  })

  it('counts nothing against an endpoint that was asked later than the one that answered', async () => {
    const says = { a: { text: 'yes', afterMs: 1_500 }, b: silent }
    const { afterMs, asked, endpoints } = await askOneOf(says, undefined, 1_600)
    expect(afterMs).toBe(1_500)
    // At once, not at the end of its own timeout.
    expect(asked).toContain('b aborted')
    const [a, b] = endpoints.report()
    expect([a?.answers, a?.failures]).toEqual([1, {}])
    expect([b?.requests, b?.answers, b?.failures, b?.state]).toEqual([1, 0, {}, 'good'])
  })

  it('counts nothing against an endpoint whose answer came while a later one’s was being tested', async () => {
    const test = async (answer: BeaconAnswer): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      return textOf(answer)
    }
    const says = { a: { text: 'a', afterMs: 1_600 }, b: { text: 'b', afterMs: 100 } }
    const { said, afterMs, endpoints, told } = await askOneOf(says, test)
    expect([said, afterMs, told]).toEqual(['b', 3_100, []])
    expect(endpoints.report().map(({ failures }) => failures)).toEqual([{}, {}])
  })

  it('tests no answer that waits for its turn once whoever asked has gone', async () => {
    const controller = new AbortController()
    const tested: string[] = []
    const endpoints = endpointsThat({ a: { text: 'a', afterMs: 1_600 }, b: { text: 'b', afterMs: 100 } })
    const test = async (answer: BeaconAnswer): Promise<string> => {
      tested.push(textOf(answer))
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      throw new BeaconFailure('malformed', 'no')
    }
    const ended = expect(endpoints.first(route, test, controller.signal)).rejects.toBe('enough')
    await vi.advanceTimersByTimeAsync(2_000)
    controller.abort('enough')
    await vi.advanceTimersByTimeAsync(10_000)
    await ended
    expect(tested).toEqual(['b'])
  })

  it('asks nobody else while an answer is being tested, tests one at a time, and none after one that stands', async () => {
    let under = 0
    const tested: string[] = []
    const test = async (answer: BeaconAnswer): Promise<string> => {
      expect(++under).toBe(1)
      tested.push(textOf(answer))
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      under--
      return textOf(answer)
    }
    const says = {
      a: { text: 'a', afterMs: 1_500 },
      b: { text: 'b', afterMs: 600 },
      c: { text: 'c', afterMs: 100 },
    }
    const { said, asked, endpoints } = await askOneOf(says, test)
    expect([said, tested]).toEqual(['a', ['a']])
    expect(asked.filter((entry) => !entry.includes('aborted'))).toEqual(['a', 'b'])
    expect(endpoints.report().map(({ answers, failures }) => [answers, failures])).toEqual([
      [1, {}],
      [0, {}],
      [0, {}],
    ])
  })

  it('ends with the signal, whoever is being asked, and with what a test throws that is not about an endpoint', async () => {
    const controller = new AbortController()
    const asked: string[] = []
    const endpoints = endpointsThat({ a: silent, b: silent, c: silent }, asked)
    const answer = endpoints.first(route, async (said) => textOf(said), controller.signal)
    const ended = expect(answer).rejects.toBe('enough')
    await vi.advanceTimersByTimeAsync(1_500)
    controller.abort('enough')
    await ended
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toEqual(['a', 'b', 'a aborted', 'b aborted'])
    expect(endpoints.report().map(({ failures }) => failures)).toEqual([{}, {}, {}])
    const broken = endpointsThat({ a: { text: 'a', afterMs: 0 }, b: silent })
    const thrown = expect(broken.first(route, () => Promise.reject(new RangeError('ours')))).rejects.toThrow(
      'ours',
    )
    await vi.advanceTimersByTimeAsync(10)
    await thrown
  })
})

describe('an endpoint that says when to ask it again', () => {
  /** When it is to be asked again, in seconds or as a date; the status that says no more; or the answer. */
  type Step = { readonly again: number | string } | 500 | 'yes'

  /** What comes of one question, after how many milliseconds, and when each endpoint was asked; the last step goes on for ever. */
  async function askThose(
    says: Readonly<Record<string, readonly Step[]>>,
    signal?: AbortSignal,
  ): Promise<{ said: string; afterMs: number; asked: Record<string, number[]> }> {
    const start = performance.now()
    const asked: Record<string, number[]> = Object.fromEntries(Object.keys(says).map((name) => [name, []]))
    const endpoints = new BeaconEndpoints(
      Object.keys(says).map((name) => new URL(`http://${name}.example`)),
      {
        fetch: async (url) => {
          const name = new URL(url).hostname.split('.')[0]!
          const steps = says[name]!
          asked[name]!.push(performance.now() - start)
          const step = steps[Math.min(asked[name]!.length, steps.length) - 1]!
          if (step === 'yes') return new Response(step)
          if (step === 500) return new Response('', { status: 500 })
          return new Response('', { status: 429, headers: { 'retry-after': String(step.again) } })
        },
        ...{ timeoutMs: 10_000, now: () => 0, random: () => 0 },
      },
    )
    let afterMs = Infinity
    const answer = endpoints
      .first(route, async (said) => textOf(said), signal)
      .catch((error: unknown) => (error instanceof BeaconUnavailableError ? 'nothing' : String(error)))
      .finally(() => (afterMs = performance.now() - start))
    await vi.advanceTimersByTimeAsync(120_000)
    return { said: await answer, afterMs, asked }
  }

  it('is asked then, and no sooner', async () => {
    const known = { said: 'yes', afterMs: 2_000, asked: { a: [0, 2_000] } }
    expect(await askThose({ a: [{ again: 2 }, 'yes'] })).toEqual(known)
    // Of two, the one that can be asked first.
    expect(await askThose({ a: [{ again: 9 }, 'yes'], b: [{ again: 2 }, 'yes'] })).toEqual({
      ...known,
      asked: { a: [0], b: [0, 2_000] },
    })
  })

  it('may say it as a date, by the clock that is given', async () => {
    const again = new Date(2_000).toUTCString()
    const known = { said: 'yes', afterMs: 2_000, asked: { a: [0, 2_000] } }
    expect(await askThose({ a: [{ again }, 'yes'] })).toEqual(known)
  })

  it('is not waited for where that is longer than an answer may take', async () => {
    const known = { said: 'nothing', afterMs: 0, asked: { a: [0] } }
    expect(await askThose({ a: [{ again: 11 }, 'yes'] })).toEqual(known)
  })

  it('is left alone until then by the next question, too, where that is longer than an answer may take', async () => {
    const asked: string[] = []
    const urls = ['a', 'b'].map((name) => new URL(`http://${name}.example`))
    let isDown = true
    const endpoints = new BeaconEndpoints(urls, {
      fetch: async (url) => {
        const name = new URL(url).hostname.split('.')[0]!
        asked.push(name)
        if (name === 'a') return new Response('', { status: 429, headers: { 'retry-after': '60' } })
        return new Response('yes', { status: isDown ? 404 : 200 })
      },
      ...{ timeoutMs: 10_000, now: () => 0, random: () => 0 },
    })
    const question = () => endpoints.first(route, async (said) => textOf(said))
    const kinds = [
      { endpoint: 'http://a.example', kind: 'rate-limited' },
      { endpoint: 'http://b.example', kind: 'not-found' },
    ]
    for (let round = 0; round < 2; round++) {
      const error: unknown = await question().catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        failures: expect.arrayContaining(
          kinds.map((kind) => expect.objectContaining(kind) as unknown),
        ) as unknown,
      })
    }
    expect(asked).toEqual(['a', 'b', 'b'])
    isDown = false
    expect(await question()).toBe('yes')
    expect(asked).toEqual(['a', 'b', 'b', 'b'])
    // A part of the time is left that can be waited for.
    vi.advanceTimersByTime(55_000)
    isDown = true
    const late = question().catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await late).toBeInstanceOf(BeaconUnavailableError)
    expect(asked.filter((name) => name === 'a').length).toBeGreaterThan(1)
  })

  it('holds up no other, and is asked when those that can be asked sooner have failed as often as they may', async () => {
    const a = [{ again: 5 }, 'yes'] as const
    expect(await askThose({ a, b: [500, 500, 'yes'] })).toEqual({
      ...{ said: 'yes', afterMs: 600, asked: { a: [0], b: [0, 200, 600] } },
    })
    expect(await askThose({ a, b: [500] })).toEqual({
      ...{ said: 'yes', afterMs: 5_000, asked: { a: [0, 5_000], b: [0, 200, 600] } },
    })
  })

  it('is asked three times in all', async () => {
    const asked = [0, 1_000, 2_000]
    expect(await askThose({ a: [{ again: 1 }] })).toEqual({
      said: 'nothing',
      afterMs: 2_000,
      asked: { a: asked },
    })
  })

  it('is waited for until whoever asked has gone', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'), 700)
    const known = { said: 'enough', afterMs: 700, asked: { a: [0] } }
    expect(await askThose({ a: [{ again: 2 }, 'yes'] }, controller.signal)).toEqual(known)
  })
})
