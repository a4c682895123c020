/** Following the chain through trouble: reorganisations, and hundreds of slots with faults drawn at random. */
import type { HeaderSource, SampledHeader } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Manner, type Oracle, plainly } from '../support/beacon-server.ts'
import { flip } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnOracle, inOtherSlot, only } from '../support/column-oracle.ts'
import { blocksInARow, chainOf, collect, FIRST, followerFor, sum } from '../support/following.ts'
import { collectGarbage } from '../support/garbage.ts'
import { range, seeded } from '../support/make.ts'
import { badManners } from '../support/manners.ts'
import { expectSound } from '../support/samplers.ts'

let blocks: ColumnBlock[]
beforeAll(async () => {
  blocks = await blocksInARow()
})

describe('a reorganisation', () => {
  /** Blocks of two branches, by their slots after the first: those of the second are on the chain in the end. */
  const root = (branch: string, at: number): string => `0x${branch}${String(at).padStart(63, '0')}`
  const block = (branch: string, at: number, parent?: readonly [branch: string, at: number]) =>
    ({
      ...{ slot: FIRST + at, root: root(branch, at) },
      ...(parent && { parent_root: root(...parent) }),
    }) as SampledHeader
  const shouted = (branch: string, at: number): SampledHeader =>
    ({ slot: FIRST + at, root: root(branch.toUpperCase(), at) }) as SampledHeader
  const [a, b] = ['a', 'b']

  it.each<[string, SampledHeader[], SampledHeader[], string[]]>([
    [
      'by another head of the same slot',
      [block(a, 0), block(a, 1), block(b, 1), block(b, 2, [b, 1])],
      [],
      ['0 a', '1 a', '1 b again', '2 b'],
    ],
    [
      'by a lower head, after which come others than before',
      [block(a, 0), block(a, 1), block(a, 2), block(b, 1), block(b, 3)],
      [block(b, 2)],
      ['0 a', '1 a', '2 a', '1 b again', '2 b again', '3 b'],
    ],
    [
      'by a child of an earlier block: what was between is none of the chain',
      [block(a, 0), block(a, 1, [a, 0]), block(a, 2, [a, 1]), block(b, 3, [a, 0])],
      [],
      ['0 a', '1 a', '2 a', '1 empty again', '2 empty again', '3 b'],
    ],
    [
      'by a child of an earlier block, which leaves alone what was empty before',
      [block(a, 0), block(a, 2, [a, 0]), block(b, 3, [a, 0])],
      [],
      ['0 a', '1 empty', '2 a', '2 empty again', '3 b'],
    ],
    [
      'by a branch of which nobody has heard: headers tell how far it goes back',
      [block(a, 0), block(a, 1), block(a, 2), block(b, 3, [b, 2])],
      [block(a, 0), block(b, 2)],
      ['0 a', '1 a', '2 a', '0 a again', '1 empty again', '2 b again', '3 b'],
    ],
    [
      'there and back',
      [block(a, 0), block(a, 1), block(b, 1), block(a, 1), block(a, 2, [a, 1])],
      [],
      ['0 a', '1 a', '1 b again', '1 a again', '2 a'],
    ],
    [
      'is none where heads are told twice, or late',
      [block(a, 0), block(a, 1), block(a, 0), shouted(a, 1), block(a, 2, [a, 1]), block(a, 1)],
      [],
      ['0 a', '1 a', '2 a'],
    ],
    ['of what was not reported is none', [block(a, 1), block(b, 0), block(a, 2, [a, 1])], [], ['1 a', '2 a']],
  ])('%s', async (_, heads, known, expected) => {
    const server = await startServer(columnOracle(blocks))
    const { resolve } = chainOf([], known)
    const headers: HeaderSource = {
      resolve,
      async *headers() {
        for (const head of heads) yield await Promise.resolve(head)
      },
    }
    const sampler = followerFor(blocks[0]!, server.url, { headers, target: { columns: 1 } })
    for (const concurrency of [1, 4]) {
      const following = sampler.follow({ concurrency })
      const reports = await collect(following)
      const told = reports.map(({ slot, outcome, again, report }) => {
        const what = outcome === 'no-block' ? 'empty' : report?.block?.root[2]
        return `${slot - FIRST} ${what}${again ? ' again' : ''}`
      })
      expect(told).toEqual(expected)
      expect(following.counters.slots).toBe(expected.length)
      expect(sum(following.counters)).toBe(expected.length)
    }
  })

  it.each([1, 4])(
    'shows in the parent of a block that is looked up, and while it is: %i at a time',
    async (concurrency) => {
      const server = await startServer(columnOracle(blocks))
      const last = async (heads: SampledHeader[], known: (asked: number) => SampledHeader[]) => {
        const asked = new Map<number, number>()
        const headers: HeaderSource = {
          resolve: async (id) => {
            const slot = Number(id)
            const times = (asked.get(slot) ?? 0) + 1
            asked.set(slot, times)
            expect(times).toBeLessThan(4)
            return await chainOf([], known(times)).resolve(slot, {})
          },
          async *headers() {
            for (const head of heads) yield await Promise.resolve(head)
          },
        }
        const sampler = followerFor(blocks[0]!, server.url, { headers, target: { columns: 1 } })
        const reports = await collect(sampler.follow({ concurrency }))
        const roots = new Map(
          reports.map(({ slot, report }) => [slot - FIRST, report?.block?.root[2] ?? 'none']),
        )
        return [...roots].sort(([one], [other]) => one - other).map(([at, what]) => `${at} ${what}`)
      }
      // Nobody told of the second block of the new branch.
      const heads = [block(a, 0), block(a, 1, [a, 0]), block(b, 3, [b, 2])]
      expect(await last(heads, () => [block(b, 2, [a, 0])])).toEqual(['0 a', '1 none', '2 b', '3 b'])
      // The first time, the source still has what was there before.
      const late = (times: number): SampledHeader[] => [
        times === 1 ? block(a, 2, [a, 1]) : block(b, 2, [a, 1]),
      ]
      expect(await last(heads, (times) => [block(a, 0), block(a, 1, [a, 0]), ...late(times)])).toEqual([
        ...['0 a', '1 a', '2 b', '3 b'],
      ])
      // A source that contradicts itself is not asked for ever.
      await last(heads, () => [block(a, 0), block(a, 1, [a, 0]), block(a, 2, [a, 1])])
    },
  )
})

describe('800 slots with faults drawn at random', () => {
  it('are all accounted for, in memory that does not grow', async () => {
    const nothing: Manner = ({ headers = {} }, request, response) =>
      plainly({ headers, body: new Uint8Array(0) }, request, response)
    const spoilt: Manner = (said, request, response) => {
      const body = said.body as Uint8Array
      plainly(body.length === 0 ? said : { ...said, body: flip(body, body.length - 1) }, request, response)
    }
    const late: Manner = (said, request, response) =>
      void setTimeout(() => plainly(said, request, response), 30)
    const faults: readonly Manner[] = [
      (_said, _request, response) => void response.writeHead(404).end(),
      (_said, _request, response) => void response.writeHead(401).end(),
      (_said, request) => void request.socket.destroy(),
      ...[nothing, spoilt, late],
      ...['breaks off in the middle', 'answers with a page', 'declares a huge answer'].map(
        (name) => badManners[name]!.manner,
      ),
    ]
    /** At each request: one of the faults, or none, so often. */
    const oneOf = (seed: number, odds: number): Manner => {
      const random = seeded(seed)
      return (said, request, response) => {
        const fault = random() < odds ? faults[Math.floor(random() * faults.length)]! : plainly
        fault(said, request, response)
      }
    }
    const total = 800
    // The same few blocks, in as many slots. Of the last one of them, most is missing; and both servers are bad now and then, sometimes at the same time.
    const isLacking = (at: number): boolean => at % 40 === 7
    const chain = await Promise.all(
      range(total).map((at) => inOtherSlot(blocks[isLacking(at) ? 5 : at % 5]!, FIRST + at)),
    )
    const [whole, partly] = [
      columnOracle(chain.filter((_, at) => !isLacking(at))),
      columnOracle(
        chain,
        only((index) => index < 30),
      ),
    ]
    const oracle: Oracle = (url) => whole(url) ?? partly(url)
    const servers = [await startServer(oracle, oneOf(5, 0.02)), await startServer(oracle, oneOf(6, 0.2))]
    const heads = function* (): Generator<SampledHeader> {
      for (const [at, { root, slot }] of chain.entries()) if (at % 10 !== 9) yield { root, slot }
    }
    const sampler = followerFor(
      blocks[0]!,
      servers.map(({ url }) => url),
      { headers: chainOf(heads()), target: { columns: 2 }, timeoutMs: 1_000 },
    )
    const following = sampler.follow({ concurrency: 8 })
    let last = FIRST - 1
    const heap: number[] = []
    const outside: number[] = []
    const outcomes = new Map<string, number>()
    for await (const { outcome, report, slot } of following) {
      expect(slot).toBe(++last)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (report !== null) expectSound(report)
      if (slot % 80 === 0) {
        await collectGarbage()
        const { external, heapUsed } = process.memoryUsage()
        heap.push(heapUsed)
        outside.push(external)
      }
      servers.forEach(({ asked }) => asked.splice(0))
    }
    const { counters } = following
    // The last slot has no block, and no head after it that would tell.
    expect(counters.slots).toBe(total - 1)
    expect(sum(counters)).toBe(counters.slots)
    expect(counters.noBlock).toBe(total / 10 - 1)
    // Nothing is lost: what was told of is what was counted.
    const told = (outcome: string): number => outcomes.get(outcome) ?? 0
    const { available, unavailable, unknown } = counters
    expect([available, unavailable, unknown]).toEqual(['available', 'unavailable', 'unknown'].map(told))
    expect(available + unavailable + unknown).toBe(total * 0.9)
    // There was something to withstand, and to find out.
    expect(available).toBeGreaterThan(total * 0.8)
    expect(unavailable).toBeGreaterThan(total * 0.01)
    const megabytes = (bytes: readonly number[]): string =>
      bytes.map((one) => (one / 2 ** 20).toFixed(1)).join(' ')
    console.info(`${available} available, ${unavailable} unavailable, ${unknown} unknown`)
    console.info(`heap after each 80 slots, MB: ${megabytes(heap)}; outside of it: ${megabytes(outside)}`)
    // From the second sample on, when all is warm: no slot may leave more than some kilobytes behind.
    const growthOf = (bytes: readonly number[]): number =>
      Math.min(...bytes.slice(-3)) - Math.min(...bytes.slice(1, 4))
    expect(growthOf(heap)).toBeLessThan(2 * 2 ** 20)
    // Buffers come and go by the pool-full.
    expect(growthOf(outside)).toBeLessThan(6 * 2 ** 20)
  })
})
