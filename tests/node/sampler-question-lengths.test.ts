/** Nodes that refuse questions for more than 20 columns, as Lodestar does (Lodestar 9672): they are asked in parts, and seldom for more. */
import { type BlobSourceOptions, createBlobSource } from 'blobcheck/blobs'
import { createSampler, type SamplerOptions } from 'blobcheck/sampler'
import { createBeaconApp, type NodeName } from 'blobcheck/serve'
import { describe, expect, it } from 'vitest'
import { headersFrom } from '../support/blob-sources.ts'
import { range } from '../support/make.ts'
import { expectSound } from '../support/samplers.ts'
import { ask, blobs, blobSidecars, columns } from '../support/served.ts'
import { verifiedChain } from '../support/verified-chain.ts'

const served = verifiedChain()

/** A node of that kind that has columns alone, and for how many each question was. */
function node(nodesLike: NodeName, isRefusing: (count: number) => boolean = () => false) {
  const app = createBeaconApp({
    ...{ chain: served.chain, nodesLike },
    faults: { rules: [{ fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] }] },
  })
  const counts: number[] = []
  const fetch: NonNullable<SamplerOptions['fetch'] & BlobSourceOptions['fetch']> = async (url, init) => {
    const count = new URL(url).searchParams.getAll('indices').length
    if (count > 0) counts.push(count)
    if (isRefusing(count)) return new Response(null, { status: 400 })
    return (await app.fetch(new Request(url, { headers: init.headers }))) as Response
  }
  const options = {
    verifier: served.verifier,
    headers: headersFrom(served.chain),
    beacon: 'http://node',
    fetch,
  }
  return { counts, options: { ...options, now: () => served.chain.now() } }
}

const FULU = 90
const GLOAS = 100

describe('a node that takes 20 columns in a question', () => {
  it('is sampled in parts, and from the second block on without a refusal', async () => {
    const { counts, options } = node('lodestar')
    const sampler = createSampler(options)
    for (const [slot, expected] of [
      [FULU, [26, 13, 13]],
      [GLOAS, [13, 13]],
    ] as const) {
      const report = await sampler.sampleBlock(slot)
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'available', confidence: { samples: 26, missing: 0 } })
      expect(counts.splice(0)).toEqual(expected)
      // That it refused is told, and is no attempt of any column.
      expect(report.endpoints[0]!.failures).toEqual(
        slot === FULU ? [{ kind: 'refused', detail: 'status 400' }] : [],
      )
      expect(report.columns.every(({ attempts }) => attempts.length === 1)).toBe(true)
    }
  })

  it('gives all blobs of a block, of Fulu and of Gloas, by their columns', async () => {
    for (const slot of [FULU, GLOAS]) {
      const { counts, options } = node('lodestar')
      const result = await createBlobSource(options).get({ slot })
      expect(result).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
      expect(counts).toEqual([64, 16, 16, 16, 16])
    }
  })
})

it('a node that takes any number is asked in one question', async () => {
  const { counts, options } = node('lighthouse')
  expect(await createSampler(options).sampleBlock(FULU)).toMatchObject({ verdict: 'available' })
  expect(counts).toEqual([26])
})

it('a node that refuses everything is asked in parts once, and denies nothing', async () => {
  const { counts, options } = node('lighthouse', () => true)
  const report = await createSampler(options).sampleBlock(FULU)
  expectSound(report)
  expect(report).toMatchObject({ verdict: 'unknown', reason: 'unreachable' })
  expect(counts).toEqual([26, 13, 13])
})

it('a server that is like Lodestar refuses more than 20 values of one key, whatever is asked for', async () => {
  const statusOf = async (path: string, nodesLike: NodeName): Promise<number> =>
    (await ask(createBeaconApp({ chain: served.chain, nodesLike }), path)).status
  const indices = (count: number): string =>
    `?${range(count)
      .map((at) => `indices=${at}`)
      .join('&')}`
  const hashes = `?${range(21)
    .map(() => `versioned_hashes=0x${'0'.repeat(64)}`)
    .join('&')}`
  for (const path of [columns(FULU, indices(21)), blobSidecars(FULU, indices(21)), blobs(FULU, hashes)]) {
    expect(await statusOf(path, 'lodestar')).toBe(400)
    expect(await statusOf(path, 'teku')).toBe(200)
  }
  expect(await statusOf(columns(FULU, indices(20)), 'lodestar')).toBe(200)
})
