/** How often a block that is not available passes: over real HTTP, with few columns, where it can be seen, beside the formula. */
import { beforeAll, describe, expect, it } from 'vitest'
import { confidenceOf } from '../../dist/sampler/confidence.js'
import { passErrors, tail, toNumber } from '../../dist/sampler/odds.js'
import { planOf } from '../../dist/sampler/plan.js'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, only } from '../support/column-oracle.ts'
import { range, seeded, shuffled } from '../support/make.ts'
import { bytesFrom, samplerFor } from '../support/samplers.ts'

let block: ColumnBlock
beforeAll(async () => {
  block = await columnBlock([3])
})

/** How often, of so many samples, a block passes of which 65 columns, other ones each time, are withheld. */
async function passed(rounds: number, columns: number, allowMissing: number): Promise<number> {
  const server = { holds: new Set<number>() }
  const { url } = await startServer(
    columnOracle(
      [block],
      only((index) => server.holds.has(index)),
    ),
  )
  const sampler = samplerFor(block, url, { target: { columns }, allowMissing }, bytesFrom(columns))
  const random = seeded(1000 + columns)
  let count = 0
  for (let round = 0; round < rounds; round++) {
    server.holds = new Set(shuffled(range(128), random).slice(0, 63))
    const { verdict } = await sampler.sampleBlock('head')
    expect(verdict).not.toBe('no-blobs')
    if (verdict === 'available') count++
  }
  return count
}

describe('65 columns withheld', () => {
  it.each([1, 2, 3, 4, 6, 8])('are missed by %i columns as often as the formula says', async (columns) => {
    const rounds = 250
    const count = await passed(rounds, columns, 0)
    const odds = toNumber(tail(columns, 0))
    // Six deviations, and one, since few are expected of the larger samples.
    const margin = 6 * Math.sqrt(rounds * odds * (1 - odds)) + 1
    console.info(`${columns} columns: ${count} of ${rounds} passed, ${(odds * rounds).toFixed(1)} expected`)
    expect(Math.abs(count - rounds * odds)).toBeLessThan(margin)
  })

  it('are missed by a sample that may grow as often as is said', async () => {
    const rounds = 250
    const count = await passed(rounds, 2, 2)
    const odds = passErrors(planOf({ columns: 2 }, 2).sizes)[2]!
    const margin = 6 * Math.sqrt(rounds * odds * (1 - odds)) + 1
    console.info(`2 columns, 2 may be missing: ${count} passed, ${(odds * rounds).toFixed(1)} expected`)
    expect(Math.abs(count - rounds * odds)).toBeLessThan(margin)
  })
})

describe('one server that alone has the 65 columns that were not published', () => {
  it.each([4, 8, 16])('makes a sample of %i look good no more often than is said', (samples) => {
    const random = seeded(samples)
    const rounds = 4_000
    const errors = range(rounds).map(() => {
      const published = new Set(shuffled(range(128), random).slice(0, 63))
      const sample = shuffled(range(128), random).slice(0, samples)
      // It delivers what others cannot, and no more than that, so as to be missed the least.
      const endpoints = sample.map((index) => `https://${published.has(index) ? index : 'liar'}.example`)
      const terms = { samples, missing: 0, maxError: toNumber(tail(samples, 0)), contested: [], target: 0 }
      return confidenceOf({ ...terms, endpoints }).maxErrorIfOneLies
    })
    for (const bound of [0.5, 0.2, 0.05, 0.01]) {
      const count = errors.filter((error) => error <= bound).length
      expect(count, `at most ${bound}`).toBeLessThan(rounds * bound + 6 * Math.sqrt(rounds * bound) + 1)
    }
    // It does tell: most of what is so bad is said to be.
    expect(errors.filter((error) => error > 0.1).length).toBeGreaterThan(rounds / 2)
  })
})
