/** One batch on workers that are told what to do: who is asked for what, whom a false item costs what, and what a crash does. */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newCounters } from '../../dist/verifier/stats.js'
import {
  BLOB,
  crashed,
  HASHED,
  NAMED,
  others,
  right,
  runBatch as run,
  said,
  type Truth,
  valid,
  type Asked,
} from '../support/batch-run.ts'
import { range } from '../support/make.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('a batch of one group', () => {
  it.each([0, 1])('is one call, with %i workers', async (workers) => {
    const all = others(5, { 1: 'false', 3: 'malformed' })
    const { outcomes, asked } = await run({ workers, all })
    expect(outcomes).toEqual(right(all))
    expect(asked).toEqual([{ call: 'verify', places: range(5) }])
  })

  it('is one too where nothing can be drawn: coefficients come from all of it then', async () => {
    vi.stubGlobal('crypto', {})
    const all = others(20, { 3: 'false' })
    const { outcomes, asked } = await run({ all })
    expect(outcomes).toEqual(right(all))
    expect(asked).toEqual([{ call: 'verify', places: range(20) }])
  })

  it('nothing has no outcomes, and nobody is asked for them', async () => {
    expect(await run({ all: [] })).toMatchObject({ outcomes: [], asked: [] })
    vi.stubGlobal('crypto', {})
    expect(await run({ all: [] })).toMatchObject({ outcomes: [], asked: [] })
  })
})

describe('a batch of several groups', () => {
  it('is collected in each, and closed once, by one worker', async () => {
    const all = others(9, { 4: 'malformed' })
    const { outcomes, asked, counters } = await run({ all })
    expect(outcomes).toEqual(right(all))
    expect(asked).toEqual([
      { call: 'collect of 3', places: [0, 1, 2] },
      { call: 'collect of 3', places: [3, 4, 5] },
      { call: 'collect of 3', places: [6, 7, 8] },
      { call: 'close', places: [0, 1, 2, 3, 5, 6, 7, 8], part: [0, 1] },
    ])
    expect(counters).toEqual(newCounters())
  })

  it('is closed in parts, by all workers, where points are still to be tested', async () => {
    const { outcomes, asked } = await run({ all: valid(9), tested: false })
    expect(outcomes).toEqual(right(valid(9)))
    expect(asked.slice(3)).toEqual(
      range(3).map((part) => ({ call: 'close', places: range(9), part: [part, 3] })),
    )
  })

  it.each([true, false])(
    'of which one item is false names it, and costs its own group alone; tested: %s',
    async (tested) => {
      const all = others(9, { 4: 'false' })
      const { outcomes, asked } = await run({ all, tested })
      expect(outcomes).toEqual(right(all))
      expect(asked.filter(({ call }) => call === 'verify')).toEqual([
        { call: 'verify', places: [3, 4, 5], urgent: true },
      ])
      const parts = tested ? 1 : 3
      const closed = asked.filter(({ call }) => call === 'close').map(({ places }) => places.length)
      expect(closed.sort()).toEqual([...range(3 * parts).map(() => 3), ...range(parts).map(() => 9)])
    },
  )
})

describe('a crash', () => {
  it('of one group costs each of its items another look, alone', async () => {
    const all = others(9, { 4: 'false', 8: 'malformed' })
    const { outcomes, asked, counters } = await run({
      all,
      dies: ({ call, places }) => call === 'collect of 3' && places.includes(3),
    })
    expect(outcomes).toEqual(right(all))
    const again = asked.filter(({ call }) => call === 'verify')
    expect(again).toEqual([3, 4, 5].map((at) => ({ call: 'verify', places: [at], urgent: true })))
    expect(counters.retries).toBe(3)
    expect(asked.find(({ call }) => call === 'close')!.places).toEqual([0, 1, 2, 6, 7])
  })

  it('is not tried again where nobody waits for it, nor accused where they leave as its item is asked for', async () => {
    const all = others(3, { 2: 'false' })
    const dies = ({ places }: Asked): boolean => places.length > 1
    for (const asked of [false, true]) {
      const isLeft = (at: number, isAsked: boolean): boolean => at === 1 && isAsked === asked
      const batch = await run({ workers: 1, all, dies, remakes: false, isLeft })
      expect(batch.outcomes).toEqual([crashed, null, crashed])
      expect(batch.counters.retries).toBe(asked ? 3 : 2)
    }
    const { outcomes, asked } = await run({ workers: 1, all, dies, isLeft: (at) => at === 1 })
    expect(outcomes).toEqual(['valid', null, said.false])
    expect(asked.map(({ places }) => places)).toEqual([[0, 1, 2], [0], [2]])
  })

  it('of a batch of one group as well; who cannot be had once more is lost, and so is who kills again', async () => {
    const all = others(3, { 1: 'false' })
    const once = await run({
      workers: 1,
      all,
      dies: ({ places }, times) => places.length === 3 && times === 0,
    })
    expect(once.outcomes).toEqual(right(all))
    expect(once.counters.retries).toBe(3)
    for (const remakes of [false, 'without memory'] as const) {
      let tasks = 0
      const lost = await run({
        ...{ workers: 1, all, remakes },
        dies: ({ places }) => places.length === 3,
        onTask: () => tasks++,
      })
      expect(lost.outcomes).toEqual([crashed, crashed, crashed])
      // No worker is given a task that has no bytes.
      expect([tasks, lost.asked.length]).toEqual([1, 1])
    }
    const killer = await run({ workers: 1, all, dies: ({ places }) => places.includes(2) })
    expect(killer.outcomes).toEqual([...right(all.slice(0, 2)), crashed])
  })

  it('of whoever closes is tried once more; after two of them each item is, and nothing is taken for good', async () => {
    const all = others(9, { 4: 'false' })
    const once = await run({
      all,
      dies: ({ call, places }, times) => call === 'close' && places.length === 9 && times === 0,
    })
    expect(once.outcomes).toEqual(right(all))
    expect(once.counters.retries).toBe(0)
    const twice = await run({ all, dies: ({ call, places }) => call === 'close' && places.length === 9 })
    expect(twice.outcomes).toEqual(right(all))
    expect(twice.counters.retries).toBe(9)
    // One part is lost: what the others say shows nothing, unless one of them says no.
    const isPart = ({ call, places, part }: Asked): boolean =>
      call === 'close' && places.length === 9 && part![0] === 1
    const lostPart = await run({ all: valid(9), tested: false, dies: isPart })
    expect(lostPart.outcomes).toEqual(right(valid(9)))
    expect(lostPart.counters.retries).toBe(9)
    const refused = await run({ all, tested: false, dies: isPart })
    expect(refused.outcomes).toEqual(right(all))
    expect(refused.counters.retries).toBe(0)
  })

  it('of all groups leaves nothing to close', async () => {
    const { outcomes, calls } = await run({ all: valid(9), dies: ({ call }) => call.startsWith('collect') })
    expect(outcomes).toEqual(right(valid(9)))
    expect(calls).not.toContain('close')
  })

  it('of a group that is closed by itself has its items looked at', async () => {
    const all = others(9, { 4: 'false' })
    const { outcomes } = await run({
      all,
      dies: ({ call, places }) => call === 'close' && places.length === 3,
    })
    expect(outcomes).toEqual(right(all))
  })
})

describe('blobs without proofs', () => {
  const kind = (at: number): number => (at % 3 === 2 ? HASHED : NAMED)

  it('of commitments share sums and their commitment; those of hashes are each by itself', async () => {
    const all = valid(7)
    const { outcomes, asked, given, calls } = await run({ all, kind })
    expect(outcomes).toEqual(right(all))
    expect(asked.filter(({ call }) => call === 'verify').map(({ places }) => places)).toEqual([[2], [5]])
    expect(asked.filter(({ call }) => call.startsWith('collect')).flatMap(({ places }) => places)).toEqual([
      0, 1, 3, 4, 6,
    ])
    expect(asked.filter(({ call }) => call === 'commitPart').map(({ part }) => part)).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ])
    expect(calls.filter((call) => call.startsWith('closeBare'))).toEqual(['closeBare of 0,1,2'])
    expect(calls).not.toContain('close')
    expect(given.length).toBe(asked.length)
    expect(new Set(given)).toEqual(new Set(['simd128']))
  })

  it('are in their order, whichever are false', async () => {
    for (const at of range(7))
      for (const truth of ['false', 'malformed'] as const) {
        const all = others(7, { [at]: truth })
        expect((await run({ all, kind })).outcomes).toEqual(right(all))
      }
  })

  it('share their commitment even where there is one group, but not where one worker does all', async () => {
    const few = await run({ all: valid(1), kind: () => NAMED, workers: 2 })
    expect(few.calls).toEqual(['collect of 1', 'commitPart', 'commitPart', 'closeBare of 0,1'])
    for (const workers of [0, 1]) {
      const { calls } = await run({ all: valid(3), kind: () => NAMED, workers })
      expect(calls).toEqual(['verify'])
    }
  })

  it('of hashes alone have nothing to share, and a crash costs one', async () => {
    const { outcomes, calls } = await run({
      all: valid(3),
      kind: () => HASHED,
      dies: ({ places }) => places.includes(1),
    })
    expect(outcomes).toEqual(['valid', crashed, 'valid'])
    expect(new Set(calls)).toEqual(new Set(['verify']))
  })

  it('are each looked at where a part of their commitment, or what closes them, is lost twice', async () => {
    for (const lost of ['commitPart', 'closeBare of 0,1,2']) {
      const { outcomes, counters } = await run({
        all: others(6, { 1: 'false' }),
        kind: () => NAMED,
        dies: ({ call, part }) => call === lost && (part === undefined || part[0] === 2),
      })
      expect(outcomes).toEqual(right(others(6, { 1: 'false' })))
      expect(counters.retries).toBe(6)
    }
  })
})

describe('what the fast kernel refuses', () => {
  it.each([1, 3])('is confirmed by the baseline, one by one, with %i workers', async (workers) => {
    const all = others(9, { 4: 'false', 7: 'malformed' })
    const { outcomes, asked, counters } = await run({ all, workers, kernel: 'relaxed-simd' })
    expect(outcomes).toEqual(right(all))
    expect(
      asked
        .filter(({ call }) => call === 'confirm')
        .map(({ places }) => places[0])
        .sort(),
    ).toEqual([4, 7])
    expect(counters).toMatchObject({ confirmations: 2, kernelDisagreements: 0, retries: 0 })
  })

  it('is valid where the baseline says so', async () => {
    for (const kind of [BLOB, NAMED, HASHED]) {
      const all = others(9, { 4: 'false' })
      const { outcomes, counters } = await run({
        all,
        kernel: 'relaxed-simd',
        slandered: [2],
        kind: () => kind,
      })
      expect(outcomes).toEqual(right(all))
      expect(counters).toMatchObject({ confirmations: 2, kernelDisagreements: 1 })
    }
  })

  it('lets other batches in where the baseline is waited for, and where it is there already does not', async () => {
    const fast = { all: others(3, { 1: 'false' }), workers: 1, kernel: 'relaxed-simd' } as const
    const bare = { ...fast, kind: () => NAMED }
    expect((await run(fast)).letsIn).toBe(true)
    expect((await run({ ...fast, isThere: true })).letsIn).toBe(false)
    expect((await run({ ...bare, isThere: true })).letsIn).toBe(false)
    expect((await run({ ...bare, isThere: true, isBareThere: false })).letsIn).toBe(true)
    // Nothing is to be confirmed.
    expect((await run({ ...fast, all: valid(3) })).letsIn).toBe(false)
    expect((await run({ ...fast, kernel: 'simd128' })).letsIn).toBe(false)
  })

  it('is an error where the baseline is not to be had, or its workers die', async () => {
    for (const kind of [BLOB, NAMED]) {
      const all = others(9, { 4: 'false' })
      const expected = right(all).map((one) => (one === 'valid' ? one : crashed))
      const alone = await run({ all, kernel: 'relaxed-simd', isAlone: true, kind: () => kind })
      expect(alone.outcomes).toEqual(expected)
      const dying = await run({
        all,
        kernel: 'relaxed-simd',
        dies: ({ call }) => call === 'confirm',
        kind: () => kind,
      })
      expect(dying.outcomes).toEqual(expected)
      for (const { counters } of [alone, dying]) expect(counters.confirmations).toBe(0)
    }
  })

  it('after a crash is confirmed as well', async () => {
    const { outcomes, counters } = await run({
      all: valid(3),
      ...{ workers: 1, kernel: 'relaxed-simd', slandered: [1] },
      dies: ({ places }) => places.length === 3,
    })
    expect(outcomes).toEqual(right(valid(3)))
    expect(counters).toMatchObject({ confirmations: 1, kernelDisagreements: 1, retries: 3 })
  })
})

it('whatever dies when, each item gets what it deserves, or is said to have been lost', async () => {
  const kindOf = fc.constantFrom(BLOB, NAMED, HASHED)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Truth>('valid', 'valid', 'false', 'malformed'), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.array(kindOf, { minLength: 12, maxLength: 12 }),
      fc.boolean(),
      fc.nat(4),
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.nat(40), { maxLength: 6 }),
      fc.constantFrom('simd128', 'relaxed-simd'),
      fc.array(fc.nat(12), { maxLength: 2 }),
      async (all, kinds, isBare, workers, tested, remakes, deaths, kernel, slandered) => {
        const kind = (at: number): number => (isBare ? Math.max(kinds[at]!, NAMED) : BLOB)
        let call = 0
        const dies = (): boolean => deaths.includes(call++)
        const { outcomes } = await run({ all, kind, workers, tested, remakes, dies, kernel, slandered })
        outcomes.forEach((outcome, at) => {
          const isLost = deaths.length > 0 && JSON.stringify(outcome) === JSON.stringify(crashed)
          if (!isLost) expect(outcome).toEqual(said[all[at]!])
        })
        expect(outcomes).toHaveLength(all.length)
      },
    ),
  )
})
