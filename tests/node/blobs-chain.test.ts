/** What a blob source's answers rest on: a light client's headers or the caller's word, blocks of Gloas and their payloads, blocks of before Fulu. */
import { createVerifier, type Verifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { type BlobsResult, createBlobSource, type BlobSourceOptions } from 'blobcheck/blobs'
import { type ChainBlock, type Fault, type MadeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { invented, makeSidecars, slots } from '../support/blocks.ts'
import { concat, flip, toHex } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import { makeBlob } from '../support/make.ts'
import { handChain } from '../support/served.ts'
import { blobSidecarSsz, headerRoot } from '../support/ssz.ts'

const FORK = 4 * 32
const isMissed = (slot: number): boolean => slot % 11 === 4
const isWithheld = (slot: number): boolean => slot % 7 === 3
const isWithout = (slot: number): boolean => slot % 9 === 6

let chain: MadeChain
let verifier: Verifier
let client: LightClient
let server: BeaconServer
const now = (): number => chain.now()
beforeAll(async () => {
  chain = await handChain({
    ...{ slots: 91, gloasForkEpoch: 4, isMissed, isPayloadWithheld: isWithheld },
    blobsPerBlock: (slot) => (isWithout(slot) ? 0 : 2),
  })
  const { checkpoint, network } = chain
  verifier = await createVerifier({ network, workers: 1, cache: false })
  // Its own server stays: it is asked for older headers.
  server = await serveBeacon({ chain })
  client = await LightClient.fromCheckpoint({
    ...{ checkpoint, network, now, store: false },
    beacon: server.url,
  })
  await client.sync()
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
  await server.close()
})

/** The first slot of Gloas with a block, and one after it, of which all this is true. */
function slotWhere(withheld: boolean, without: boolean): number {
  for (let slot = FORK + 1; slot < client.optimistic.slot; slot++) {
    if (isMissed(slot) || isMissed(slot + 1)) continue
    if (isWithheld(slot) === withheld && isWithout(slot) === without) return slot
  }
  throw new Error('the chain is too short')
}

async function get(
  slot: number | 'head' | 'finalized',
  fault: Fault | null = null,
  options: Partial<BlobSourceOptions> = {},
): Promise<BlobsResult> {
  const rules = fault === null ? [] : [{ fault, routes: ['blobs', 'data_column_sidecars'] as const }]
  const beacon = await beaconOf(chain, ...rules)
  const source = createBlobSource({ verifier, headers: client, beacon, now, ...options })
  return quietly(await source.get({ slot }))
}
const at = (slot: number): ChainBlock => chain.at(slot)!

const proven = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const

describe('a header of a light client', () => {
  it.each(['finalized', 'head'] as const)('makes the links what it knows of it: %s', async (slot) => {
    const result = await get(slot)
    expectTrue(result, at(result.block!.slot))
    expect(result).toMatchObject({
      verdict: result.wanted === 0 ? 'none' : 'complete',
      links: { ...client[slot === 'head' ? 'optimistic' : 'finalized'].links, inclusion: 'verified' },
    })
  })

  it('and its ancestors: of Fulu, too, in each form', async () => {
    const slot = FORK - 2
    for (const [hidden, via] of [
      [[], 'blobs'],
      [['blobs', 'blob_sidecars'], 'data-columns'],
      [['blobs', 'data_column_sidecars'], 'blob-sidecars'],
    ] as const) {
      const beacon = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: hidden })
      const result = await createBlobSource({ verifier, headers: client, beacon, now }).get({ slot })
      expectTrue(result, at(slot))
      expect(result).toMatchObject({
        verdict: 'complete',
        links: { ...proven, inclusion: 'verified', kzg: 'verified', signature: 'absent' },
        report: { via: [via] },
      })
    }
  })

  it('is known of a block once there is another one after it', async () => {
    const growing = await handChain({ slots: 40 })
    const { checkpoint, network } = growing
    const beacon = await beaconOf(growing)
    const terms = { network, now: () => growing.now(), beacon }
    const other = await createVerifier({ network, workers: 0, cache: false })
    const following = await LightClient.fromCheckpoint({ ...terms, checkpoint, store: false })
    try {
      const source = createBlobSource({
        ...{ verifier: other, headers: following, beacon, now: terms.now },
      })
      const { slot } = growing.head
      await following.sync()
      expect(await source.get({ slot })).toMatchObject({
        ...{ verdict: 'unknown', reason: 'no-header' },
        detail: `slot ${slot} is newer than the newest header that the light client knows, of slot ${slot - 1}: it learns of a block from the one after it`,
      })
      growing.advance(1)
      await following.sync()
      expect(quietly(await source.get({ slot }))).toMatchObject({ verdict: 'complete' })
    } finally {
      await following.dispose()
      await other.dispose()
    }
  })

  it('by a root of another chain is none', async () => {
    const beacon = await beaconOf(chain)
    const source = createBlobSource({ verifier, headers: client, beacon, now })
    const root = `0x${'ab'.repeat(32)}`
    expect(await source.get({ root })).toMatchObject({ verdict: 'unknown', reason: 'no-header', block: null })
  })

  it('of a light client that has gone is an error', async () => {
    const beacon = await beaconOf(chain)
    const { checkpoint, network } = chain
    const gone = await LightClient.fromCheckpoint({ checkpoint, network, now, store: false, beacon })
    await gone.dispose()
    const source = createBlobSource({ verifier, headers: gone, beacon, now })
    await expect(source.get({ slot: FORK - 2 })).rejects.toMatchObject({ name: 'DisposedError' })
  })

  it('on trust with a slot that is not its block’s is misuse', async () => {
    const { root, slot } = at(FORK - 2)
    const headers = { resolve: async () => ({ status: 'found', header: { root, slot: slot - 1 } }) as const }
    const source = createBlobSource({ verifier, headers, beacon: await beaconOf(chain), now })
    await expect(source.get({ slot })).rejects.toThrow(TypeError)
  })
})

describe('a block of Gloas', () => {
  it('whose payload was revealed has bare blobs, or columns', async () => {
    const slot = slotWhere(false, false)
    const bare = await get(slot)
    expectTrue(bare, at(slot))
    expect(bare).toMatchObject({
      ...{ verdict: 'complete', detail: null, payload: { status: 'full' } },
      report: { via: ['blobs'] },
    })
    const beacon = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['blobs'] })
    const columns = await createBlobSource({ verifier, headers: client, beacon, now }).get({ slot })
    expectTrue(columns, at(slot))
    expect(columns).toMatchObject({
      ...{ verdict: 'complete', links: { ...proven, inclusion: 'verified', kzg: 'verified' } },
      report: { via: ['data-columns'] },
    })
  })

  it('whose payload was withheld has none, and nobody is asked for them', async () => {
    const slot = slotWhere(true, false)
    const result = await get(slot)
    expect(result).toMatchObject({
      ...{ verdict: 'none', reason: 'payload-not-revealed', blobs: [], wanted: 0 },
      block: { slot },
      payload: { status: 'empty' },
      links: { ...proven, inclusion: 'verified' },
    })
    expect(result.block!.commitments).toHaveLength(2)
  })

  it('without commitments has none', async () => {
    const slot = slotWhere(false, true)
    expect(await get(slot)).toMatchObject({ verdict: 'none', reason: 'no-blobs', wanted: 0 })
  })

  it('that is the newest may have no payload', async () => {
    let { head } = chain
    while (head.blobs.length === 0 || isWithheld(head.slot)) {
      chain.advance(1)
      head = chain.head
    }
    const headers = headersFrom(chain)
    const there = await get('head', null, { headers })
    expectTrue(there, head)
    expect(there).toMatchObject({
      ...{ verdict: 'complete', links: { header: 'trusted' } },
      payload: { status: 'unknown', child: null },
    })
    expect(there.detail).toContain('the next block')
    const hidden = await get('head', { kind: 'hide-blobs' }, { headers })
    expect(hidden).toMatchObject({ verdict: 'missing', reason: 'may-have-no-payload' })
  })

  it('that nobody gives leaves it unknown', async () => {
    const slot = slotWhere(false, false)
    const beacon = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['blocks'] })
    const result = await createBlobSource({ verifier, headers: client, beacon, now }).get({ slot })
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'no-block', block: { commitments: null } })
    expect(result.detail).toContain('not-found')
  })
})

describe('a block of before Fulu', () => {
  const CONSTANTS = [3, 4, 9]
  const blobs = CONSTANTS.map((c) => makeBlob(c).blob as Uint8Array<ArrayBuffer>)
  const hashes = CONSTANTS.map((c) => hashOf(makeBlob(c).commitment as Uint8Array))
  let other: Verifier
  beforeAll(async () => {
    other = await createVerifier({ network: invented, workers: 1, cache: false })
  })
  afterAll(async () => {
    await other.dispose()
  })
  function hashOf(commitment: Uint8Array): string {
    return hashesOf({ blobs: [{ commitment }] } as never)[0]!
  }

  it.each([false, true])(
    'comes as sidecars, the block itself not needed (one of them false: %s)',
    async (lies) => {
      const made = await makeSidecars(slots.electra, CONSTANTS)
      const root = toHex(await headerRoot(made.block.header))
      const serving = (
        change: (sidecar: Uint8Array<ArrayBuffer>, index: number) => Uint8Array<ArrayBuffer>,
      ) =>
        startServer(({ pathname, searchParams }) => {
          if (pathname !== `/eth/v1/beacon/blob_sidecars/${root}`) return null
          const asked = searchParams.getAll('indices').map(Number)
          const ssz = asked.flatMap((at) =>
            made.sidecars[at] ? [change(blobSidecarSsz(made.sidecars[at]) as never, at)] : [],
          )
          return { ssz: concat(...ssz), json: null }
        })
      const honest = await serving((same) => same)
      const liar = await serving((sidecar, at) => (at === 1 ? flip(sidecar, 4_000) : sidecar))
      const slot = Number(slots.electra)
      // Who is asked for what is drawn, but here: of equals the first one is asked, which is the liar.
      const draw = vi.spyOn(Math, 'random').mockReturnValue(0)
      const source = createBlobSource({
        verifier: other,
        headers: { resolve: async () => ({ status: 'found', header: { root, slot } }) },
        beacon: lies ? [liar.url, honest.url] : honest.url,
        now: () => (invented.genesisTime + 12 * (slot + 2)) * 1000,
      })
      const result = await source.get({ slot }).finally(() => draw.mockRestore())
      expect(result).toMatchObject({
        ...{ verdict: 'complete', wanted: 3, report: { via: ['blob-sidecars'] } },
        links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
      })
      expect(result.blobs.map(({ blob }) => toHex(blob))).toEqual(blobs.map(toHex))
      expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(hashes)
      const some = await source.get({ root, versionedHashes: [hashes[2]!, hashes[0]!] })
      expect(some.blobs.map(({ index }) => index)).toEqual([2, 0])
      const falseOnes = result.report.sources.flatMap(({ refused }) => refused)
      expect(falseOnes.map(({ what }) => what)).toEqual(lies ? ['blob-sidecar 1'] : [])
    },
  )
})
