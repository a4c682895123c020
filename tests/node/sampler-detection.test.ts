/** How often a block that is not available passes: over real HTTP, with few columns, where it can be seen, beside the formula. */
import { createVerifier, type Verifier } from 'blobcheck'
import type { Resolution } from 'blobcheck/sampler'
import { type MadeChain, makeChain, withheldColumns } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confidenceOf } from '../../dist/sampler/confidence.js'
import { samplerOf } from '../../dist/sampler/create.js'
import { passErrors, tail, toNumber } from '../../dist/sampler/odds.js'
import { planOf } from '../../dist/sampler/plan.js'
import { range, seeded, shuffled } from '../support/make.ts'
import { bytesFrom } from '../support/samplers.ts'

const BLOCKS = 120
const WITHHOLD = { kind: 'withhold', columns: 65 } as const

let chain: MadeChain
let server: BeaconServer
let verifier: Verifier
beforeAll(async () => {
  chain = await makeChain({ clock: 'by-hand', slots: BLOCKS, blobsPerBlock: 1, signHeaders: false })
  // Of each block 65 columns, other ones each time.
  server = await serveBeacon({ chain, faults: { rules: [{ fault: WITHHOLD }] } })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
})
afterAll(async () => {
  await verifier.dispose()
  await server.close()
})

/**
 * How often, of so many samples, of one block after the other, a block passes: each time that the columns that it drew allow it, and no
 * other. Samples are drawn from a seed of their own.
 */
async function passed(rounds: number, columns: number, allowMissing: number): Promise<number> {
  const resolve = (id: unknown): Promise<Resolution> =>
    Promise.resolve({ status: 'found', header: { root: chain.at(Number(id))!.root, slot: Number(id) } })
  const sampler = samplerOf(
    {
      ...{ verifier, headers: { resolve }, beacon: server.url, now: () => chain.now() },
      ...{ target: { columns }, allowMissing },
    },
    bytesFrom(columns),
  )
  const { sizes } = planOf({ columns }, allowMissing)
  let count = 0
  for (let round = 0; round < rounds; round++) {
    const slot = chain.head.slot - (round % BLOCKS)
    const { verdict, columns: drawn } = await sampler.sampleBlock(slot)
    const hidden = withheldColumns([WITHHOLD], chain.at(slot)!.root)
    expect(hidden.size).toBe(65)
    for (const { index, status } of drawn) expect(status === 'verified').toBe(!hidden.has(index))
    const missing = drawn.filter(({ index }) => hidden.has(index)).length
    expect(drawn).toHaveLength(missing > allowMissing ? drawn.length : sizes[missing]!)
    expect(verdict === 'available').toBe(missing <= allowMissing)
    if (verdict === 'available') count++
  }
  return count
}

/** Beside each other: what was measured, and what the formula says. Three deviations, and one, since few are expected of some. */
function expectRate(what: string, count: number, rounds: number, odds: number): void {
  const shown = `${((100 * count) / rounds).toFixed(2)} % passed, ${(100 * odds).toFixed(2)} % by the formula`
  console.info(`${what}: ${shown} (${count} of ${rounds})`)
  expect(Math.abs(count - rounds * odds)).toBeLessThan(3 * Math.sqrt(rounds * odds * (1 - odds)) + 1)
}

describe('65 columns withheld', () => {
  it.each([1, 2, 4, 8])('are missed by %i columns as often as the formula says', async (columns) => {
    // More of those where fewer pass.
    const rounds = columns > 4 ? 240 : 120
    const count = await passed(rounds, columns, 0)
    expectRate(`${columns} columns`, count, rounds, toNumber(tail(columns, 0)))
  })

  it('are missed by a sample that may grow as often as is said', async () => {
    const rounds = 120
    const count = await passed(rounds, 2, 2)
    const odds = passErrors(planOf({ columns: 2 }, 2).sizes)[2]!
    expectRate('2 columns, of which 2 may be missing', count, rounds, odds)
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
      return confidenceOf({ ...terms, endpoints, kzg: 'verified' }).maxErrorIfOneLies
    })
    for (const bound of [0.5, 0.2, 0.05, 0.01]) {
      const count = errors.filter((error) => error <= bound).length
      expect(count, `at most ${bound}`).toBeLessThan(rounds * bound + 6 * Math.sqrt(rounds * bound) + 1)
    }
    // It does tell: most of what is so bad is said to be.
    expect(errors.filter((error) => error > 0.1).length).toBeGreaterThan(rounds / 2)
  })
})
