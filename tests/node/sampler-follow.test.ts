/** Following the chain slot by slot: nothing lost, nothing piled up, and an end without a bang. */
import type { FollowSlotsOptions, HeaderSource, SampledHeader } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Manner } from '../support/beacon-server.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnOracle } from '../support/column-oracle.ts'
import { blocksInARow, chainOf, collect, FIRST, followerFor, inSlot, sum } from '../support/following.ts'
import { range, turn, until } from '../support/make.ts'

let blocks: ColumnBlock[]
beforeAll(async () => {
  blocks = await blocksInARow()
})

describe('slots that are followed', () => {
  it.each([1, 2, 16])('are reported in order, %i at a time, with those in between', async (concurrency) => {
    const server = await startServer(columnOracle(blocks))
    // One is missing among the heads, and found; one slot is empty.
    const heads = [
      blocks[0]!,
      blocks[1]!,
      blocks[3]!,
      { ...blocks[5]!, slot: FIRST + 8, root: `0x${'77'.repeat(32)}` },
    ]
    const headers = chainOf(heads, blocks)
    const following = followerFor(blocks[0]!, server.url, {
      headers,
      target: { columns: 3 },
      allowMissing: 0,
    }).follow({ concurrency })
    const reports = await collect(following)
    expect(reports.map(({ slot, outcome }) => [slot - FIRST, outcome])).toEqual([
      ...range(6).map((at) => [at, 'available']),
      [6, 'no-block'],
      [7, 'no-block'],
      // Nobody knows that block: whether it has blobs is not known.
      [8, 'unknown'],
    ])
    expect(following.counters).toEqual({
      ...{ slots: 9, available: 6, noBlock: 2, unknown: 1 },
      ...{ noBlobs: 0, unavailable: 0, payloadNotRevealed: 0, missed: 0 },
    })
    expect(await following.next()).toEqual({ done: true, value: undefined })
  })

  it('are missed beyond what can be caught up with, and heads that are not newer are none', async () => {
    const server = await startServer(columnOracle(blocks))
    const heads = [blocks[0]!, { ...blocks[5]!, slot: FIRST + 5 }, blocks[2]!, blocks[5]!]
    const sampler = followerFor(blocks[0]!, server.url, {
      headers: chainOf(heads, blocks),
      target: { columns: 2 },
    })
    const following = sampler.follow({ catchUpSlots: 2 })
    const reports = await collect(following)
    expect(reports.map(({ outcome }) => outcome)).toEqual([
      ...['available', 'missed', 'available', 'available', 'available'],
    ])
    const unseen = reports.filter(({ report }) => report === null)
    expect(unseen.map(({ slot, lastSlot }) => [slot - FIRST, lastSlot - FIRST])).toEqual([[1, 2]])
    expect(following.counters).toMatchObject({ slots: 6, available: 4, missed: 2 })
  })

  it('are one run, where they are more than anybody could be told of, missed or empty', async () => {
    const server = await startServer(columnOracle(blocks))
    const far = { slot: FIRST + 1_000_000_000, root: `0x${'55'.repeat(32)}` }
    for (const [head, outcome, counter] of [
      [far, 'missed', 'missed'],
      [{ ...far, parent_root: blocks[0]!.root }, 'no-block', 'noBlock'],
    ] as const) {
      const headers: HeaderSource = {
        resolve: () => Promise.resolve({ status: 'no-block' }),
        async *headers() {
          yield await Promise.resolve({ root: blocks[0]!.root, slot: FIRST })
          yield head
        },
      }
      const sampler = followerFor(blocks[0]!, server.url, {
        ...{ headers, target: { columns: 2 }, now: inSlot(1_000_000_000) },
      })
      const following = sampler.follow({ catchUpSlots: 3 })
      const reports = await collect(following)
      expect(reports).toHaveLength(1 + 1 + 3 + 1)
      expect(reports[1]).toEqual({
        ...{ slot: FIRST + 1, lastSlot: far.slot - 4, again: false },
        ...{ outcome, report: null },
      })
      expect(following.counters.slots).toBe(1_000_000_001)
      expect(following.counters[counter]).toBeGreaterThanOrEqual(999_999_996)
      expect(sum(following.counters)).toBe(following.counters.slots)
    }
  })

  it('are not those that are still to come: such a header is passed over, and told of', async () => {
    const server = await startServer(columnOracle(blocks))
    const lies = [Number.MAX_SAFE_INTEGER, FIRST + 5].map((slot) => ({ ...blocks[5]!, slot }))
    const told: string[] = []
    const sampler = followerFor(blocks[0]!, server.url, {
      ...{ headers: chainOf([lies[0]!, blocks[0]!, ...lies, blocks[1]!, blocks[4]!]), now: inSlot(3) },
      target: { columns: 2 },
    })
    const following = sampler.follow({
      catchUpSlots: 0,
      onError({ message }) {
        told.push(message)
        throw new Error('a listener of one’s own')
      },
    })
    const reports = await collect(following)
    // The next slot may have begun by another honest clock.
    expect(reports.map(({ slot, outcome }) => [slot - FIRST, outcome])).toEqual([
      [0, 'available'],
      [1, 'available'],
      [2, 'missed'],
      [4, 'available'],
    ])
    expect(told).toEqual([
      ...[lies[0]!, ...lies].map(
        ({ slot }) => `a header of slot ${slot}, where by the clock it is slot ${FIRST + 3}`,
      ),
    ])
  })

  it.each<[string, (at: number) => SampledHeader]>([
    ['headers that are not newer', () => blocks[0]!],
    ['headers from the future', () => ({ ...blocks[0]!, slot: FIRST + 1e9 })],
    [
      'empty slots',
      (at) => {
        const child = { slot: FIRST + 3e6, root: `0x${'66'.repeat(32)}`, parent_root: blocks[0]!.root }
        return at === 0 ? { root: blocks[0]!.root, slot: FIRST } : child
      },
    ],
  ])('leave timers and signals their turn, whatever the flood: %s', async (_name, head) => {
    const server = await startServer(columnOracle(blocks))
    const controller = new AbortController()
    let pulled = 0
    const headers: HeaderSource = {
      resolve: () => Promise.resolve({ status: 'no-block' }),
      async *headers() {
        // Ends by itself at last, so that a failure is no hang.
        while (pulled < 1e6) yield await Promise.resolve(head(pulled++))
      },
    }
    const sampler = followerFor(blocks[0]!, server.url, { headers, now: inSlot(1e8), target: { columns: 2 } })
    const following = sampler.follow({ catchUpSlots: 1e9, signal: controller.signal })
    const leave = (): unknown => setTimeout(() => controller.abort(), 20)
    // Once there is nothing to wait for but the flood.
    let seen = 0
    if (head(1).slot !== FIRST + 3e6) leave()
    for await (const _report of following) if (++seen === 2) leave()
    expect(controller.signal.aborted).toBe(true)
    expect(pulled).toBeLessThan(1e6)
    expect(following.counters.slots).toBeLessThan(3e6)
  })

  it('between a block and its child are empty, and nobody is asked', async () => {
    const server = await startServer(columnOracle(blocks))
    const child = { ...blocks[4]!, parent_root: blocks[0]!.root }
    const headers: HeaderSource = {
      resolve: () => Promise.reject(new Error('not to be asked')),
      async *headers() {
        yield await Promise.resolve({ root: blocks[0]!.root, slot: blocks[0]!.slot })
        yield { root: child.root, slot: child.slot, parent_root: child.parent_root } as SampledHeader
      },
    }
    const reports = await collect(
      followerFor(blocks[0]!, server.url, { headers, target: { columns: 2 } }).follow(),
    )
    expect(reports.map(({ outcome }) => outcome)).toEqual([
      'available',
      ...['no-block', 'no-block', 'no-block'],
      'available',
    ])
  })

  it('whose header cannot be looked up are missed, and the next one is not', async () => {
    const server = await startServer(columnOracle(blocks))
    const source = chainOf([blocks[0]!, blocks[2]!])
    const cases: [resolve: HeaderSource['resolve'], detail: string | undefined, terms: FollowSlotsOptions][] =
      [
        [() => Promise.reject(new Error('out of order')), undefined, {}],
        // What the platform's `fetch` rejects with where there is no network: not misuse, for all its class.
        [() => Promise.reject(new TypeError('fetch failed')), undefined, {}],
        [() => Promise.resolve({ status: 'unknown', detail: 'no idea' }), 'no idea', {}],
        [() => new Promise<never>(() => {}), 'the header could not be had in time', { deadlineMs: 2_000 }],
      ]
    for (const [resolve, detail, terms] of cases) {
      const headers = { resolve, headers: () => source.headers!({}) }
      const sampler = followerFor(blocks[0]!, server.url, { headers, target: { columns: 2 } })
      const reports = await collect(sampler.follow(terms))
      expect(reports.map(({ outcome }) => outcome)).toEqual(['available', 'missed', 'available'])
      expect(reports[1]!.report?.detail).toBe(detail)
    }
  })

  it('end with a source that gives what is no header', async () => {
    const server = await startServer(columnOracle(blocks))
    for (const header of [undefined, null, { slot: FIRST + 1 }, { root: '0x12', slot: FIRST + 1 }]) {
      const headers = {
        resolve: () => Promise.resolve({ status: 'found', header } as never),
        headers: () => chainOf([blocks[0]!, blocks[2]!]).headers!({}),
      }
      const sampler = followerFor(blocks[0]!, server.url, { headers, target: { columns: 2 } })
      await expect(collect(sampler.follow())).rejects.toThrow(TypeError)
      await expect(sampler.sampleBlock(FIRST + 1)).rejects.toThrow(TypeError)
    }
  })

  it('are not begun while nobody asks', async () => {
    const server = await startServer(columnOracle(blocks))
    const headers = chainOf(blocks)
    const following = followerFor(blocks[0]!, server.url, { headers, target: { columns: 2 } }).follow({
      concurrency: 2,
    })
    await turn(50)
    expect(headers.pulled).toBe(0)
    await following.next()
    await turn(200)
    // One reported on, two that may be under way, and one that waits for its turn.
    expect(headers.pulled).toBeLessThanOrEqual(4)
    expect(new Set(server.asked.map(({ path }) => path.split('?')[0])).size).toBeLessThanOrEqual(3)
    expect(following.counters).toMatchObject({ slots: 1, available: 1 })
    expect(await collect(following)).toHaveLength(5)
  })
})

describe('the end', () => {
  const hanging: Manner = (_said, _request, response) => void response.flushHeaders()

  it('comes with the signal, gracefully, whatever is under way', async () => {
    const server = await startServer(columnOracle(blocks), hanging)
    const controller = new AbortController()
    const following = followerFor(blocks[0]!, server.url, { headers: chainOf(blocks) }).follow({
      signal: controller.signal,
    })
    const reports = collect(following)
    await until(() => server.asked.length > 0)
    controller.abort()
    expect(await reports).toEqual([])
    expect(following.counters.slots).toBe(0)
    const late = followerFor(blocks[0]!, server.url, { headers: chainOf(blocks) }).follow({
      signal: controller.signal,
    })
    expect(await collect(late)).toEqual([])
  })

  it('comes while the next head is waited for, and from a source that knows no signals', async () => {
    const server = await startServer(columnOracle(blocks))
    const controller = new AbortController()
    const headers: HeaderSource = {
      resolve: () => Promise.resolve({ status: 'no-block' }),
      async *headers() {
        yield await Promise.resolve(blocks[0]!)
        await new Promise(() => {})
      },
    }
    const sampler = followerFor(blocks[0]!, server.url, { headers, target: { columns: 2 } })
    const following = sampler.follow({ signal: controller.signal })
    expect((await following.next()).value?.outcome).toBe('available')
    const waiting = following.next()
    controller.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('comes with a break, and with what the source throws', async () => {
    const server = await startServer(columnOracle(blocks))
    const source = chainOf(blocks)
    for await (const { outcome } of followerFor(blocks[0]!, server.url, {
      headers: source,
      target: { columns: 2 },
    }).follow()) {
      expect(outcome).toBe('available')
      break
    }
    expect(source.pulled).toBeLessThan(6)
    const broken: HeaderSource = {
      ...source,
      // eslint-disable-next-line require-yield
      async *headers() {
        throw await Promise.resolve(new Error('no heads'))
      },
    }
    const following = followerFor(blocks[0]!, server.url, { headers: broken }).follow()
    await expect(following.next()).rejects.toThrow('no heads')
    expect(await following.next()).toEqual({ done: true, value: undefined })
    const none = followerFor(blocks[0]!, server.url, { headers: { resolve: source.resolve } })
    expect(() => none.follow()).toThrow(TypeError)
    const bad: unknown[] = [
      { concurrency: 0 },
      { catchUpSlots: -1 },
      { deadlineMs: 0 },
      { signal: 1 },
      { onProgress: 1 },
      { onError: 1 },
      null,
    ]
    for (const options of bad)
      expect(() =>
        followerFor(blocks[0]!, server.url, { headers: source }).follow(options as FollowSlotsOptions),
      ).toThrow(TypeError)
  })
})
