/** A blob source against `blobcheck serve`, over real HTTP: each form in which blobs are to be had, alone and put together out of parts. */
import { createVerifier, type Verifier } from 'blobcheck'
import {
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
} from 'blobcheck/blobs'
import { type ChainBlock, type FaultRule, type MadeChain, makeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, headersFrom } from '../support/blob-sources.ts'
import { range } from '../support/make.ts'

let chain: MadeChain
let verifier: Verifier
let block: ChainBlock
beforeAll(async () => {
  chain = await makeChain({ clock: 'by-hand', slots: 8, blobsPerBlock: 4 })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
  block = chain.head
})
afterAll(async () => {
  await verifier.dispose()
})

async function get(
  beacon: readonly string[],
  query: GetBlobsOptions = { slot: 'head' },
  options: Partial<BlobSourceOptions> = {},
  asked?: readonly number[],
): Promise<BlobsResult> {
  const source = createBlobSource({
    ...{ verifier, headers: headersFrom(chain), beacon, now: () => chain.now() },
    ...options,
  })
  const result = await source.get(query)
  expectTrue(result, block, asked)
  return result
}

const without = (...routes: NonNullable<FaultRule['routes']>): FaultRule => ({
  fault: { kind: 'status', code: 404 },
  routes,
})
/** Columns alone, and of these all but those that are withheld. */
const onlyColumns = (withheld: readonly number[] = []): FaultRule[] => [
  without('blobs', 'blob_sidecars'),
  { fault: { kind: 'withhold', columns: withheld } },
]

describe('one endpoint', () => {
  it('gives bare blobs', async () => {
    const url = await beaconOf(chain)
    const result = await get([url])
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', detail: null, wanted: 4 },
      block: { slot: block.slot, root: block.root },
      ...{ execution: null, transaction: null },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted', 'versioned-hash': 'absent' },
      report: {
        via: ['blobs'],
        sources: [
          { source: url, role: 'beacon', requests: 2, gave: [0, 1, 2, 3], refused: [], failures: [] },
        ],
      },
    })
  })

  it('has columns alone: the blobs are rebuilt', async () => {
    const result = await get([await beaconOf(chain, ...onlyColumns())])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
    const some = await get([await beaconOf(chain, ...onlyColumns(range(64)))])
    expect(some).toMatchObject({ verdict: 'complete', report: { via: ['data-columns'] } })
  })

  it('has sidecars alone', async () => {
    const result = await get([await beaconOf(chain, without('blobs', 'data_column_sidecars'))])
    expect(result).toMatchObject({ verdict: 'complete', report: { via: ['blob-sidecars'] } })
  })

  it('has no block: the commitments come with columns, or with sidecars', async () => {
    const columns = await get([await beaconOf(chain, without('blocks'), ...onlyColumns())])
    expect(columns).toMatchObject({
      ...{ verdict: 'complete', links: { inclusion: 'verified' } },
      block: { commitments: columns.blobs.map(({ commitment }) => commitment) },
    })
    const sidecars = await get([await beaconOf(chain, without('blocks', 'blobs', 'data_column_sidecars'))])
    expect(sidecars).toMatchObject({ verdict: 'complete', report: { via: ['blob-sidecars'] } })
  })

  it('has nothing but the block, or nothing at all', async () => {
    const url = await beaconOf(chain, without('blobs', 'blob_sidecars', 'data_column_sidecars'))
    expect(await get([url])).toMatchObject({
      ...{ verdict: 'missing', reason: 'not-served', wanted: 4, detail: '4 of 4 blobs are missing' },
    })
    const empty = await beaconOf(chain, without('blocks', 'blobs', 'blob_sidecars', 'data_column_sidecars'))
    expect(await get([empty])).toMatchObject({ verdict: 'unknown', reason: 'no-block', wanted: null })
  })
})

describe('some of a block', () => {
  it('is asked for by its hashes, and comes in the order of the call', async () => {
    const url = await beaconOf(chain)
    const hashes = hashesOf(block)
    const result = await get(
      [url],
      { slot: block.slot, versionedHashes: [hashes[2]!, hashes[0]!] },
      {},
      [2, 0],
    )
    expect(result).toMatchObject({
      ...{ verdict: 'complete', wanted: 2 },
      links: { 'versioned-hash': 'verified', inclusion: 'verified' },
    })
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual([hashes[2], hashes[0]])
  })
})
