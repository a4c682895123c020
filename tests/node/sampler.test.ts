/** Sampling over real HTTP: what honest servers lead to, and what a report says. */
import { createVerifier, type VerdictCache } from 'blobcheck'
import type { SampleProgress } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { toNumber, tail } from '../../dist/sampler/odds.js'
import { startServer } from '../support/clients.ts'
import { type ColumnBlock, columnBlock, columnOracle, headersOf, only } from '../support/column-oracle.ts'
import { invented } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { makeBlob, range } from '../support/make.ts'
import { jsonOnly } from '../support/manners.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'

const CONSTANTS = [3, 4, 9]
let block: ColumnBlock
beforeAll(async () => {
  block = await columnBlock(CONSTANTS)
})

describe('a block that is all there', () => {
  it('is available, as certain as the columns that were asked for', async () => {
    const server = await startServer(columnOracle([block]))
    const events: SampleProgress[] = []
    const sampler = samplerFor(block, server.url)
    expect(sampler.plan).toEqual({ columns: 26, maxError: toNumber(tail(26, 0)) })
    const report = await sampler.sampleBlock('head', { onProgress: (event) => void events.push(event) })
    expectSound(report)
    expect(report).toMatchObject({
      block: { root: block.root, slot: block.slot },
      verdict: 'available',
      reason: 'sampled',
      via: 'data-columns',
      blobCount: { count: 3, by: 'committed' },
      commitments: CONSTANTS.map((c) => toHex(makeBlob(c).commitment as Uint8Array)),
      confidence: { samples: 26, missing: 0, certain: false, servers: 1, independent: false },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted', 'sync-committee': 'absent' },
    })
    expect(report.confidence.bits).toBeGreaterThan(30)
    expect(report.confidence.assumption).toContain('this server has them')
    expect(report.notVerified).toEqual([
      'header',
      'sync-committee',
      'checkpoint',
      'proposer-signature',
      'blob-count',
      'columns-not-sampled',
      'independence-of-endpoints',
    ])
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.accept.startsWith('application/octet-stream')).toBe(true)
    expect(report.bytes).toBe(26 * (4 + block.columns[0]!.length))

    const chosen = events.find((event) => event.kind === 'chosen')
    expect(chosen?.columns).toEqual(report.columns.map(({ index }) => index))
    const { slot, root } = block
    expect(events[0]).toEqual({ stage: 'block', done: 1, total: 1, kind: 'block', slot, root, blobs: null })
    expect(events.at(-1)).toEqual({ stage: 'report', done: 1, total: 1, kind: 'done', report })
    const steps = events.filter(({ stage }) => stage === 'columns')
    expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).sort((a, b) => a - b))
    expect(new Set(steps.map(({ total }) => total))).toEqual(new Set([26]))
    expect(steps.at(-1)).toMatchObject({ kind: 'column', done: 26 })
    const outcomes = events.flatMap((event) => (event.kind === 'column' ? event.outcome : []))
    expect(new Set(outcomes)).toEqual(new Set(report.columns))
    expect(outcomes).toHaveLength(26)
    expect(events.filter(({ kind }) => kind === 'fetched')).toHaveLength(26)
  })

  it('is shared out among several servers, which are asked for different columns', async () => {
    const servers = await Promise.all(range(3).map(() => startServer(columnOracle([block]))))
    const report = await samplerFor(
      block,
      servers.map(({ url }) => url),
      { target: { columns: 9 } },
    ).sampleBlock(block.slot)
    expectSound(report)
    expect(report).toMatchObject({
      verdict: 'available',
      confidence: { servers: 3, maxErrorIfOneLies: toNumber(tail(9, 3)), contested: [], independent: false },
    })
    expect(report.confidence.assumption).toContain('none of the 3 servers shows this client what it hides')
    expect(report.endpoints.map(({ verified }) => verified.length)).toEqual([3, 3, 3])
    expect(servers.map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  it.each([
    [2, 128],
    [3, 96],
  ])('is shown to be there whichever of %i servers lies by %i columns', async (count, columns) => {
    const servers = await Promise.all(range(count).map(() => startServer(columnOracle([block]))))
    const urls = servers.map(({ url }) => url)
    const report = await samplerFor(block, urls, { target: { columns } }).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({
      confidence: { servers: count, maxErrorIfOneLies: 0, independent: true },
    })
    expect(report.notVerified).not.toContain('independence-of-endpoints')
    // One more from a server, and one less from the others: half is not reached without it.
    const less = await samplerFor(block, urls, { target: { columns: columns - count } }).sampleBlock('head')
    expectSound(less)
    expect(less.confidence).toMatchObject({ independent: false })
  })

  it('draws other columns each time', async () => {
    const server = await startServer(columnOracle([block]))
    const sampler = samplerFor(block, server.url, { target: { columns: 8 } })
    const samples = await Promise.all(range(4).map(async () => await sampler.sampleBlock('head')))
    const keys = samples.map(({ columns }) => columns.map(({ index }) => index).join())
    expect(new Set(keys).size).toBe(4)
  })

  it.each([406, 415] as const)('is read from JSON where a server answers %i to SSZ', async (code) => {
    const server = await startServer(columnOracle([block]), jsonOnly(code))
    const report = await samplerFor(block, server.url, { target: { columns: 5 } }).sampleBlock(block.root)
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { samples: 5 } })
    expect(report.endpoints[0]?.failures).toEqual([])
  })

  it('is found at servers that each hold a part of it', async () => {
    const [even, odd] = [
      await startServer(
        columnOracle(
          [block],
          only((index) => index % 2 === 0),
        ),
      ),
      await startServer(
        columnOracle(
          [block],
          only((index) => index % 2 === 1),
        ),
      ),
    ]
    const report = await samplerFor(block, [even.url, odd.url]).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, samples: 26 } })
    for (const { index, source } of report.columns) expect(source).toBe(index % 2 === 0 ? even.url : odd.url)
  })

  it('is not said to be verified where the verifier’s cache alone vouches for it', async () => {
    const server = await startServer(columnOracle([block]))
    const cache: VerdictCache = {
      has: async (digests) => digests.map(() => true),
      ...{ add: async () => {}, clear: async () => {} },
    }
    const verifier = await createVerifier({ network: invented, workers: 1, cache })
    onTestFinished(() => verifier.dispose())
    const sampler = samplerFor(block, server.url, { verifier, target: { columns: 64 } })
    const { confidence, links, notVerified, verdict } = await sampler.sampleBlock('head')
    expect(verdict).toBe('available')
    expect(confidence.certain).toBe(true)
    expect(links).toMatchObject({ kzg: 'trusted', inclusion: 'verified' })
    expect(notVerified[0]).toBe('kzg')
    expect(confidence.assumption).toMatch(/^the verifier’s cache is right about /)
  })

  it('is rebuilt from half of its columns, whole, and by nothing less', async () => {
    const server = await startServer(
      columnOracle(
        [block],
        only((index) => index % 2 === 0),
      ),
    )
    const sampler = samplerFor(block, server.url, { target: { columns: 128 }, allowMissing: 64 })
    const report = await sampler.sampleBlock('head', { reconstruct: true })
    expectSound(report)
    expect(report).toMatchObject({
      verdict: 'available',
      reason: 'reconstructible',
      confidence: { samples: 128, missing: 64, certain: true, bits: null, maxError: 0 },
    })
    expect(
      report.blobs?.map(({ blob, commitment, index }) => ({ blob: toHex(blob), commitment, index })),
    ).toEqual(
      CONSTANTS.map((c, index) => ({
        index,
        blob: toHex(makeBlob(c).blob),
        commitment: toHex(makeBlob(c).commitment as Uint8Array),
      })),
    )
    // A sample that grows far enough ends the same.
    const grown = await sampler.sampleBlock('head', { reconstruct: true, target: { columns: 20 } })
    expect(grown).toMatchObject({ verdict: 'available', confidence: { certain: true } })
    expect(grown.blobs).toHaveLength(3)
    const full = await startServer(columnOracle([block]))
    const terms = { reconstruct: true, target: { columns: 63 } }
    const few = await samplerFor(block, full.url).sampleBlock('head', terms)
    expect(few).toMatchObject({ verdict: 'available', confidence: { certain: false } })
    expect(few.blobs).toBeNull()
  })
})

describe('what is no block to sample', () => {
  it('is said, and nothing is asked for', async () => {
    const server = await startServer(columnOracle([block]))
    const sampler = samplerFor(block, server.url)
    expect(await sampler.sampleBlock(block.slot + 1)).toMatchObject({
      verdict: 'no-block',
      reason: 'empty-slot',
      block: null,
    })
    const headers = { resolve: () => Promise.resolve({ status: 'unknown', detail: 'no idea' } as const) }
    expect(await samplerFor(block, server.url, { headers }).sampleBlock('head')).toMatchObject({
      verdict: 'unknown',
      reason: 'no-header',
      detail: 'no idea',
    })
    for (const gloas of [280, Infinity]) {
      const forkEpochs = { ...invented.forkEpochs, gloas, heze: 290 }
      const verifier = await createVerifier({ network: { ...invented, forkEpochs }, workers: 0 })
      const heze = { headers: headersOf({ root: block.root, slot: 290 * 32 }), verifier }
      expect(await samplerFor(block, server.url, heze).sampleBlock('head')).toMatchObject({
        ...{ verdict: 'unknown', reason: 'unsupported-fork' },
        detail: 'of a fork that began with epoch 290',
      })
      await verifier.dispose()
    }
    expect(server.asked).toEqual([])
  })

  it('throws where it is misuse, and ends with the signal', async () => {
    const server = await startServer(
      columnOracle([block]),
      (_said, _request, response) => void response.flushHeaders(),
    )
    const sampler = samplerFor(block, server.url)
    for (const id of ['latest', '0x12', -1, 1.5, null, {}, `0x${'g'.repeat(64)}`])
      await expect(sampler.sampleBlock(id as string)).rejects.toBeInstanceOf(TypeError)
    const bad = [{ signal: {} }, { onProgress: 1 }, { target: {} }, { deadlineMs: 0 }, null]
    for (const options of bad)
      await expect(sampler.sampleBlock('head', options as never)).rejects.toBeInstanceOf(TypeError)
    for (const options of [
      { beacon: [] },
      { beacon: 'ftp://a.example' },
      { target: { columns: 0 } },
      { timeoutMs: -1 },
      { requestsPerEndpoint: 0 },
      { headers: {} },
      { verifier: {} },
      { allowMissing: 99 },
    ])
      expect(() => samplerFor(block, server.url, options as never), JSON.stringify(options)).toThrow(
        TypeError,
      )

    const controller = new AbortController()
    const call = sampler.sampleBlock('head', { signal: controller.signal })
    setTimeout(() => controller.abort(), 50)
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await expect(sampler.sampleBlock('head', { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
    // A source of headers that never answers.
    const headers = { resolve: () => new Promise<never>(() => {}) }
    const silent = samplerFor(block, server.url, { headers, deadlineMs: 60 })
    expect(await silent.sampleBlock('head')).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header' },
      detail: 'the header could not be had in time',
    })
  })
})
