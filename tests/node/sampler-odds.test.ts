/** The sampler's statistics, beside twins that count rather than calculate. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confidenceOf } from '../../dist/sampler/confidence.js'
import { unsampled } from '../../dist/sampler/finding.js'
import {
  binomial,
  boundedSizes,
  failureTable,
  fractionOf,
  passErrors,
  passOdds,
  samplesFor,
  tail,
  toNumber,
} from '../../dist/sampler/odds.js'
import { drawColumns, planOf, secureBytes } from '../../dist/sampler/plan.js'
import { range, seeded, shuffled } from '../support/make.ts'

/** n! / (k! (n−k)!), by its definition. */
const factorials = [1n]
for (let n = 1; n <= 130; n++) factorials.push(factorials[n - 1]! * BigInt(n))
const choose = (n: number, k: number): bigint =>
  k < 0 || k > n ? 0n : factorials[n]! / (factorials[k]! * factorials[n - k]!)

interface Ratio {
  readonly top: bigint
  readonly bottom: bigint
}

/** How likely 0, 1, … are missing in s draws, one after the other, of 65 missing and 63 present columns. */
function drawnOneByOne(s: number): { readonly tops: readonly bigint[]; readonly bottom: bigint } {
  let tops = [1n]
  let bottom = 1n
  for (let drawn = 0; drawn < s; drawn++) {
    const next: bigint[] = new Array<bigint>(drawn + 2).fill(0n)
    tops.forEach((top, lacking) => {
      next[lacking]! += top * BigInt(Math.max(63 - (drawn - lacking), 0))
      next[lacking + 1]! += top * BigInt(Math.max(65 - lacking, 0))
    })
    tops = next
    bottom *= BigInt(128 - drawn)
  }
  return { tops, bottom }
}
const isSame = (a: Ratio, { of, among }: { of: bigint; among: bigint }): boolean =>
  a.top * among === of * a.bottom

describe('the odds of a sample', () => {
  it('count subsets as factorials do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 128 }), fc.integer({ min: 0, max: 130 }), (n, k) => {
        expect(binomial(n, k)).toBe(choose(n, k))
      }),
    )
  })

  it('are those of drawing one column after the other, exactly', () => {
    for (let s = 1; s <= 128; s++) {
      const { tops, bottom } = drawnOneByOne(s)
      let top = 0n
      for (let m = 0; m <= s; m++) {
        top += tops[m]!
        expect(isSame({ top, bottom }, tail(s, m)), `${s} ${m}`).toBe(true)
      }
    }
  })

  it('are those of counting all samples, where there are few enough to be counted', () => {
    // Pairs of columns: all 8,128 of them.
    let both = 0
    for (let a = 0; a < 128; a++) for (let b = 0; b < a; b++) if (a < 63 && b < 63) both++
    expect(isSame({ top: BigInt(both), bottom: 8128n }, tail(2, 0))).toBe(true)
  })

  it('need the columns that the bound of the literature says', () => {
    const needed = [10, 20, 30, 40, 64, 80].map((bits) => samplesFor(0, fractionOf(2 ** -bits)))
    expect(needed).toEqual([10, 18, 26, 32, 45, 52])
    expect(samplesFor(0, fractionOf(Number.MIN_VALUE))).toBe(64)
    expect(samplesFor(0, fractionOf(1 - 2 ** -53))).toBe(1)
    for (const s of range(64).slice(1)) {
      const exactly = { of: choose(63, s), among: choose(128, s) }
      expect(samplesFor(0, exactly)).toBe(s)
      // A little less, and one more column is needed.
      expect(samplesFor(0, { of: exactly.of * 10n ** 9n - 1n, among: exactly.among * 10n ** 9n })).toBe(s + 1)
    }
  })

  it('allow for missing columns as the specification’s table does, and never for less than it costs', () => {
    expect(failureTable(16, 8)).toEqual([16, 20, 24, 27, 29, 32, 35, 37, 40])
    for (const columns of [1, 2, 8, 18, 26, 45, 63, 64, 100, 128]) {
      const sizes = failureTable(columns, 64)
      sizes.forEach((size, missing) => {
        const enough = isAsCertain(size, missing, columns)
        expect(enough, `${columns} ${missing}`).toBe(true)
        const before = sizes[missing - 1] ?? 0
        // The least that is enough, or as many as there were.
        if (size > before && missing > 0) expect(isAsCertain(size - 1, missing, columns)).toBe(false)
        expect(size).toBeLessThanOrEqual(128)
      })
    }
  })

  it('are exact as doubles', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -900, max: 1, noNaN: true }), (p) => {
        expect(toNumber(fractionOf(p))).toBe(p)
      }),
    )
    expect(toNumber({ of: 1n, among: 3n })).toBe(1 / 3)
    expect(toNumber({ of: 0n, among: 3n })).toBe(0)
  })
})

function isAsCertain(size: number, missing: number, columns: number): boolean {
  const a = subsets(size, missing)
  const b = subsets(columns, 0)
  return a.top * b.bottom <= b.top * a.bottom
}
const subsets = (size: number, missing: number): Ratio => ({
  top: range(missing + 1).reduce(
    (sum, lacking) => sum + choose(65, lacking) * choose(63, size - lacking),
    0n,
  ),
  bottom: choose(128, size),
})

/** Plays the game with a sequence of columns: whether an unavailable block passes with at most `allowed` missing. */
function passes(order: readonly number[], sizes: readonly number[], allowed: number): boolean {
  for (let stage = 0; stage <= allowed;) {
    const missing = order.slice(0, sizes[stage]).filter((column) => column >= 63).length
    if (missing <= stage) return true
    stage = missing
  }
  return false
}

/**
 * The same game as numbers, stage by stage as it is played: in how many of all 128! orders an unavailable block passes with at
 * most 0, 1, … missing.
 */
function passingOrders(sizes: readonly number[]): bigint[] {
  const inOrder = (n: number, k: number): bigint => choose(n, k) * factorials[k]!
  /** By stage and by columns drawn: in how many ways one gets there. */
  const ways = new Map<number, Map<number, bigint>>([[0, new Map([[0, 1n]])]])
  let passed = 0n
  return sizes.map((size, stage) => {
    for (const [drawn, count] of ways.get(stage) ?? []) {
      for (let lacking = 0; lacking <= size - drawn; lacking++) {
        const there = size - drawn - lacking
        const orders = choose(size - drawn, lacking) * inOrder(65 - stage, lacking)
        const way = count * orders * inOrder(63 - (drawn - stage), there)
        if (lacking === 0) passed += way * factorials[128 - size]!
        const next = ways.get(stage + lacking) ?? new Map<number, bigint>()
        ways.set(stage + lacking, next)
        if (lacking > 0) next.set(size, (next.get(size) ?? 0n) + way)
      }
    }
    return passed
  })
}

describe('a target of an error', () => {
  const targets = [
    1 - 2 ** -53,
    0.9,
    0.5,
    0.1,
    0.05,
    0.01,
    1e-3,
    1e-6,
    1e-9,
    2 ** -30,
    2 ** -40,
    1e-30,
    2 ** -1074,
  ]

  it.each(targets)('of %d is kept by the whole game, exactly, however many may be missing', (maxError) => {
    const { of, among } = fractionOf(maxError)
    for (const allowMissing of [0, 1, 2, 5, 8, 17, 33, 64]) {
      const sizes = boundedSizes({ of, among }, allowMissing)
      expect(sizes).toHaveLength(allowMissing + 1)
      const orders = passingOrders(sizes)
      expect(orders.at(-1)! * among <= of * factorials[128]!).toBe(true)
      expect(passOdds(sizes)).toEqual(orders.map((passed) => ({ of: passed, among: factorials[128] })))
      const plan = planOf({ maxError }, allowMissing)
      expect(plan).toMatchObject({ sizes, maxError })
      for (const error of plan.errors) expect(error).toBeLessThanOrEqual(maxError)
      expect(sizes.every((size, missing) => size >= (sizes[missing - 1] ?? 1) && size <= 128)).toBe(true)
    }
  })

  it('is kept with no more columns than are needed', () => {
    for (const maxError of targets) {
      const bound = fractionOf(maxError)
      for (const allowMissing of [0, 1, 8, 64]) {
        const sizes = boundedSizes(bound, allowMissing)
        // Where nothing is missing, that some might have been costs nothing.
        expect(sizes[0]).toBe(samplesFor(0, bound))
        const fewer = sizes.with(-1, sizes.at(-1)! - 1)
        if (allowMissing > 0 && fewer.at(-1)! >= fewer.at(-2)!)
          expect(passingOrders(fewer).at(-1)! * bound.among > bound.of * factorials[128]!).toBe(true)
      }
    }
    expect(planOf({ maxError: 2 ** -30 }, 8).sizes).toEqual([26, 30, 34, 38, 41, 44, 46, 49, 51])
  })

  it.each([0.5, 0.1, 0.01])('of %d is kept where the game is played', (maxError) => {
    const random = seeded(11)
    const rounds = 40_000
    const { sizes } = planOf({ maxError }, 8)
    let passed = 0
    for (let round = 0; round < rounds; round++) if (passes(shuffled(range(128), random), sizes, 8)) passed++
    expect(passed / rounds).toBeLessThan(maxError + 5 * Math.sqrt(maxError / rounds))
    // What it allows is used, so that no more is asked for than must be.
    expect(passed / rounds).toBeGreaterThan(0.9 * maxError)
  })
})

describe('a sample that grows', () => {
  it('errs as often as a game that is played says it does', () => {
    const random = seeded(7)
    const rounds = 60_000
    for (const [columns, allowed] of [
      [1, 0],
      [1, 3],
      [2, 2],
      [4, 4],
    ] as const) {
      const sizes = failureTable(columns, allowed)
      const expected = passErrors(sizes)[allowed]!
      let passed = 0
      for (let round = 0; round < rounds; round++)
        if (passes(shuffled(range(128), random), sizes, allowed)) passed++
      const deviation = Math.sqrt((expected * (1 - expected)) / rounds)
      expect(Math.abs(passed / rounds - expected)).toBeLessThan(5 * deviation)
    }
  })

  it('errs at least as often as its last stage alone, and at most as often as all stages added up', () => {
    for (const columns of [4, 8, 18, 26, 45]) {
      const { sizes, errors } = planOf({ columns }, 8)
      expect(errors[0]).toBeCloseTo(toNumber(tail(columns, 0)), 15)
      expect(errors[0]! / toNumber(tail(columns, 0))).toBeCloseTo(1, 12)
      errors.forEach((error, allowed) => {
        const tails = sizes.slice(0, allowed + 1).map((size, missing) => toNumber(tail(size, missing)))
        expect(error).toBeGreaterThanOrEqual(Math.max(...tails) * (1 - 1e-12))
        expect(error).toBeLessThanOrEqual(tails.reduce((sum, one) => sum + one, 0) * (1 + 1e-12))
      })
    }
  })

  it('cannot err once half of all columns were seen', () => {
    for (const columns of [64, 100, 128]) expect(planOf({ columns }, 0).errors).toEqual([0])
    expect(planOf({ columns: 128 }, 64).errors.every((error) => error === 0)).toBe(true)
  })

  it('is planned from a target that makes sense, and from no other', () => {
    expect(planOf({ maxError: 2 ** -30 }, 8).sizes[0]).toBe(26)
    expect(planOf({ maxError: 1e-9 }, 0).sizes).toEqual([25])
    const bad = [
      {},
      null,
      { columns: 0 },
      { columns: 129 },
      { columns: 1.5 },
      { maxError: 0 },
      { maxError: 1 },
    ]
    for (const target of [...bad, { maxError: NaN }, { maxError: '1' }, { columns: 3, maxError: 0.1 }])
      expect(() => planOf(target as never, 0)).toThrow(TypeError)
    for (const allowMissing of [-1, 65, 0.5, NaN])
      expect(() => planOf({ columns: 1 }, allowMissing)).toThrow(TypeError)
  })
})

describe('columns', () => {
  it('are drawn without repetition, all of them if need be', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 128 }), fc.integer({ min: 0, max: 140 }), (from, count) => {
        const drawn = drawColumns(count, range(from), secureBytes)
        expect(new Set(drawn).size).toBe(Math.min(from, count))
        expect(drawn.every((column) => column < from)).toBe(true)
        expect(drawn).toHaveLength(Math.min(from, count))
      }),
    )
  })

  it('are all equally likely, first and last', () => {
    const rounds = 128 * 200
    for (const size of [3, 100, 128]) {
      const [first, second] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0)]
      for (let round = 0; round < rounds; round++) {
        const [a, b] = drawColumns(2, range(size), secureBytes)
        first[a!]!++
        second[b!]!++
      }
      // χ² has mean n−1 and deviation √(2(n−1)): six deviations are a chance of one in a billion.
      for (const counts of [first, second]) {
        const mean = rounds / size
        const chi = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
        expect(chi).toBeLessThan(size - 1 + 6 * Math.sqrt(2 * (size - 1)) + 20)
      }
    }
  })

  it('come from fair bytes alone', () => {
    // Of 128 columns each byte stands for one twice; of 100, bytes from 200 on are thrown away.
    const bytes = [200, 255, 199, 5]
    const from = (target: Uint8Array): void => void target.set(bytes.concat(range(252)))
    expect(drawColumns(1, range(100), from)).toEqual([99])
    expect(drawColumns(1, range(128), from)).toEqual([72])
  })
})

describe('what several servers show', () => {
  const shown = { missing: 0, maxError: 0, contested: [], target: 1, kzg: 'verified' } as const

  it('is nothing beyond themselves where whole blobs came, or nothing was shown', () => {
    const endpoints = ['https://a.example', 'https://b.example']
    for (const [samples, maxError] of [
      [0, 0],
      [0, 1],
      [2, 1],
    ] as const)
      expect(confidenceOf({ ...shown, samples, maxError, endpoints })).toMatchObject({
        ...{ maxError, servers: 2, maxErrorIfOneLies: 1, independent: false },
      })
  })
})

it('of a block of which no data was asked for nothing was shown', () => {
  const { confidence, columns, blobs, commitments, via } = unsampled(
    { endpoints: { all: [] } } as unknown as Parameters<typeof unsampled>[0],
    'no-blobs',
    'proven-empty',
  )
  expect({ columns, blobs, commitments, via }).toEqual({
    ...{ columns: [], blobs: null, commitments: [], via: 'header' },
  })
  expect(confidence).toEqual({
    ...{ samples: 0, missing: 0, maxError: 1, bits: 0, certain: false, servers: 0, maxErrorIfOneLies: 1 },
    ...{ contested: [], independent: false, assumption: 'nothing was shown' },
  })
})
