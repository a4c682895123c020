/** A transaction whose execution block a light client has proven, and whose beacon block no endpoint gives: its hashes say what is wanted. */
import { createVerifier, type Verifier } from 'blobcheck'
import {
  type BlobsResult,
  type BlobSourceOptions,
  createBlobSource,
  type GetBlobsOptions,
} from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import type { ChainBlock, FaultRule, MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keccakHex } from '../../dist/execution/keccak.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, quietly } from '../support/blob-sources.ts'
import { handChain } from '../support/served.ts'

const BLOBS = 3

let chain: MadeChain
let verifier: Verifier
let client: LightClient
let servers: readonly BeaconServer[]
let block: ChainBlock
/** The transaction with the most blobs, and their places in the block. */
let sent: { hash: string; places: readonly number[]; hashes: readonly string[] }
const now = (): number => chain.now()
beforeAll(async () => {
  chain = await handChain({ slots: 160, blobsPerBlock: BLOBS })
  const { checkpoint, network } = chain
  verifier = await createVerifier({ network, workers: 1, cache: false })
  servers = [await serveBeacon({ chain }), await serveExecution({ chain })]
  client = await LightClient.fromCheckpoint({
    ...{ checkpoint, network, now, store: false, beacon: servers[0]!.url },
  })
  await client.sync()
  block = chain.at(client.finalized.slot)!
  let at = 0
  sent = block
    .execution!.transactions.map((bytes) => {
      const hashes = versionedHashesOf(bytes)
      return { hash: keccakHex(bytes), hashes, places: hashes.map(() => at++) }
    })
    .reduce((most, one) => (one.hashes.length > most.hashes.length ? one : most))
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
  await Promise.all(servers.map((server) => server.close()))
})

async function get(query: GetBlobsOptions, ...rules: FaultRule[]): Promise<BlobsResult> {
  return await getBy({}, query, ...rules)
}
async function getBy(
  options: Partial<BlobSourceOptions>,
  query: GetBlobsOptions,
  ...rules: FaultRule[]
): Promise<BlobsResult> {
  const beacon = await beaconOf(chain, ...rules)
  const source = createBlobSource({
    ...{ verifier, headers: client, now, beacon, execution: servers[1]!.url, ...options },
  })
  return quietly(await source.get(query))
}
const without = (...routes: NonNullable<FaultRule['routes']>): FaultRule => ({
  ...{ fault: { kind: 'status', code: 404 }, routes },
})

/** What is known of the beacon block by its header alone, and that the execution block is its own. */
const ofHeader = {
  ...{ header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified', inclusion: 'absent' },
  ...{ transaction: 'verified', 'execution-block': 'verified' },
} as const
const told = (): Partial<BlobsResult> => ({
  block: { slot: block.slot, root: block.root, commitments: null },
  links: expect.objectContaining(ofHeader) as BlobsResult['links'],
})

describe('a proven transaction without its beacon block', () => {
  it('comes as bare blobs, which are held against its hashes', async () => {
    const result = await get(
      { transaction: sent.hash },
      without('blocks', 'data_column_sidecars', 'blob_sidecars'),
    )
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(sent.hashes)
    expect(result.blobs.map(({ blob }) => blob)).toEqual(sent.places.map((at) => block.blobs[at]!.blob))
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', wanted: sent.hashes.length, report: { via: ['blobs'] } },
      block: { slot: block.slot, root: block.root, commitments: null },
      links: { ...ofHeader, kzg: 'verified', 'versioned-hash': 'verified' },
    })
  })

  it('comes out of all bare blobs of the block where an endpoint knows no question for some', async () => {
    const fetch: BlobSourceOptions['fetch'] = async (url, init) =>
      url.includes('versioned_hashes')
        ? new Response('{}', { status: 400 })
        : await globalThis.fetch(url, init as RequestInit)
    const hidden = without('blocks', 'data_column_sidecars', 'blob_sidecars')
    const result = await getBy({ fetch }, { transaction: sent.hash }, hidden)
    expect(result).toMatchObject({ verdict: 'complete', reason: 'verified', report: { via: ['blobs'] } })
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(sent.hashes)
  })

  it.each(['data_column_sidecars', 'blob_sidecars'] as const)(
    'comes as %s, which bring the commitments',
    async (given) => {
      const others = (['blobs', 'data_column_sidecars', 'blob_sidecars'] as const).filter(
        (route) => route !== given,
      )
      const result = await get({ transaction: sent.hash }, without('blocks', ...others))
      expectTrue(result, block, sent.places)
      expect(result).toMatchObject({ verdict: 'complete', links: { inclusion: 'verified' } })
    },
  )

  it('is missing where nobody gives any of it', async () => {
    const result = await get(
      { transaction: sent.hash },
      without('blocks', 'blobs', 'data_column_sidecars', 'blob_sidecars'),
    )
    expect(result).toMatchObject({
      ...{ verdict: 'missing', reason: 'not-served', wanted: sent.hashes.length, blobs: [] },
      transaction: { hash: sent.hash },
      ...told(),
    })
    const down = await get({ transaction: sent.hash }, { fault: { kind: 'status', code: 503 } })
    expect(down).toMatchObject({
      ...{ verdict: 'missing', reason: 'unreachable', wanted: sent.hashes.length, ...told() },
    })
  })
})

describe('a proven transaction without blobs', () => {
  it('has the links of its beacon block, whether anyone gives that or not', async () => {
    const bare = block.execution!.transactions.find((bytes) => versionedHashesOf(bytes).length === 0)!
    const transaction = keccakHex(bare)
    const none = { verdict: 'none', reason: 'no-blobs', wanted: 0, blobs: [] }
    expect(await get({ transaction }, without('blocks'))).toMatchObject({ ...none, ...told() })
    expect(await get({ transaction })).toMatchObject({
      ...none,
      block: { slot: block.slot, root: block.root, commitments: { length: BLOBS } },
      links: { ...ofHeader, inclusion: 'verified' },
    })
  })
})

describe('hashes that the caller names of a block that no endpoint gives', () => {
  it('may be those of another block: what is served by their name alone is not taken for its', async () => {
    const { root } = block
    const result = await get(
      { root, versionedHashes: hashesOf(block) },
      without('blocks', 'data_column_sidecars', 'blob_sidecars'),
    )
    expect(result).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-block', blobs: [], wanted: null },
      links: {
        header: 'verified',
        'sync-committee': 'verified',
        checkpoint: 'verified',
        inclusion: 'absent',
      },
    })
  })
})
