/** Blobs that are the same, of which a block has several: the places of those that a transaction or a call names. */
import { createVerifier, type Verifier } from 'blobcheck'
import { type BlobsResult, type BlobSource, createBlobSource, type GetBlobsOptions } from 'blobcheck/blobs'
import { createBeaconApp, createExecutionApp, type ChainBlock, type MadeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keccakHex } from '../../dist/execution/keccak.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { headersFrom } from '../support/blob-sources.ts'
import { range } from '../support/make.ts'
import { handChain } from '../support/served.ts'

const BLOBS = 8

let chain: MadeChain
let block: ChainBlock
let verifier: Verifier
/** The hash that all blobs have. */
let versionedHash: string
beforeAll(async () => {
  // The polynomial that is zero: so are its cells, and commitment and proofs are the point at infinity.
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47))
  const firstBlob = {
    commitment: infinity,
    ...{ cells: range(128).map(() => new Uint8Array(2_048)), proofs: range(128).map(() => infinity) },
  }
  chain = await handChain({ firstBlob, slots: 34, slotsPerEpoch: 8, firstSlot: 16, blobsPerBlock: BLOBS })
  block = chain.at(28)!
  versionedHash = sent()[0]!.hashes[0]!
  verifier = await createVerifier({ network: chain.network, workers: 0, cache: false })
})
afterAll(() => verifier.dispose())

/** The block’s transactions with blobs, in its order, with the places of their blobs. */
function sent(): { readonly hash: string; readonly hashes: readonly string[]; readonly places: number[] }[] {
  let at = 0
  return block.execution!.transactions.flatMap((bytes) => {
    const hashes = versionedHashesOf(bytes)
    return hashes.length === 0 ? [] : [{ hash: keccakHex(bytes), hashes, places: hashes.map(() => at++) }]
  })
}

/** A source over a node and an execution layer, which do not know some of their routes and methods. */
function sourceWithout(unknown: RegExp = /^$/): BlobSource {
  const [beacon, execution] = [createBeaconApp({ chain }), createExecutionApp({ chain })]
  return createBlobSource({
    ...{ verifier, headers: headersFrom(chain), now: () => chain.now() },
    ...{ beacon: 'http://node.test', execution: 'http://execution.test' },
    fetch: async (url, init) => {
      const isRpc = new URL(url).hostname === 'execution.test'
      if (isRpc && unknown.test(String(init?.body))) return Response.json({ error: { code: -32_601 } })
      if (unknown.test(url)) return new Response(null, { status: 404 })
      return await (isRpc ? execution : beacon).fetch(new Request(url, init))
    },
  })
}

/** The places, of which whoever gave them is told, too. */
async function placesOf(
  query: GetBlobsOptions,
  source: BlobSource = sourceWithout(),
): Promise<(number | null)[]> {
  const result: BlobsResult = await source.get(query)
  expect(result.verdict).toBe('complete')
  const places = result.blobs.map(({ index }) => index)
  const gave = result.report.sources.flatMap((share) => share.gave)
  if (!places.includes(null)) expect(new Set(gave)).toEqual(new Set(places))
  return places
}

describe('blobs of a block that are the same', () => {
  it('have the places of the transaction that names them', async () => {
    expect(sent().length).toBeGreaterThan(1)
    for (const { hash, places } of sent())
      expect(await placesOf({ transaction: hash }, sourceWithout(/proof_/))).toEqual(places)
  })

  it('have the first places where a server proves the transaction, and nothing is known of those before it', async () => {
    for (const { hash, places } of sent())
      expect(await placesOf({ transaction: hash })).toEqual(range(places.length))
  })

  it('have a place each for who names them in a call, as often as the block has them', async () => {
    const named = (count: number): GetBlobsOptions => ({
      slot: block.slot,
      versionedHashes: range(count).map(() => versionedHash),
    })
    expect(await placesOf(named(3))).toEqual([0, 1, 2])
    expect(await placesOf(named(BLOBS + 2))).toEqual([...range(BLOBS), 0, 0])
  })

  it('have one place that is known where the block’s list of commitments is not', async () => {
    const source = sourceWithout(/v2.beacon.blocks|beacon.blobs|data_column/)
    const query = { root: block.root, versionedHashes: range(3).map(() => versionedHash) }
    expect(await placesOf(query, source)).toEqual([0, null, null])
  })
})
