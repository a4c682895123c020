/** How a sampler asks several servers: in few questions, politely, and until everyone has had a chance. */
import { createVerifier } from 'blobcheck'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Manner, plainly } from '../support/beacon-server.ts'
import { invented } from '../support/blocks.ts'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, only } from '../support/column-oracle.ts'
import { range } from '../support/make.ts'
import { badManners } from '../support/manners.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'
import { SourcedSidecar } from '../../dist/verifier/sourced-sidecar.js'

let block: ColumnBlock
beforeAll(async () => {
  block = await columnBlock([3, 4])
})

describe('one honest server among sixteen', () => {
  it('is asked for what all others deny in one more question', async () => {
    const honest = await startServer(columnOracle([block]))
    const liars = await Promise.all(range(15).map(() => startServer(columnOracle([block], nothing))))
    const urls = [...liars, honest].map(({ url }) => url)
    const report = await samplerFor(block, urls).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
    expect(honest.asked).toHaveLength(2)
  })

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

/** So many requests in a second, and then 429 with a wish for a pause of so many seconds. */
function limited(perSecond: number, retryAfter: string): Manner {
  let [since, count] = [Number.NEGATIVE_INFINITY, 0]
  return (said, request, response) => {
    const now = performance.now()
    if (now - since >= 1_000) [since, count] = [now, 0]
    if (++count <= perSecond) plainly(said, request, response)
    else response.writeHead(429, { 'retry-after': retryAfter }).end()
  }
}

const nothing = only(() => false)
const custodian = only((index) => index < 40)
/** For those whom only time ends. A server that a stalled machine keeps from answering is asked again. */
const impatient = { timeoutMs: 500, deadlineMs: 3_000 } as const

describe('an honest server that wants to be left alone for a moment', () => {
  it('is waited for, and accused of nothing', async () => {
    const honest = await startServer(columnOracle([block]), limited(1, '1'))
    const liars = await Promise.all(range(3).map(() => startServer(columnOracle([block], nothing))))
    const urls = [...liars, honest].map(({ url }) => url)
    const sampler = samplerFor(block, urls)
    for (let round = 0; round < 2; round++) {
      const report = await sampler.sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
    }
    expect(honest.asked.length).toBeLessThanOrEqual(6)
  })

  it('for longer than the block may take is not asked again', async () => {
    const honest = await startServer(columnOracle([block]), limited(0, '60'))
    const other = await startServer(columnOracle([block], custodian))
    const report = await samplerFor(block, [honest.url, other.url], { allowMissing: 0 }).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    // Its share at first, and then what the other one lacks.
    expect(honest.asked.length).toBeLessThanOrEqual(2)
  })
})

it('a server that has nothing, and wants to be left alone, is not waited for while another one can be asked', async () => {
  const none = await startServer(columnOracle([block]), (_said, _request, response) => {
    response.writeHead(404, { 'retry-after': '20' }).end()
  })
  const honest = await startServer(columnOracle([block]))
  const sampler = samplerFor(block, [none.url, honest.url])
  for (let round = 0; round < 4; round++) {
    const report = await sampler.sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
  }
  expect(none.asked).toHaveLength(1)
})

describe('columns that are missing', () => {
  it.each<[string, Manner]>([
    ['never answers', () => {}],
    ['has not heard of the block', (_said, _request, response) => void response.writeHead(404).end()],
    ['fails', (_said, _request, response) => void response.writeHead(500).end()],
    ['answers with noise', badManners['answers with noise']!.manner],
  ])('are no evidence while a server %s', async (name, manner) => {
    const terms = name === 'never answers' ? impatient : {}
    const partly = await startServer(columnOracle([block], custodian))
    const other = await startServer(columnOracle([block]), manner)
    const report = await samplerFor(block, [partly.url, other.url], terms).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    expect(report.columns.some(({ status }) => status === 'verified')).toBe(true)
  })

  it('are evidence once all have answered', async () => {
    const servers = await Promise.all(
      [custodian, nothing].map((select) => startServer(columnOracle([block], select))),
    )
    const urls = servers.map(({ url }) => url)
    const report = await samplerFor(block, urls).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unavailable', reason: 'columns-missing' })
  })

  it('are none while those that all denied are no more than may be missing', async () => {
    const partly = await startServer(columnOracle([block], custodian))
    let asked = 0
    const tiring = await startServer(columnOracle([block], nothing), (said, request, response) => {
      if (asked++ === 0) plainly(said, request, response)
    })
    const urls = [partly.url, tiring.url]
    const report = await samplerFor(block, urls, { ...impatient, allowMissing: 64 }).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    expect(report.columns.some(({ reason }) => reason === 'not-delivered')).toBe(true)
  })
})

describe('a column on which our own workers crash', () => {
  it('is asked of another server', async () => {
    const [trap, honest] = await Promise.all(range(2).map(() => startServer(columnOracle([block]))))
    const real = await createVerifier({ network: invented, workers: 0, cache: false })
    const verify = real.verifyDataColumnSidecars.bind(real)
    try {
      real.verifyDataColumnSidecars = async (sidecars, options) => {
        const verdicts = await verify(sidecars, options)
        return verdicts.map((verdict, at) =>
          SourcedSidecar.open((sidecars as readonly unknown[])[at])?.[1] === trap!.url
            ? { status: 'error', reason: 'worker-crashed', links: verdict.links }
            : verdict,
        )
      }
      const both = await samplerFor(block, [trap!.url, honest!.url], { verifier: real }).sampleBlock('head')
      expectSound(both)
      expect(both).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
      expect(both.columns.some(({ attempts }) => attempts[0]?.outcome === 'crashed')).toBe(true)
      const alone = await samplerFor(block, trap!.url, { verifier: real }).sampleBlock('head')
      expectSound(alone)
      expect(alone).toMatchObject({ verdict: 'unknown', reason: 'crashed' })
    } finally {
      await real.dispose()
    }
  })
})
