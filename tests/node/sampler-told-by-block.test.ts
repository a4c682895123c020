/**
 * Blocks of which no data can be had and whose header does not say how many blobs they have: the block itself does. It is asked for once, and
 * only there.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createSampler, type SampleReport, type SamplerOptions } from 'blobcheck/sampler'
import { createBeaconApp, type FaultRule, type MadeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleColumns } from '../../dist/sampler/columns.js'
import { fallBack } from '../../dist/sampler/whole/fallbacks.js'
import { wholeSidecars } from '../../dist/sampler/whole/sidecars.js'
import { headersFrom } from '../support/blob-sources.ts'
import { slots } from '../support/blocks.ts'
import {
  blob,
  commitments,
  giving,
  join,
  MAX_BLOBS,
  type Node,
  ofForkToCome,
  readsBlock,
  sceneOf,
  type World,
} from '../support/sample-context.ts'
import { expectSound } from '../support/samplers.ts'
import { handChain } from '../support/served.ts'

const isEmpty = (slot: number): boolean => slot % 3 === 0

describe('a chain whose columns are withheld', () => {
  let chain: MadeChain
  let verifier: Verifier
  let client: LightClient
  let withBlobs: number
  let withoutBlobs: number
  const now = (): number => chain.now()
  const withheld: FaultRule = {
    fault: { kind: 'withhold', columns: 128 },
    routes: ['data_column_sidecars'],
  }

  beforeAll(async () => {
    chain = await handChain({ slots: 24, blobsPerBlock: (slot) => (isEmpty(slot) ? 0 : 2) })
    const { checkpoint, network } = chain
    verifier = await createVerifier({ network, workers: 1, cache: false })
    const { beacon, fetch } = nodes()
    client = await LightClient.fromCheckpoint({ checkpoint, network, now, beacon, fetch, store: false })
    await client.sync()
    // Older than what the light client has an execution header of.
    withoutBlobs = client.optimistic.slot - 1
    while (!isEmpty(withoutBlobs)) withoutBlobs--
    withBlobs = withoutBlobs - 1
  })
  afterAll(async () => {
    await client.dispose()
    await verifier.dispose()
  })

  /** A node for each list of faults; `asked` are paths without their last part, which names the block. */
  function nodes(...faults: FaultRule[][]): {
    readonly beacon: string[]
    readonly fetch: NonNullable<SamplerOptions['fetch']>
    readonly asked: string[]
  } {
    const all = faults.length === 0 ? [[]] : faults
    const apps = all.map((rules) => createBeaconApp({ chain, faults: { rules } }))
    const asked: string[] = []
    return {
      beacon: all.map((_, at) => `http://node-${at}`),
      asked,
      async fetch(url, init) {
        const { hostname, origin, pathname } = new URL(url)
        asked.push(pathname.split('/').at(-2)!)
        const app = apps[Number(hostname.split('-')[1])]!
        return await app.fetch(new Request(url.replace(origin, 'http://beacon.test'), init as RequestInit))
      },
    }
  }

  async function sample(
    { beacon, fetch }: Pick<ReturnType<typeof nodes>, 'beacon' | 'fetch'>,
    slot: number,
    options: Partial<SamplerOptions> = {},
  ): Promise<SampleReport> {
    const sampler = createSampler({
      ...{ verifier, headers: headersFrom(chain), beacon, fetch, now },
      ...options,
    })
    const report = await sampler.sampleBlock(slot)
    expectSound(report)
    return report
  }

  it.each(['trusted', 'verified'] as const)('is told of as it is, by a header that is %s', async (how) => {
    const headers = how === 'trusted' ? headersFrom(chain) : client
    const all = nodes([withheld], [withheld])
    const report = await sample(all, withBlobs, { headers })
    expect(report).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing', via: 'data-columns' },
      blobCount: { count: 2, by: 'committed' },
      links: { header: how, inclusion: 'verified', kzg: 'absent' },
    })
    expect(report.commitments).toHaveLength(2)
    expect(all.asked.filter((what) => what === 'blocks')).toHaveLength(1)
    expect(report.endpoints.map(({ failures }) => failures)).toEqual([[], []])

    const empty = await sample(nodes([withheld]), withoutBlobs, { headers })
    expect(empty).toMatchObject({
      ...{ verdict: 'no-blobs', reason: 'proven-empty', via: 'header', columns: [], commitments: [] },
      blobCount: { count: 0, by: 'committed' },
      links: { header: how, inclusion: 'verified', kzg: 'absent' },
      confidence: { samples: 0, missing: 0 },
      // Who was asked for columns lacks none: there are none.
      endpoints: [{ asked: [], notDelivered: [], requests: expect.any(Number) }],
    })
    expect(empty.endpoints[0]!.requests).toBeGreaterThan(1)
  })

  it('is told of as far as columns go where nobody gives the block', async () => {
    const silent: FaultRule = { fault: { kind: 'status', code: 404 }, routes: ['blocks'] }
    for (const slot of [withBlobs, withoutBlobs])
      expect(await sample(nodes([withheld, silent]), slot)).toMatchObject({
        ...{ verdict: 'unknown', reason: 'may-have-no-blobs', blobCount: { count: null, by: 'unproven' } },
        endpoints: [{ failures: [{ kind: 'not-found' }] }],
      })
  })

  it('has its blocks asked of another one where the first gives a wrong one, which is named', async () => {
    const { beacon, fetch } = nodes([withheld], [withheld])
    const { root } = chain.at(withoutBlobs)!
    const other = chain.at(withBlobs)!.root
    const lying: SamplerOptions['fetch'] = async (url, init) =>
      await fetch(url.startsWith('http://node-0/eth/v2/') ? url.replace(root, other) : url, init)
    const report = await sample({ beacon: beacon.slice(0, 1), fetch: lying }, withoutBlobs)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
    expect(report.endpoints[0]!.failures.map(({ kind }) => kind)).toEqual(['invalid'])
    expect(await sample({ beacon, fetch: lying }, withoutBlobs)).toMatchObject({ verdict: 'no-blobs' })
  })

  it('leaves a block unknown of which not everybody denied the columns, and has its blobs counted', async () => {
    const failing: FaultRule = { fault: { kind: 'status', code: 400 }, routes: ['data_column_sidecars'] }
    expect(await sample(nodes([withheld], [failing]), withBlobs)).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-all-answered', blobCount: { count: 2, by: 'committed' } },
    })
    // Nobody was heard: there is nothing that a block could decide.
    const all = nodes([failing])
    expect(await sample(all, withBlobs)).toMatchObject({ verdict: 'unknown', reason: 'unreachable' })
    expect(all.asked).not.toContain('blocks')
  })

  it('is made good by whole blobs, with what was asked already', async () => {
    const all = nodes([withheld])
    expect(await sample(all, withBlobs, { fallbacks: { blobs: true } })).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs' },
      links: { kzg: 'verified', inclusion: 'verified' },
    })
    expect(all.asked.filter((what) => what === 'blocks')).toHaveLength(1)
  })
})

/** A node that has the block, and none of its data. */
const blockAlone: Node = async (question) =>
  question.what === 'block' ? new Uint8Array(9) : await giving('columns', 2, () => 'lacking')(question)
const sampled = async (world: World) => {
  const { context, asked } = sceneOf(world)
  const finding = await sampleColumns(context)
  return { ...finding, context, asked: asked.map(({ what }) => what) }
}

describe('the block', () => {
  const alone: World = { nodes: { a: blockAlone }, readBlock: readsBlock(commitments(2)) }

  it('is not asked for where the number is proven, or a column was verified', async () => {
    expect((await sampled({ ...alone, proven: 2 })).asked).not.toContain('block')
    const a = giving('columns', 2, (index) => (index === 0 ? 'true' : 'lacking'))
    expect((await sampled({ ...alone, nodes: { a }, sizes: [2] })).asked).not.toContain('block')
  })

  it('counts as much where all that came is false', async () => {
    const a: Node = async (question) =>
      question.what === 'block' ? new Uint8Array(9) : await giving('columns', 2, () => 'false')(question)
    expect(await sampled({ ...alone, nodes: { a } })).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing' },
    })
    expect(await sampled({ ...alone, nodes: { a }, readBlock: readsBlock([]) })).toMatchObject({
      ...{ verdict: 'no-blobs', reason: 'proven-empty' },
    })
  })

  it('accuses nobody where nodes may have forgotten its data', async () => {
    expect(await sampled({ ...alone, age: 5_000 })).toMatchObject({ verdict: 'unknown', reason: 'expired' })
  })

  it('with more blobs than there can be is of a fork to come', async () => {
    const readBlock = readsBlock(commitments(MAX_BLOBS + 1))
    expect(await sampled({ ...alone, readBlock })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'unsupported-fork', detail: 'a block with 4 blobs' },
    })
  })

  it('is not asked for once the time is over, and is not waited for then', async () => {
    const deadline = new AbortController()
    const late: Node = async (question) => {
      if (question.what !== 'block') return await blockAlone(question)
      deadline.abort()
      return await new Promise(() => {})
    }
    const before = AbortSignal.abort()
    for (const world of [
      { ...alone, until: before },
      { ...alone, nodes: { a: late }, until: deadline.signal },
    ])
      expect((await sampled(world)).verdict).toBe('unknown')
  })

  it('that was asked for in vain is not asked for again by whoever wants whole blobs', async () => {
    const nodes = { a: giving('columns', 2, () => 'lacking') }
    const { asked, context } = sceneOf({ nodes, blobs: true })
    await fallBack(await sampleColumns(context), context)
    expect(asked.map(({ what }) => what)).toEqual(['columns', 'block', 'sidecars'])
  })

  it('that came is what whole blobs are held against', async () => {
    const a: Node = async (question) =>
      question.what === 'blobs' ? join([blob(0), blob(1)]) : await blockAlone(question)
    const { asked, context } = sceneOf({ ...alone, nodes: { a }, blobs: true })
    const found = await fallBack(await sampleColumns(context), context)
    expect(found).toMatchObject({ verdict: 'available', via: 'blobs', links: { kzg: 'verified' } })
    expect(asked.filter(({ what }) => what === 'block')).toHaveLength(1)
  })
})

describe('the block before Fulu', () => {
  const slot = Number(slots.electra)
  const withBlock =
    (node: Node): Node =>
    async (question) =>
      question.what === 'block' ? new Uint8Array(9) : await node(question)
  const lacks = giving('sidecars', 2, () => 'lacking')
  async function whole(committed: readonly string[], world: World = {}) {
    const readBlock = readsBlock(committed, slot)
    const { context, asked } = sceneOf({ nodes: { a: withBlock(lacks) }, readBlock, ...world })
    const { root } = context.header
    const before = { ...context, header: { root, slot } }
    const finding = await wholeSidecars(before)
    return { ...finding, before, questions: asked, asked: asked.map(({ what }) => what) }
  }

  it('tells how many blob sidecars there are of which nobody has the first', async () => {
    expect(await whole(commitments(2))).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing', commitments: commitments(2) },
      ...{ links: { inclusion: 'verified', kzg: 'absent' }, asked: ['sidecars', 'block'] },
    })
    expect(await whole([])).toMatchObject({ verdict: 'no-blobs', reason: 'proven-empty', via: 'header' })
    expect(await whole(commitments(2), { age: 5_000 })).toMatchObject({ reason: 'expired' })
  })

  it('is not asked for where the number is proven, and may not be had', async () => {
    expect((await whole([], { proven: 2 })).asked).toEqual(['sidecars'])
    const nodes = { a: giving('sidecars', 2, () => 'lacking') }
    expect(await whole([], { nodes })).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
  })

  it('is not asked for where one sidecar was verified, whatever others gave or an archive lacks', async () => {
    const liar = withBlock(giving('sidecars', 2, () => 'false', slot))
    const honest = withBlock(giving('sidecars', 2, (index) => (index === 0 ? 'true' : 'lacking'), slot))
    const { asked, questions, ...finding } = await whole([], {
      nodes: { liar, honest },
      archives: { old: withBlock(lacks) },
    })
    expect(asked).not.toContain('block')
    expect(finding).toMatchObject({ verdict: 'unavailable', commitments: { length: 1 } })
    const { before } = finding
    const parts = { ...before.parts, endpoints: before.parts.fallbacks.archives! }
    await wholeSidecars({ ...before, parts }, 'archives')
    expect(questions.slice(asked.length).map(({ what }) => what)).toEqual(['sidecars'])
  })

  it('shows who was wrong that called it one of a fork to come', async () => {
    const wrong = withBlock(ofForkToCome(giving('sidecars', 2, () => 'true')))
    const told = await whole(commitments(2), { nodes: { wrong, right: withBlock(lacks) } })
    expect(told).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered', detail: null })
    expect(told.endpoints.map(({ failures }) => failures.map(({ kind }) => kind))).toEqual([
      ['unsupported-fork', 'malformed'],
      [],
    ])
  })
})
