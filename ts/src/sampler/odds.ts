/**
 * The hypergeometric bound. Any 64 of the 128 columns rebuild everything, so that a block is not available if and only if at
 * most 63 were published. Whoever draws s distinct columns at random, and is shown all of them, errs with probability
 * C(63, s) / C(128, s) at most. Source: specs/fulu/peer-sampling.md (`get_extended_sample_count`), as of its removal.
 *
 * Comparisons are exact, on big integers; a probability becomes a double at the very end.
 */

import { COLUMNS } from '../beacon/constants.ts'

/** Columns from which the rest follows. */
export const ENOUGH = 64
/** The fewest columns that are missing where a block is not available: 65, and 63 that are there. */
const WITHHELD = COLUMNS - ENOUGH + 1
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
 * How likely an unavailable block passes at a sample of at most `sizes[0]`, `sizes[1]`, … columns, where samples grow by that
 * table as columns turn out to be missing. It is more than the tail of that sample alone: there were several chances.
 *
 * A walk over all that can happen. Stage m is where m columns are known to be missing; from there the sample grows to
 * `sizes[m]`, and passes if no other one is. Only positive numbers are added up, so that no digits are lost.
 */
export function passErrors(sizes: readonly number[]): number[] {
  /** For each stage: how likely it is reached after so many draws. */
  const reached: Map<number, number>[] = sizes.map(() => new Map<number, number>())
  reached[0]?.set(0, 1)
  let passed = 0
  return sizes.map((size, stage) => {
    for (const [drawn, odds] of reached[stage] ?? []) {
      const more = size - drawn
      const among = binomial(COLUMNS - drawn, more)
      for (let lacking = 0; lacking <= more; lacking++) {
        const total = stage + lacking
        const of = binomial(WITHHELD - stage, lacking) * binomial(SHOWN - (drawn - stage), more - lacking)
        if (of === 0n || (total > stage && total >= sizes.length)) continue
        const likely = odds * toNumber({ of, among })
        if (total === stage) passed += likely
        else reached[total]?.set(size, (reached[total].get(size) ?? 0) + likely)
      }
    }
    return passed
  })
}
