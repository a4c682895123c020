/** The sampler where it is used: in pages, too. Servers are functions here; what they are asked is real. */
import { createVerifier, type NetworkConfig, type Verifier } from 'blobcheck'
import { createSampler, type Sampler } from 'blobcheck/sampler'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invented } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import {
  all,
  type ColumnBlock,
  columnBlock,
  columnOracle,
  headersOf,
  only,
  type Selection,
} from '../support/column-oracle.ts'
import { makeBlob, range } from '../support/make.ts'

/** No real network: Fulu with room for as many blobs as a test likes. */
const crowded: NetworkConfig = { ...invented, blobSchedule: [{ epoch: 200, maxBlobsPerBlock: 72 }] }

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ network: crowded, workers: 1, cache: false })
})
afterAll(() => verifier.dispose())

/** A sampler whose endpoints are called and not fetched from. */
function samplerOver(block: ColumnBlock, selections: readonly Selection[], columns: number): Sampler {
  const oracles = selections.map((select) => columnOracle([block], select))
  return createSampler({
    verifier,
    headers: headersOf(block),
    beacon: oracles.map((_, at) => `https://${at}.example`),
    target: { columns },
    now: () => (crowded.genesisTime + 12 * (block.slot + 2)) * 1000,
    fetch: (url) => {
      const { hostname, pathname, search } = new URL(url)
      const told = oracles[Number(hostname.split('.')[0])]?.(
        new URL(`${pathname}${search}`, 'https://a.example'),
      )
      const headers = { 'content-type': 'application/octet-stream', 'eth-consensus-version': 'fulu' }
      const body = told?.ssz as Uint8Array<ArrayBuffer> | null | undefined
      return Promise.resolve(new Response(body ?? null, { status: body ? 200 : 404, headers }))
    },
  })
}

describe('a block', () => {
  it.each([1, 6, 21, 72])('of %i blobs is sampled', async (count) => {
    const block = await columnBlock(range(count).map((at) => at + 1))
    const report = await samplerOver(block, [all, all], 8).sampleBlock('head')
    expect(report).toMatchObject({
      verdict: 'available',
      blobCount: { count, by: 'committed' },
      confidence: { samples: 8, missing: 0, servers: 2 },
    })
    expect(report.bytes).toBe(8 * (4 + 356 + count * 2144))
    expect(report.commitments).toHaveLength(count)
  })

  it('is rebuilt from half of its columns, held by two', async () => {
    const constants = [5, 6]
    const block = await columnBlock(constants)
    const halves = [only((index) => index < 40), only((index) => index >= 100)]
    const report = await samplerOver(block, halves, 128).sampleBlock('head', { reconstruct: true })
    expect(report).toMatchObject({ verdict: 'available', confidence: { certain: true, missing: 60 } })
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(
      constants.map((c) => toHex(makeBlob(c).blob)),
    )
    const less = [only((index) => index < 40), only((index) => index >= 105)]
    expect(await samplerOver(block, less, 128).sampleBlock('head', { reconstruct: true })).toMatchObject({
      verdict: 'unavailable',
      blobs: null,
    })
  })
})
