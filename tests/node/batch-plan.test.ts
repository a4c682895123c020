/** How a batch is split over workers: what a split gains and costs, whole rounds, and groups that are not too large. No verdict depends on it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COLLECT, HOP, type Load, loadOf, plan } from '../../dist/verifier/batch/plan.js'
import { range } from '../support/make.ts'

/** Loads of so many milliseconds, with bytes that are the same for each, or one's own. */
const loads = (ms: readonly number[], bytes: number | readonly number[] = 1): Load[] =>
  ms.map((one, at) => ({ ms: one, bytes: typeof bytes === 'number' ? bytes : bytes[at]! }))
const same = (count: number, ms: number): number[] => range(count).map(() => ms)
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

it('what a unit costs is told by its kind, and by the rows of a column', () => {
  const unit = (...head: number[]): Uint8Array => Uint8Array.from([...head, 7, 7, 7, 7])
  for (const [bytes, ms] of [
    [unit(1, 9, 9, 9), COLLECT.blob],
    [unit(2, 9, 21, 0), 21 * COLLECT.cell],
    [unit(2, 9, 44, 1), 300 * COLLECT.cell],
    [unit(3, 9, 9, 9), 128 * COLLECT.cell],
    [unit(5, 9, 9, 9), COLLECT.bare],
    [unit(6, 9, 9, 9), COLLECT.bare],
  ] as const)
    expect(loadOf(bytes)).toEqual({ ms, bytes: bytes.length })
  // A column without rows, and less than a head.
  expect(loadOf(Uint8Array.of(2))).toEqual({ ms: 0, bytes: 1 })
  expect(loadOf(new Uint8Array(0)).ms).toBeGreaterThan(0)
})

describe('a batch', () => {
  it.each([
    ['nothing has no groups', [], 2, []],
    ['one unit is one group', [1], 4, [1]],
    ['without workers it is one group', same(5, 1), 0, [5]],
    ['a worker has one group', same(5, 1), 1, [5]],
    ['what takes longer than a message is split', same(2, HOP + 0.01), 2, [1, 1]],
    ['what takes no longer is not', same(2, HOP - 0.01), 2, [2]],
    ['what takes as long is not', same(2, 0.4), 2, [2]],
    ['no more groups than the largest unit leaves time for', [10, 1, 1], 3, [1, 2]],
    ['nor than there are units', same(3, 9), 8, [1, 1, 1]],
    ['groups take about the same time', same(7, 1), 3, [2, 3, 2]],
    ['also where the costly ones come last', [1, 1, 1, 1, 4, 4], 2, [5, 1]],
    ['and first', [4, 4, 1, 1, 1, 1], 2, [2, 4]],
    ['and in the middle', [2, 6, 2], 2, [2, 1]],
    ['and where they are as long as all others', [100, 100, 100, 300], 2, [3, 1]],
    ['whichever comes first', [300, 100, 100, 100], 2, [1, 3]],
    ['two blobs are worth a message', same(2, COLLECT.blob), 2, [1, 1]],
    ['three have a worker each', same(3, COLLECT.blob), 4, [1, 1, 1]],
    ['and four', same(4, COLLECT.blob), 4, [1, 1, 1, 1]],
    ['six are shared by two', same(6, COLLECT.blob), 2, [3, 3]],
    ['and seven', same(7, COLLECT.blob), 2, [4, 3]],
    ['two cells are not worth a message', same(2, COLLECT.cell), 2, [2]],
    ['those of a whole row are', same(128, COLLECT.cell), 2, [64, 64]],
    ['half a message is not worth one', same(2, HOP / 2), 2, [2]],
  ] as const)('%s', (_, ms, workers, groups) => {
    expect(plan(loads(ms), workers)).toEqual(groups)
  })

  it('has groups of nine megabytes at the most, in whole rounds', () => {
    expect(plan(loads(same(200, 1), 131_200), 2)).toEqual([50, 50, 50, 50])
    expect(plan(loads(same(144, 1), 131_072), 2)).toEqual([72, 72])
    expect(plan(loads(same(145, 1), 131_072), 2)).toHaveLength(4)
    // Of blobs, with what a unit has besides, 71 go into a group.
    expect(plan(loads(same(142, COLLECT.blob), 131_272), 2)).toEqual([71, 71])
    expect(plan(loads(same(143, COLLECT.blob), 131_272), 2)).toEqual([36, 36, 36, 35])
    // Three groups have room for all of it; the fourth has a worker that would idle.
    expect(plan(loads(same(5, 0.1), 60), 2, 150)).toHaveLength(4)
  })

  it('has groups of as many bytes as are allowed, and a larger one for a larger unit', () => {
    expect(plan(loads([0.1, 0.1], 50), 1, 100)).toEqual([2])
    expect(plan(loads([0.1, 0.1], 50), 1, 99)).toEqual([1, 1])
    expect(plan(loads(same(4, 10), 10), 1, 20)).toEqual([2, 2])
    expect(plan(loads([1], 500), 1, 100)).toEqual([1])
    expect(plan(loads([1, 1, 1], [10, 500, 10]), 1, 100)).toEqual([1, 1, 1])
    // Units do not fill their groups: one more round than the bytes say.
    expect(plan(loads([0.1, 0.1, 0.1], 100), 2, 150)).toEqual([1, 1, 1])
    expect(plan(loads(same(7, 3), 3), 2, 10)).toEqual([2, 2, 2, 1])
    // As many groups as are wanted, though the first ones are light.
    expect(plan(loads([1, 1, 10], [10, 10, 500]), 1, 100)).toEqual([1, 1, 1])
  })

  it('has each unit once, within the limits, in groups that are longer than their share by a unit at the most', () => {
    const load = fc.record({ ms: fc.integer({ min: 1, max: 900 }), bytes: fc.integer({ min: 1, max: 120 }) })
    fc.assert(
      fc.property(
        fc.array(load, { maxLength: 80 }),
        fc.nat(16),
        fc.constantFrom(100, 300, 1_000, 1e6),
        (all, workers, limit) => {
          const groups = plan(all, workers, limit)
          expect(sum(groups)).toBe(all.length)
          const sizes = groups.map((count, at) => {
            const from = sum(groups.slice(0, at))
            const some = all.slice(from, from + count)
            return { count, ms: sum(some.map(({ ms }) => ms)), bytes: sum(some.map(({ bytes }) => bytes)) }
          })
          const total = sum(all.map(({ ms }) => ms))
          const largest = Math.max(0, ...all.map(({ ms }) => ms))
          for (const { count, ms, bytes } of sizes) {
            expect(count).toBeGreaterThan(0)
            if (count > 1) expect(bytes).toBeLessThanOrEqual(limit)
            // Where bytes alone do not make the groups.
            if (limit === 1e6) expect(ms).toBeLessThanOrEqual(total / groups.length + largest)
          }
        },
      ),
    )
  })

  it('has as many groups for each worker, where one each would be too large', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 8 }), (count, workers) => {
        const groups = plan(loads(same(count, 1), 100), workers, 1_000)
        if (count * 100 > workers * 1_000) expect(groups.length % workers).toBe(0)
      }),
    )
  })

  it('takes a unit longer, at the most, than the best even split over as many workers or fewer', () => {
    const some = fc.array(fc.double({ min: 0.01, max: 60, noNaN: true }), { maxLength: 80 })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 16 }), (ms, workers) => {
        const groups = plan(loads(ms), workers, Number.POSITIVE_INFINITY)
        expect(groups.length).toBeLessThanOrEqual(workers)
        const largest = Math.max(0, ...ms)
        /** The slow twin of the prediction: the longest group, and what splitting costs. */
        const timeOf = (longest: number, count: number): number =>
          longest + COLLECT.group + (count > 1 ? HOP : 0)
        const even = range(Math.max(Math.min(workers, ms.length), 1)).map((at) =>
          timeOf(Math.max(sum(ms) / (at + 1), largest), at + 1),
        )
        const sums = groups.map((count, at) => {
          const from = sum(groups.slice(0, at))
          return sum(ms.slice(from, from + count))
        })
        const time = timeOf(Math.max(0, ...sums), groups.length)
        expect(time).toBeLessThanOrEqual(Math.min(...even) + largest + 1e-9)
      }),
    )
  })
})
