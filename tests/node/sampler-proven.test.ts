/**
 * Sampling behind a light client, on a chain that another implementation's types have made: how many blobs there are is proven,
 * and with it that there are none, whatever servers say.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import { type LightClient, MemoryStorage } from 'blobcheck/light-client'
import { createSampler, type HeaderSource, type SamplerOptions, type SampleReport } from 'blobcheck/sampler'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, type Chain, makeChain } from '../lodestar/chain.mjs'
import { type BeaconServer, type Oracle, plainly } from '../support/beacon-server.ts'
import { toHex } from '../support/bytes.ts'
import { startClient, startServer } from '../support/clients.ts'
import { infinity, makeBlob, makeCell } from '../support/make.ts'
import { expectSound } from '../support/samplers.ts'
import { dataColumnSidecarSsz, type HeaderJson, listSsz } from '../support/ssz.ts'

const CONSTANTS = [3, 4]
const commitments = CONSTANTS.map((c) => makeBlob(c).commitment as Uint8Array)
let chain: Chain
let verifier: Verifier
beforeAll(async () => {
  chain = makeChain({ periods: 0, commitments })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
})
afterAll(() => verifier.dispose())

const headerJson = ({ header: { beacon } }: Block): HeaderJson => {
  const { bodyRoot, parentRoot, proposerIndex, slot, stateRoot } = beacon as typeof beacon & {
    bodyRoot: Uint8Array
    parentRoot: Uint8Array
  }
  return {
    slot: String(slot),
    proposer_index: String(proposerIndex),
    parent_root: toHex(parentRoot),
    state_root: toHex(stateRoot),
    body_root: toHex(bodyRoot),
  }
}

/** A column of a block of the chain with the constants' blobs. */
const column = (block: Block, index: number): Uint8Array<ArrayBuffer> =>
  dataColumnSidecarSsz({
    index: String(index),
    column: CONSTANTS.map((c) => toHex(makeCell(c, index).cell as Uint8Array)),
    kzg_commitments: commitments.map(toHex),
    kzg_proofs: CONSTANTS.map(() => toHex(infinity)),
    signed_block_header: { message: headerJson(block), signature: toHex(new Uint8Array(96)) },
    kzg_commitments_inclusion_proof: block.commitmentsBranch.map(toHex),
  })

/** The chain, and the columns of one block of it; `hides`: none of them. */
function oracleOf(of: Chain, block: Block, hides = false): Oracle {
  const rest = of.oracle()
  return (url) => {
    if (!url.pathname.startsWith('/eth/v1/debug/beacon/data_column_sidecars/')) return rest(url)
    if (!url.pathname.endsWith(toHex(block.root))) return null
    const asked = url.searchParams.getAll('indices').map(Number)
    return { ssz: listSsz(hides ? [] : asked.map((index) => column(block, index))), json: null }
  }
}

async function sample(
  server: BeaconServer,
  id: string | number,
  of: Chain = chain,
  more: Partial<SamplerOptions> = {},
): Promise<SampleReport> {
  const client = await synced(server, of)
  const options = { verifier, headers: client, beacon: server.url, now: of.now, ...more }
  const report = await createSampler(options).sampleBlock(id)
  expectSound(report)
  return report
}

async function synced(server: BeaconServer, of: Chain = chain): Promise<LightClient> {
  const client = await startClient(of, server.url)
  await client.sync()
  return client
}

describe('a block that a light client proved', () => {
  it('is sampled with all links verified, by any of its names', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized))
    for (const id of [
      'finalized',
      chain.finalized.slot,
      String(chain.finalized.slot),
      toHex(chain.finalized.root),
    ]) {
      const report = await sample(server, id)
      expect(report).toMatchObject({
        verdict: 'available',
        block: { slot: chain.finalized.slot, root: toHex(chain.finalized.root) },
        blobCount: { count: 2, by: 'proven' },
        links: {
          header: 'verified',
          'sync-committee': 'verified',
          checkpoint: 'verified',
          inclusion: 'verified',
        },
        notVerified: ['proposer-signature', 'columns-not-sampled', 'independence-of-endpoints'],
      })
    }
  })

  it('whose data is hidden is unavailable: it is proven that there is some', async () => {
    const hidden = await startServer(oracleOf(chain, chain.finalized, true))
    expect(await sample(hidden, 'finalized')).toMatchObject({
      verdict: 'unavailable',
      reason: 'columns-missing',
    })
    // Who answers 404 may not have heard of the block: that is no word on its data.
    const ignorant = await startServer(chain.oracle())
    expect(await sample(ignorant, 'finalized')).toMatchObject({
      verdict: 'unknown',
      reason: 'not-all-answered',
    })
  })

  it('has no blobs where its blob gas says so, and nobody is asked', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized))
    const report = await sample(server, 'head')
    expect(report).toMatchObject({ verdict: 'no-blobs', reason: 'proven-empty', via: 'header', columns: [] })
    expect(server.asked.filter(({ path }) => path.includes('debug'))).toEqual([])
  })

  it('is never without blobs on anybody’s word', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized, true))
    const client = await synced(server)
    const { optimistic } = client
    const words: unknown[] = [
      { ...optimistic },
      { root: optimistic.root, slot: optimistic.slot },
      { ...client.finalized, execution: { ...client.finalized.execution, blobGasUsed: 0 } },
    ]
    for (const header of words) {
      const headers = {
        resolve: () => Promise.resolve({ status: 'found', header }),
      } as unknown as HeaderSource
      expect(await sample(server, 'head', chain, { headers })).toMatchObject({
        verdict: 'unknown',
        reason: 'may-have-no-blobs',
        blobCount: { count: null, by: 'unproven' },
      })
    }
    // An ancestor's execution header is not known, either.
    const [ancestor] = chain.ancestors.slice(-1)
    expect(await sample(server, ancestor!.slot)).toMatchObject({
      verdict: 'unknown',
      reason: 'may-have-no-blobs',
    })
  })

  it('is not without blobs by what was kept, and is believed unseen', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized))
    const store = new MemoryStorage()
    const before = await startClient(chain, server.url, { store })
    await before.sync()
    await before.dispose()
    const terms = { verifier, beacon: server.url, now: chain.now }
    const headers = await startClient(chain, server.url, { store, trustCache: true })
    for (const round of ['kept', 'followed on']) {
      const report = await createSampler({ ...terms, headers }).sampleBlock('head')
      expectSound(report)
      expect(report, round).toMatchObject({
        ...{ verdict: 'unknown', reason: 'may-have-no-blobs', blobCount: { by: 'unproven' } },
      })
      expect(await createSampler({ ...terms, headers }).sampleBlock('finalized')).toMatchObject({
        ...{ verdict: 'available', blobCount: { count: 2, by: 'committed' } },
        links: { header: 'trusted', checkpoint: 'trusted' },
      })
      await headers.sync()
    }
    // Verified again, it is proven again.
    const again = await startClient(chain, server.url, { store })
    await again.sync()
    expect(await createSampler({ ...terms, headers: again }).sampleBlock('head')).toMatchObject({
      verdict: 'no-blobs',
    })
  })

  it('is not without blobs by what was kept of the checkpoint: its root says nothing of the blob gas beside it', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized))
    const store = new MemoryStorage()
    await (await startClient(chain, server.url, { store })).dispose()
    const terms = { verifier, beacon: server.url, now: chain.now }
    const headers = await startClient(chain, server.url, { store, trustCache: true })
    expect(headers.finalized).toMatchObject({ root: chain.checkpoint, execution: { blobGasUsed: 0 } })
    for (const id of ['finalized', 'head', chain.checkpoint]) {
      expect(await createSampler({ ...terms, headers }).sampleBlock(id)).toMatchObject({
        ...{ verdict: 'unknown', reason: 'may-have-no-blobs', blobCount: { by: 'unproven' } },
      })
    }
    const again = await startClient(chain, server.url, { store })
    expect(await createSampler({ ...terms, headers: again }).sampleBlock('finalized')).toMatchObject({
      ...{ verdict: 'no-blobs', blobCount: { by: 'proven' } },
    })
  })

  it('is unavailable where its columns commit to another number of blobs than it paid for', async () => {
    const { slot } = chain.finalized
    for (const blobs of [1, 3]) {
      const block = chain.block(slot, undefined, { commitments, blobs })
      const attested = chain.block(slot + 68, chain.stateOf(slot + 68, block))
      const finality = chain.sign(attested, block, [9])
      const head = chain.sign(chain.block(slot + 70, chain.stateOf(slot + 70, block)), null, [])
      const lying = oracleOf(chain, block)
      const told = chain.oracle({ finality, optimistic: head.update })
      const server = await startServer((url) => (url.pathname.includes('debug') ? lying(url) : told(url)))
      const report = await sample(server, 'finalized')
      expect(report).toMatchObject({
        verdict: 'unavailable',
        reason: 'count-mismatch',
        blobCount: { count: blobs, by: 'proven' },
        confidence: { maxError: 1, missing: 0 },
      })
    }
  })

  it('is told from a block of another chain, and from a slot without one', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized))
    expect(await sample(server, chain.finalized.slot - 5)).toMatchObject({
      verdict: 'no-block',
      reason: 'empty-slot',
    })
    expect(await sample(server, chain.headSlot + 9)).toMatchObject({
      verdict: 'unknown',
      reason: 'no-header',
      detail: expect.stringContaining('newer than the newest header') as string,
    })
    expect(await sample(server, toHex(new Uint8Array(32).fill(7)))).toMatchObject({
      verdict: 'unknown',
      reason: 'no-header',
      detail: 'no endpoint knows a block of that root',
    })
    // One that says nothing of it has not said that there is none.
    const silent = await startServer(oracleOf(chain, chain.finalized), (said, request, response) => {
      if (request.url!.includes('/headers/')) response.writeHead(403).end()
      else plainly(said, request, response)
    })
    expect(await sample(silent, toHex(new Uint8Array(32).fill(7)))).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header' },
      detail: expect.stringContaining('refused (status 403)') as string,
    })
    // A header that is at hand, and not of the chain.
    const stray = chain.block(chain.finalized.slot, undefined, { parentRoot: new Uint8Array(32).fill(9) })
    const oracle = oracleOf(chain, chain.finalized)
    const told = await startServer((url) =>
      url.pathname.endsWith(`/headers/${toHex(stray.root)}`)
        ? { ssz: null, json: { data: { header: { message: headerJson(stray) } } } }
        : oracle(url),
    )
    expect(await sample(told, toHex(stray.root))).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header' },
      detail: 'the block is not of the chain that the light client follows',
    })
  })

  it('is found by its root although a server says that it is elsewhere', async () => {
    const { finalized } = chain
    // Known by its root to servers alone: the light client has the block after it.
    const [asked] = chain.ancestors.slice(-1)
    const root = toHex(asked!.root)
    const message = headerJson(asked!)
    const oracle = chain.oracle()
    const honest = await startServer((url) =>
      url.pathname.endsWith(`/headers/${root}`)
        ? { ssz: null, json: { data: { header: { message } } } }
        : oracle(url),
    )
    const blank = [1, 2, 3, 4, 5].map((back) => finalized.slot - back)
    const empty = blank.find((slot) => !chain.ancestors.some((block) => block.slot === slot))!
    for (const slot of [empty, finalized.slot]) {
      const liar = await startServer((url) =>
        url.pathname.endsWith(`/headers/${root}`)
          ? { ssz: null, json: { data: { header: { message: { ...message, slot: String(slot) } } } } }
          : oracle(url),
      )
      const client = await synced(honest)
      const terms = { verifier, headers: client, now: chain.now }
      const sampler = createSampler({ ...terms, beacon: [liar.url, honest.url] })
      expect(await sampler.sampleBlock(root)).toMatchObject({ block: { slot: asked!.slot, root } })
      // With nobody else to ask, it is not known which block that is: never that there is none.
      const alone = createSampler({ ...terms, beacon: liar.url })
      expect(await alone.sampleBlock(root)).toMatchObject({ verdict: 'unknown', reason: 'no-header' })
    }
  })

  it('of a slot that is empty on the chain is not of the chain, and not missing from it', async () => {
    const stray = chain.block(chain.finalized.slot - 5, undefined, { parentRoot: new Uint8Array(32).fill(9) })
    const oracle = oracleOf(chain, chain.finalized)
    const told = await startServer((url) =>
      url.pathname.endsWith(`/headers/${toHex(stray.root)}`)
        ? { ssz: null, json: { data: { header: { message: headerJson(stray) } } } }
        : oracle(url),
    )
    expect(await sample(told, chain.finalized.slot - 5)).toMatchObject({ verdict: 'no-block' })
    expect(await sample(told, toHex(stray.root))).toMatchObject({ verdict: 'unknown', reason: 'no-header' })
  })

  it('so old that nodes may have forgotten it accuses nobody', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized, true))
    const now = (): number => chain.now() + 4_100 * 32 * 12_000
    expect(await sample(server, 'finalized', chain, { now })).toMatchObject({
      verdict: 'unknown',
      reason: 'expired',
    })
  })
})

describe('a light client of a network', () => {
  it('that is not the verifier’s is refused', async () => {
    const server = await startServer(oracleOf(chain, chain.finalized), plainly)
    const client = await synced(server)
    const stranger = await createVerifier({ network: 'sepolia', workers: 0, cache: false })
    try {
      const options = { verifier: stranger, beacon: server.url, now: chain.now }
      expect(() => createSampler({ ...options, headers: client })).toThrow(
        'headers is a light client of another network than the verifier’s',
      )
      // A source of the caller's may hand out such headers.
      const sampler = createSampler({
        ...options,
        headers: { resolve: async () => ({ status: 'found', header: client.finalized }) },
      })
      await expect(sampler.sampleBlock('finalized')).rejects.toThrow('another network')
    } finally {
      await stranger.dispose()
    }
  })

  it('of before Deneb has no blobs to sample', async () => {
    const old = makeChain({ periods: 0, forkEpochs: { deneb: 9000, electra: 9001, fulu: 9002 } })
    const server = await startServer(old.oracle())
    const capella = await createVerifier({ network: old.network, workers: 0, cache: false })
    try {
      const report = await sample(server, 'finalized', old, { verifier: capella })
      expect(report).toMatchObject({ verdict: 'no-blobs', reason: 'before-deneb' })
    } finally {
      await capella.dispose()
    }
  })
})
