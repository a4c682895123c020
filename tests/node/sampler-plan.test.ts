/** Sizes of samples, by odds that can be worked out by hand: where they begin and end, and which targets there are. */
import { describe, expect, it } from 'vitest'
import {
  binomial,
  boundedSizes,
  failureTable,
  type Fraction,
  passOdds,
  samplesFor,
  tail,
} from '../../dist/sampler/odds.js'
import { DEFAULT_ALLOW_MISSING, DEFAULT_TARGET, planOf } from '../../dist/sampler/plan.js'
import { range } from '../support/make.ts'

const isSame = ({ of, among }: Fraction, top: bigint, bottom: bigint): boolean => of * bottom === top * among
/** So little that no sample is that sure, and all that there is. */
const [nothing, everything] = [
  { of: 0n, among: 1n },
  { of: 1n, among: 1n },
]

describe('subsets', () => {
  it('are as many as bits are, of all sizes together', () => {
    for (const n of [0, 1, 2, 3, 64, 127, 128]) {
      const sum = range(n + 1).reduce((all, k) => all + binomial(n, k), 0n)
      expect(sum).toBe(2n ** BigInt(n))
    }
  })

  it('are counted one by one, up to all 128 columns', () => {
    expect(range(7).map((k) => binomial(5, k))).toEqual([1n, 5n, 10n, 10n, 5n, 1n, 0n])
    expect([1, 2, 126, 127, 129].map((k) => binomial(128, k))).toEqual([128n, 8128n, 8128n, 128n, 0n])
  })
})

describe('the odds that an unavailable block, of which 63 columns are there, passes', () => {
  it('by one column, or by two', () => {
    expect(isSame(tail(1, 0), 63n, 128n)).toBe(true)
    expect(isSame(tail(1, 1), 1n, 1n)).toBe(true)
    expect(isSame(tail(2, 0), 63n * 62n, 128n * 127n)).toBe(true)
  })

  it('as the sample grows, are those of each order in which all columns can be drawn', () => {
    const orders = range(128).reduce((product, at) => product * BigInt(at + 1), 1n)
    const [one, two, three] = passOdds([1, 2, 2])
    expect(one!.among).toBe(orders)
    expect(isSame(one!, 63n, 128n)).toBe(true)
    expect(isSame(two!, 63n * 127n + 65n * 63n, 128n * 127n)).toBe(true)
    expect(isSame(three!, 1n, 1n)).toBe(true)
  })

  it('are none where all columns are asked for, however many may be missing', () => {
    expect(passOdds(range(65).map(() => 128)).map(({ of }) => of)).toEqual(range(65).map(() => 0n))
  })
})

describe('a sample', () => {
  it('has as many columns as it is to begin with, and one at least', () => {
    expect([30, 1, 0].map((least) => samplesFor(0, everything, least))).toEqual([30, 1, 1])
    expect(boundedSizes(everything, 0)).toEqual([1])
  })

  it('has all 128 columns at most, even where they are not enough', () => {
    expect(samplesFor(65, nothing)).toBe(128)
    expect(samplesFor(64, nothing)).toBe(128)
  })

  it('is no larger than it must be where it errs exactly as often as it may', () => {
    for (const columns of [1, 2, 26, 63]) {
      expect(boundedSizes(tail(columns, 0), 0)).toEqual([columns])
      expect(samplesFor(0, tail(columns, 0))).toBe(columns)
    }
  })

  it('never shrinks where columns are missing, not even one that was larger than needed', () => {
    expect(failureTable(100, 3)).toEqual([100, 100, 100, 100])
    expect(failureTable(128, 64)).toEqual(range(65).map(() => 128))
  })
})

describe('a target', () => {
  it('is an error of 2⁻³⁰ unless another one is named, with up to eight columns missing', () => {
    const { sizes, maxError } = planOf(DEFAULT_TARGET, DEFAULT_ALLOW_MISSING)
    expect(maxError).toBe(2 ** -30)
    expect(sizes).toEqual([26, 30, 34, 38, 41, 44, 46, 49, 51])
  })

  it('of columns is one of the error that they leave where none is missing', () => {
    for (const allowMissing of [0, 4]) {
      const { errors, maxError, sizes } = planOf({ columns: 1 }, allowMissing)
      expect([sizes[0], errors[0], maxError]).toEqual([1, 63 / 128, 63 / 128])
      expect(errors).toHaveLength(allowMissing + 1)
    }
  })

  it.each([null, undefined, 26, 'maxError', () => {}, { columns: 3, maxError: 0.1 }])(
    'is one of the two: %s is none',
    (target) => {
      expect(() => planOf(target as never, 0)).toThrow(
        new TypeError('target must be { columns } or { maxError }'),
      )
    },
  )

  it.each([
    {},
    { maxError: '0.5' },
    { maxError: 0 },
    { maxError: 1 },
    { maxError: NaN },
    { maxError: [0.5] },
  ])('of an error is a probability, and a number: %j is none', (target) => {
    expect(() => planOf(target as never, 0)).toThrow(/^target\.maxError must be a probability/)
  })
})
