/** How a sampler asks several servers: in few questions, politely, and until everyone has had a chance. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle } from '../support/column-oracle.ts'
import { range } from '../support/make.ts'
import { badManners } from '../support/manners.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'

let block: ColumnBlock
beforeAll(async () => {
  block = await columnBlock([3, 4])
})

describe('one honest server among sixteen', () => {
  it('is asked for what all others fail at in few questions, and nothing warns of a leak', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    try {
      const honest = await startServer(columnOracle([block]))
      const noise = badManners['answers with noise']!.manner
      const bad = await Promise.all(range(15).map(() => startServer(columnOracle([block]), noise)))
      const urls = [...bad, honest].map(({ url }) => url)
      const report = await samplerFor(block, urls).sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
      // Its own share, and then what the fifteen did not deliver.
      expect(honest.asked).toHaveLength(2)
      expect(bad.every(({ asked }) => asked.length === 1)).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 0)) // warnings come with the next tick
      expect(warnings).toEqual([])
    } finally {
      process.off('warning', onWarning)
    }
  })
})
