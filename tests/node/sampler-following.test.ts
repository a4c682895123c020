/** Following a chain by itself: how many slots at a time, which ones come again, what is counted, and how it ends. */
import { DisposedError } from 'blobcheck'
import type { FollowSlotsOptions, Resolution, SampledHeader } from 'blobcheck/sampler'
import { describe, expect, it } from 'vitest'
import { type Chain, child, follow, head, told } from '../support/followed.ts'
import { collect } from '../support/following.ts'
import { later, never, range } from '../support/make.ts'
import { giving } from '../support/sample-context.ts'
import { type Block, firstOf, headerOf, MOST, vouched, word } from '../support/sampled-chain.ts'
import { turns } from '../support/virtual-time.ts'

const found = (header: SampledHeader): Resolution => ({ status: 'found', header })

describe('slots that are followed', () => {
  it.each([
    [undefined, 2],
    [5, 5],
  ])('are looked up so many at a time (concurrency %j): %i', async (concurrency, expected) => {
    const { following, lookedUp } = follow(
      [head(0, 1), head(20, 2)],
      { resolve: never },
      concurrency === undefined ? {} : { concurrency },
    )
    expect((await following.next()).value?.slot).toBe(0)
    void following.next()
    await turns(9)
    expect(lookedUp).toEqual(range(expected).map((at) => at + 1))
  })

  it.each([
    [undefined, 32],
    [0, 0],
    [5, 5],
  ])('are looked up as far back as is wanted (catchUpSlots %j): %i', async (catchUpSlots, expected) => {
    const call = catchUpSlots === undefined ? {} : { catchUpSlots }
    const { following, lookedUp } = follow([head(0, 1), head(100, 2)], {}, call)
    const run = (await collect(following))[1]
    expect(run).toEqual({
      ...{ slot: 1, lastSlot: 99 - expected, again: false, outcome: 'missed', report: null },
    })
    expect(lookedUp).toHaveLength(expected)
  })

  it('are told of as they are looked at, each event with its slot', async () => {
    const events: unknown[] = []
    const call: FollowSlotsOptions = {
      onProgress: ({ slot, stage, kind }) => void events.push([slot, stage, kind]),
    }
    await collect(follow([head(0, 1), head(1, 2)], {}, { ...call, concurrency: 1 }).following)
    expect(events).toEqual(
      [0, 1].flatMap((slot) => [
        [slot, 'block', 'block'],
        [slot, 'report', 'done'],
      ]),
    )
  })

  it.each([1, 3])(
    'are %i at a time at most, though several come again while the next head comes',
    async (most) => {
      const [first, next, rest] = [later<Resolution>(), later(), later()]
      let open = 0
      const seen: number[] = []
      const resolve = async (slot: number): Promise<Resolution> => {
        seen.push(++open)
        const isFirst = slot === 3
        const resolution = isFirst
          ? await first.promise
          : await rest.promise.then(() => found(head(slot, slot + 1)))
        open--
        return resolution
      }
      const heads = range(3).map((slot) => child(slot, slot + 1, slot))
      const { following } = follow(
        [...heads, head(4, 5)],
        { resolve },
        { concurrency: most },
        async function* () {
          await next.promise
          yield head(9, 9)
        },
      )
      const reports = told(following)
      await turns(9)
      // A block whose parent nobody has heard of: what was reported before is looked up again.
      first.resolve(found(child(3, 4, 99)))
      await turns(9)
      next.resolve()
      await turns(9)
      rest.resolve()
      expect(await reports).toEqual(expect.arrayContaining(range(3).map((slot) => `${slot} unknown again`)))
      expect(Math.max(...seen)).toBe(most)
    },
  )
})

it('a head whose sample takes long puts nothing in doubt at its end that was looked up for it before', async () => {
  const [next, data] = [later(), later()]
  const slot = firstOf.blobs
  // Of the slot before there are no blobs to ask for; and its block is not the parent that this head names, however often it is looked up.
  const { following, lookedUp } = follow(
    [head(slot - 1, 1), child(slot, 2, 99)],
    { resolve: () => found(head(slot - 1, 1)), node: () => data.promise.then(() => 404) },
    { concurrency: 3 },
    async function* () {
      await next.promise
      yield child(slot + 1, 3, 2)
    },
  )
  const reports = told(following)
  await turns(9)
  next.resolve()
  await turns(9)
  data.resolve()
  expect(await reports).toEqual([
    ...[`${slot - 1} unknown`, `${slot - 1} unknown again`, `${slot} unknown`, `${slot + 1} unknown`],
  ])
  expect(lookedUp).toEqual([slot - 1])
})

it('what a look-up finds says nothing where a head has come in its slot meanwhile', async () => {
  const [next, first] = [later(), later<Resolution>()]
  const { following, lookedUp } = follow(
    [head(0, 1), head(2, 3), child(1, 4, 1)],
    { resolve: () => first.promise },
    { concurrency: 4 },
    async function* () {
      await next.promise
      yield child(2, 5, 4)
    },
  )
  const reports = told(following)
  await turns(9)
  first.resolve(found(child(1, 2, 1)))
  await turns(9)
  next.resolve()
  // The last head builds on the one before it, which the block that was looked up is not.
  expect(await reports).toEqual([
    ...['0 unknown', '1 unknown', '2 unknown', '1 unknown again', '2 unknown again'],
  ])
  expect(lookedUp).toEqual([1])
})

describe('a slot that cannot be told', () => {
  it('puts nothing else in doubt, and is none of those that come again', async () => {
    const resolve = (): Resolution => ({ status: 'unknown', detail: 'not yet' })
    const heads = [head(0, 1), head(1, 2), child(3, 4, 3)]
    expect(await told(follow(heads, { resolve }).following)).toEqual([
      ...['0 unknown', '1 unknown', '2 missed', '3 unknown'],
    ])
  })

  it('is missed where the source throws, whatever it throws', async () => {
    const resolve = (): never => {
      throw new TypeError('fetch failed')
    }
    expect(await collect(follow([head(0, 1), head(2, 3)], { resolve }).following)).toMatchObject([
      { slot: 0 },
      { slot: 1, lastSlot: 1, again: false, outcome: 'missed', report: null },
      { slot: 2 },
    ])
  })

  it('ends it where nothing will get better', async () => {
    const gone = new DisposedError()
    const resolve = (): never => {
      throw gone
    }
    const { following, source } = follow([head(0, 1), head(2, 3)], { resolve })
    await expect(collect(following)).rejects.toBe(gone)
    expect(source.signal!.aborted).toBe(true)
  })
})

describe('a block whose payload is not known of', () => {
  const slot = firstOf.bids
  const blocks = (blobs: number): Block[] => [
    { slot, root: word(1), promised: 7, blobs },
    ...[2, 3, 4].map((at) => ({ slot: slot + 3 * (at - 1), root: word(at), builtOn: at - 1, blobs: 0 })),
  ]
  /** What is reported, by slots after the first. */
  const followed = async (blobs: number): Promise<string[]> => {
    const chain: Chain = { blocks: blocks(blobs), now: slot + 40 }
    const reports = await told(follow(blocks(blobs).map(headerOf), chain, { concurrency: 1 }).following)
    return reports.map((report) => report.replace(/^[0-9]+/, (one) => `${Number(one) - slot}`))
  }
  const others = ['1 no-block', '2 no-block', '3 no-blobs', '4 no-block', '5 no-block', '6 no-blobs']

  it('comes again, once, when a newer head has come', async () => {
    expect(await followed(1)).toEqual([
      ...['0 unknown', ...others.slice(0, 3), '0 unknown again', ...others.slice(3)],
      ...['7 no-block', '8 no-block', '9 no-blobs'],
    ])
  })

  it('does not come again where it has no blobs', async () => {
    expect(await followed(0)).toEqual(['0 no-blobs', ...others, '7 no-block', '8 no-block', '9 no-blobs'])
  })

  /** Two blocks of one slot, and what comes after them, by their roots: 4 builds on 1, 5 on 2, and neither on its payload. */
  const rivals = (blobs: number): readonly Block[] => [
    { slot, root: word(1), parentRoot: word(9), promised: 7, blobs: 1 },
    { slot, root: word(2), parentRoot: word(9), promised: 8, blobs },
    { slot: slot + 1, root: word(4), parentRoot: word(1), builtOn: 6, blobs: 0 },
    { slot: slot + 1, root: word(5), parentRoot: word(2), builtOn: 6, blobs: 0 },
    { slot: slot + 2, root: word(6), parentRoot: word(5), blobs: 0 },
  ]

  it.each<[string, number, number[], string[]]>([
    [
      'has the fate of its own payload told, and the other one is told of no more',
      1,
      [1, 2, 5, 6],
      ['0 unknown', '0 unknown again', '1 no-blobs', '0 payload-not-revealed again', '2 no-blobs'],
    ],
    [
      'also where the other one had a child',
      1,
      [1, 4, 2, 5, 6],
      [
        ...['0 unknown', '1 no-blobs', '0 payload-not-revealed again'],
        ...['0 unknown again', '1 no-blobs again', '0 payload-not-revealed again', '2 no-blobs'],
      ],
    ],
    [
      'also where it has no blobs',
      0,
      [1, 2, 5, 6],
      ['0 unknown', '0 no-blobs again', '1 no-blobs', '2 no-blobs'],
    ],
  ])('in the place of another one %s', async (_, blobs, heads, reports) => {
    expect(await reportsOf(rivals(blobs), heads)).toEqual(reports)
  })

  /** What is reported, by slots after the first, where blocks become heads in this order, by their roots. */
  async function reportsOf(all: readonly Block[], heads: readonly number[]): Promise<string[]> {
    const onChain = new Map<number, SampledHeader>()
    const { following } = follow(
      [],
      {
        ...{ blocks: all, now: slot + 40 },
        resolve: (at) => {
          const header = onChain.get(at)
          if (header) return found(header)
          return at < Math.max(...onChain.keys())
            ? { status: 'no-block' }
            : { status: 'unknown', detail: 'not yet' }
        },
      },
      { concurrency: 1 },
      async function* () {
        for (const root of heads) {
          const block = all.find((one) => one.root === word(root))!
          const header = { ...headerOf(block), parent_root: block.parentRoot } as SampledHeader
          const parent = all.find((one) => one.root === block.parentRoot)?.slot ?? block.slot - 1
          for (const other of onChain.keys()) if (other > parent) onChain.delete(other)
          onChain.set(block.slot, header)
          yield header
        }
      },
    )
    const short = (report: string): string => report.replace(/^[0-9]+/, (one) => `${Number(one) - slot}`)
    return (await told(following)).map(short)
  }

  /** A block with two children, of which the first builds on such a payload, and so much later the second on such another one, and another block. */
  const siblings = (first: number, later: number, second: number): readonly Block[] => [
    { slot, root: word(1), parentRoot: word(9), promised: 7, blobs: 1 },
    { slot: slot + 1, root: word(4), parentRoot: word(1), builtOn: first, blobs: 0 },
    { slot: slot + 1 + later, root: word(5), parentRoot: word(1), builtOn: second, blobs: 0 },
    { slot: slot + 2 + later, root: word(6), parentRoot: word(5), blobs: 0 },
  ]

  it.each<[string, number, number, number, string[]]>([
    [
      ...(['revealed after all', 6, 0, 7] as const),
      [...['1 no-blobs again', '0 unknown again'], '2 no-blobs'],
    ],
    [
      ...(['never revealed', 7, 0, 6] as const),
      [...['1 no-blobs again', '0 payload-not-revealed again'], '2 no-blobs'],
    ],
    [
      ...(['never revealed, in a later slot', 7, 1, 6] as const),
      [...['1 no-block again', '2 no-blobs', '0 payload-not-revealed again'], '3 no-blobs'],
    ],
  ])(
    'comes again where another child takes the place of the one that told of it: %s',
    async (_, first, later, second, reports) => {
      const decided = first === 7 ? '0 unknown again' : '0 payload-not-revealed again'
      expect(await reportsOf(siblings(first, later, second), [1, 4, 5, 6])).toEqual([
        ...['0 unknown', '1 no-blobs', decided],
        ...reports,
      ])
    },
  )

  it('comes again once for another child, though it was looked up again meanwhile', async () => {
    const stray = { slot: slot + 2, root: word(10), parentRoot: word(99), blobs: 0 }
    expect(await reportsOf([...siblings(7, 0, 6), stray], [1, 4, 10, 5, 6])).toEqual([
      ...['0 unknown', '1 no-blobs', '0 unknown again', '0 unknown again', '1 no-blobs again', '2 no-blobs'],
      ...['1 no-blobs again', '0 payload-not-revealed again', '2 no-blobs again'],
    ])
  })

  /** So many blocks of a chain, one in each slot, by their roots from that one on; the first of them has another parent than the one before. */
  const line = (count: number, from: number, parent: number, at: number, more: Partial<Block>): Block[] =>
    range(count).map((one) => ({
      ...{
        slot: slot + at + one,
        root: word(from + one),
        parentRoot: word(one === 0 ? parent : from + one - 1),
      },
      ...more,
    }))
  /** What is reported of these heads by a source that knows these blocks by their slots, save where a look-up fails. */
  const disagreeing = async (
    heads: readonly Block[],
    known: readonly Block[],
    isUnknown: (at: number) => boolean = () => false,
  ): Promise<string[]> => {
    const resolve = (at: number): Resolution => {
      const block = known.find((one) => one.slot === at)
      return block && !isUnknown(at) ? found(headerOf(block)) : { status: 'unknown', detail: 'not now' }
    }
    const { following } = follow(
      heads.map((block) => ({ ...headerOf(block), parent_root: block.parentRoot }) as SampledHeader),
      { blocks: [...heads, ...known], now: slot + 40, resolve },
      { concurrency: 1 },
    )
    return (await told(following)).map((report) =>
      report.replace(/^[0-9]+/, (one) => `${Number(one) - slot}`),
    )
  }

  it('does not come again with each head where the slot of the next one could not be looked up once', async () => {
    const blocks = [
      ...line(1, 1, 9, 0, { promised: 7, blobs: 1 }),
      ...line(1, 4, 1, 1, { builtOn: 7, blobs: 0 }),
      ...line(4, 10, 99, 2, { blobs: 0 }),
    ]
    let lookedUp = 0
    // First for the block before it, twice.
    const isUnknown = (at: number): boolean => at === slot + 1 && ++lookedUp === 3
    expect(await disagreeing(blocks, blocks, isUnknown)).toEqual([
      ...['0 unknown', '1 no-blobs', '0 unknown again', '1 missed again'],
      ...['2 no-blobs', '3 no-blobs', '4 no-blobs', '5 no-blobs'],
    ])
  })

  it('comes again once where the source of heads has another next one than is found by its slot', async () => {
    const more = { promised: 7, builtOn: 7, blobs: 1 }
    const heads = line(6, 1, 9, 0, more)
    const others = heads.slice(1).map((block, at) => ({ ...block, root: word(100 + at) }))
    expect(await disagreeing(heads, others)).toEqual([
      '0 unknown',
      ...range(5).flatMap((at) => [`${at + 1} unknown`, `${at} unknown again`]),
    ])
  })
})

describe('a reorganisation', () => {
  it('is noticed as far back as two epochs, and no further', async () => {
    const heads = range(65).map((slot) => head(slot, 1))
    for (const [slot, isNoticed] of [
      [0, false],
      [1, true],
    ] as const) {
      const reports = await told(follow([...heads, head(slot, 2)]).following)
      expect(reports.slice(65)).toEqual(isNoticed ? [`${slot} unknown again`] : [])
    }
  })
})

describe('what is counted', () => {
  const none = {
    ...{ slots: 0, available: 0, unavailable: 0, payloadNotRevealed: 0, noBlobs: 0 },
    ...{ noBlock: 0, unknown: 0, missed: 0 },
  }

  it('is each slot by its outcome, and nothing before it was reported', async () => {
    const withheld = { slot: firstOf.bids, root: word(1), promised: 7, blobs: 1 }
    const next = { slot: firstOf.bids + 1, root: word(2), parentRoot: word(1), builtOn: 6 }
    const { following } = follow(
      [head(0, 8), vouched({ slot: 2, root: word(9) }), child(5, 10, 9), headerOf(withheld), headerOf(next)],
      {
        blocks: [withheld, next],
        resolve: (slot) => (slot === next.slot ? found(headerOf(next)) : { status: 'no-block' }),
      },
      { catchUpSlots: 0, concurrency: 1 },
    )
    expect(following.counters).toEqual(none)
    expect(await told(following)).toEqual([
      ...['0 unknown', '1 missed', '2 no-blobs', '3–4 no-block', '5 unknown'],
      ...[`6–${firstOf.bids - 1} missed`, `${firstOf.bids} payload-not-revealed`, `${next.slot} no-blobs`],
    ])
    expect(following.counters).toEqual({
      ...{ ...none, slots: firstOf.bids + 2, payloadNotRevealed: 1, noBlobs: 2, noBlock: 2, unknown: 2 },
      missed: firstOf.bids - 5,
    })
  })
  it.each(['available', 'unavailable'] as const)('is what is %s, too', async (outcome) => {
    const node = giving(
      'columns',
      MOST,
      () => (outcome === 'available' ? 'true' : 'lacking'),
      firstOf.columns,
    )
    const { following } = follow([vouched({ slot: firstOf.columns, root: word(1) }, MOST)], { node })
    expect(await told(following)).toEqual([`${firstOf.columns} ${outcome}`])
    expect(following.counters).toEqual({ ...none, slots: 1, [outcome]: 1 })
  })
})
