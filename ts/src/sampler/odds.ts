/**
 * The hypergeometric bound. Any 64 of the 128 columns rebuild everything, so that a block is not available if and only if at
 * most 63 were published. Whoever draws s distinct columns at random, and is shown all of them, errs with probability
 * C(63, s) / C(128, s) at most. Source: specs/fulu/peer-sampling.md (`get_extended_sample_count`), as of its removal.
 *
 * Comparisons are exact, on big integers; a probability becomes a double at the very end.
 */

import { COLUMNS, COLUMNS_TO_REBUILD } from '../beacon/constants.ts'

/** The fewest columns that are missing where a block is not available: 65, and 63 that are there. */
const WITHHELD = COLUMNS - COLUMNS_TO_REBUILD + 1
const SHOWN = COLUMNS - WITHHELD

/** Pascal's triangle, as far as it is needed. */
const triangle: bigint[][] = [[1n]]
for (let n = 1; n <= COLUMNS; n++) {
  const above = triangle[n - 1] ?? []
  triangle.push(Array.from({ length: n + 1 }, (_, k) => (above[k - 1] ?? 0n) + (above[k] ?? 0n)))
}

/** C(n, k); 0 for k beyond n. */
export function binomial(n: number, k: number): bigint {
  return triangle[n]?.[k] ?? 0n
}

/** A probability as a fraction of integers. */
export interface Fraction {
  readonly of: bigint
  readonly among: bigint
}

/** That a sample of an unavailable block, in its best case for the liar, has at most so many columns missing. */
export function tail(samples: number, missing: number): Fraction {
  let ways = 0n
  for (let lacking = 0; lacking <= Math.min(missing, samples); lacking++)
    ways += binomial(WITHHELD, lacking) * binomial(SHOWN, samples - lacking)
  return { of: ways, among: binomial(COLUMNS, samples) }
}

/** The fewest samples, from `least` on, whose tail is not above a bound; at most all 128, whose tail is 0 up to 64 missing. */
export function samplesFor(missing: number, bound: Fraction, least: number = missing): number {
  let samples = Math.max(least, 1)
  while (samples < COLUMNS && isAbove(tail(samples, missing), bound)) samples++
  return samples
}

function isAbove(a: Fraction, b: Fraction): boolean {
  return a.of * b.among > b.of * a.among
}

/** A double in [0, 1], exactly. */
export function fractionOf(probability: number): Fraction {
  let [value, among] = [probability, 1n]
  // Doubling a double is exact, and ends: after 1,074 times the least of them is an integer.
  for (; !Number.isInteger(value); among *= 2n) value *= 2
  return { of: BigInt(value), among }
}

/** A fraction of at most 1 as a double; below 2⁻⁹⁰⁰, which no sample reaches, as 0. */
export function toNumber({ of, among }: Fraction): number {
  // More than the 53 bits of a double, for whatever is not 0 then.
  return Number((of << 960n) / among) * 2 ** -960
}

/**
 * The sizes of samples that allow for 0, 1, … missing columns: each as certain as the first of them, which has `columns`.
 * The specification's table, for 16: 16, 20, 24, 27, 29, 32, 35, 37, 40.
 */
export function failureTable(columns: number, allowMissing: number): number[] {
  const bound = tail(columns, 0)
  const sizes = [columns]
  for (let missing = 1; missing <= allowMissing; missing++)
    sizes.push(samplesFor(missing, bound, sizes[missing - 1]))
  return sizes
}

/**
 * The sizes of samples that allow for 0, 1, … missing columns and keep a bound all together: an unavailable block passes the
 * whole game with a probability of at most `bound`. The first sample is the smallest one that keeps the bound by itself, since
 * it is all that is drawn where nothing is missing. Of what the bound then leaves, each further size uses half at most, and the
 * last one the rest. There always are such sizes: with m of 64 + m columns missing, enough are there to rebuild everything.
 */
export function boundedSizes(bound: Fraction, allowMissing: number): number[] {
  const draws = new Draws()
  const sizes: number[] = []
  for (let missing = 0; missing <= allowMissing; missing++) {
    const share = missing === 0 || missing === allowMissing ? 1n : 2n
    // passed + share · next ≤ bound, all of it times 128! · bound.among.
    const isKept = (): boolean =>
      (draws.passed + share * draws.passing(missing)) * bound.among <= bound.of * ORDERS
    if (missing === 0) draws.draw()
    while (!isKept()) draws.draw()
    draws.pass(missing)
    sizes.push(draws.drawn)
  }
  return sizes
}

/**
 * How likely an unavailable block passes at a sample of at most `sizes[0]`, `sizes[1]`, … columns, where samples grow by that
 * table as columns turn out to be missing; exactly. It is more than the tail of that sample alone: there were several chances.
 *
 * The sample grows to `sizes[m]` once m columns are known to be missing, and the block passes if no other one is. Since sizes
 * do not decrease, this is: it passes if for some m the first `sizes[m]` columns of the order in which all of them would be
 * drawn have m missing ones at most.
 */
export function passOdds(sizes: readonly number[]): Fraction[] {
  const draws = new Draws()
  return sizes.map((size, missing) => {
    while (draws.drawn < size) draws.draw()
    draws.pass(missing)
    return { of: draws.passed, among: ORDERS }
  })
}

/** The probabilities of `passOdds` as doubles. */
export function passErrors(sizes: readonly number[]): number[] {
  return passOdds(sizes).map(toNumber)
}

const factorials: bigint[] = [1n]
for (let n = 1n; n <= COLUMNS; n++) factorials.push((factorials.at(-1) ?? 1n) * n)
const factorial = (n: number): bigint => factorials[n] ?? 0n
/** All orders in which columns can be drawn. */
const ORDERS = factorial(COLUMNS)

/** Orders of all columns of an unavailable block, in its best case for the liar, counted while they are drawn one by one. */
class Draws {
  /** Orders in which the block has passed so far, out of `ORDERS`. */
  passed = 0n
  drawn = 0
  /** `#open[k]`: beginnings of orders, as long as what was drawn, with k missing columns, that have not passed. */
  #open: bigint[] = [1n]

  draw(): void {
    const before = this.#open
    this.#open = Array.from({ length: before.length + 1 }, (_, missing) => {
      const shown = SHOWN - (this.drawn - missing)
      const asMissing = (before[missing - 1] ?? 0n) * BigInt(Math.max(WITHHELD - missing + 1, 0))
      return asMissing + (before[missing] ?? 0n) * BigInt(Math.max(shown, 0))
    })
    this.drawn++
  }

  /** Orders that pass here, if so many may be missing, and have not passed before. */
  passing(missing: number): bigint {
    const beginnings = this.#open.slice(0, missing + 1).reduce((sum, count) => sum + count, 0n)
    return beginnings * factorial(COLUMNS - this.drawn)
  }

  /** Whoever has at most so many missing passes, and is not counted again. */
  pass(missing: number): void {
    this.passed += this.passing(missing)
    this.#open.fill(0n, 0, missing + 1)
  }
}
