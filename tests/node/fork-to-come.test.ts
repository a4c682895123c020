/**
 * Nodes that answer in a fork which by our config has not begun, as all honest ones do where the config is older than the fork's date: nobody is
 * blamed for it. And nodes that say so and are wrong: they hide nothing that another one has, and it is not free for ever.
 */
import { createVerifier, type NetworkConfig, type Verifier } from 'blobcheck'
import { type BlobsResult, createBlobSource } from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import { createSampler, type SampleReport, type SamplerOptions } from 'blobcheck/sampler'
import { type ChainBlock, createBeaconApp, type MadeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersFrom, quietly } from '../support/blob-sources.ts'
import { expectSound } from '../support/samplers.ts'
import { handChain, JSON_TYPE } from '../support/served.ts'

const FULU = 24
const OF_ONE = 25
const GLOAS = 36

let chain: MadeChain
/** Of the chain's own config, of one in which Gloas has no date, or a later one, and of one that allows one blob alone. */
let verifier: Verifier
let older: Verifier
let later: Verifier
let fewer: Verifier
beforeAll(async () => {
  chain = await handChain({
    ...{ slotsPerEpoch: 8, firstSlot: 16, slots: 26, gloasForkEpoch: 4 },
    blobsPerBlock: (slot) => (slot === OF_ONE ? 1 : 2),
    ...{ epochsPerSyncCommitteePeriod: 8, signHeaders: false },
  })
  const { gloas: _, ...forkEpochs } = chain.network.forkEpochs
  const of = async (network: NetworkConfig): Promise<Verifier> =>
    await createVerifier({ network, workers: 1, cache: false })
  verifier = await of(chain.network)
  older = await of({ ...chain.network, forkEpochs })
  later = await of({ ...chain.network, forkEpochs: { ...forkEpochs, gloas: 5 } })
  fewer = await of({ ...chain.network, blobSchedule: [{ epoch: 0, maxBlobsPerBlock: 1 }] })
})
afterAll(async () => {
  for (const one of [verifier, older, later, fewer]) await one.dispose()
})

/** What a node does to its answers: what it calls their fork, null where it does not say, and whether all of them are JSON. */
interface Habits {
  readonly says?: (version: string) => string | null
  readonly isJson?: boolean
  /** In the place of the block that is asked for. */
  readonly block?: ChainBlock
}

/** Nodes by their hosts, without a network; `asked` are the hosts, in order. */
function nodes(
  habits: Readonly<Record<string, Habits>>,
  of: MadeChain = chain,
): {
  readonly fetch: NonNullable<SamplerOptions['fetch']>
  readonly beacon: string[]
  readonly asked: string[]
} {
  const app = createBeaconApp({ chain: of })
  const asked: string[] = []
  return {
    beacon: Object.keys(habits).map((name) => `http://${name}`),
    asked,
    async fetch(url, init) {
      const { hostname, origin } = new URL(url)
      const { says = (version) => version, isJson = false, block } = habits[hostname]!
      asked.push(hostname)
      const path = block === undefined ? url : url.replace(/0x[0-9a-f]{64}/, block.root)
      const answer = await app.fetch(
        new Request(path.replace(origin, 'http://beacon.test'), {
          headers: isJson ? { accept: JSON_TYPE } : init.headers,
        }),
      )
      const headers = new Headers(answer.headers)
      const told = headers.get('eth-consensus-version')
      const version = told === null ? null : says(told)
      if (version === null) headers.delete('eth-consensus-version')
      else headers.set('eth-consensus-version', version)
      headers.delete('content-length')
      const text = isJson ? (await answer.text()).replace(/"version":"\w+"/, `"version":"${version}"`) : null
      return new Response(text ?? (await answer.arrayBuffer()), { status: answer.status, headers })
    },
  }
}

type Nodes = Pick<ReturnType<typeof nodes>, 'beacon' | 'fetch'>
const samplerOf = (by: Verifier, { beacon, fetch }: Nodes, options: Partial<SamplerOptions> = {}) =>
  createSampler({
    ...{ verifier: by, headers: headersFrom(chain), beacon, fetch, now: () => chain.now() },
    ...options,
  })
async function sample(by: Verifier, all: Nodes, slot: number): Promise<SampleReport> {
  const report = await samplerOf(by, all).sampleBlock(slot)
  expectSound(report)
  return report
}
async function get(by: Verifier, { beacon, fetch }: Nodes, slot: number): Promise<BlobsResult> {
  const headers = headersFrom(chain)
  const source = createBlobSource({ verifier: by, headers, beacon, fetch, now: () => chain.now() })
  return quietly(await source.get({ slot }))
}
const kinds = ({ failures }: { readonly failures: readonly { readonly kind: string }[] }): string[] => [
  ...new Set(failures.map(({ kind }) => kind)),
]

const forms: [string, Habits][] = [
  ['in SSZ', {}],
  ['in JSON', { isJson: true }],
]
/** As browsers hide it. */
const hidden: [string, Habits][] = [...forms, ['in SSZ that does not say its fork', { says: () => null }]]

describe('a config that is older than the date of Gloas', () => {
  it.each(hidden)('leaves a sample unknown, and honest nodes unblamed: %s', async (_form, habits) => {
    for (const by of [older, later]) {
      const report = await sample(by, nodes({ one: habits, two: habits }), 35)
      expect(report).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', payload: null })
      expect(report.detail).toContain('has not begun')
      expect(report.endpoints).toHaveLength(2)
      for (const share of report.endpoints) {
        expect(share.refused).toEqual([])
        expect(kinds(share)).toEqual(['unsupported-fork'])
      }
    }
  })

  it.each(hidden)(
    'leaves it unknown which blobs there are, and honest nodes unblamed: %s',
    async (_form, habits) => {
      for (const by of [older, later]) {
        const result = await get(by, nodes({ one: habits, two: habits }), 35)
        expect(result).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', blobs: [] })
        for (const share of result.report.sources) {
          expect(share.refused).toEqual([])
          // There are no blob sidecars of Gloas: that question is refused.
          expect(kinds(share).filter((kind) => kind !== 'refused')).toEqual(['unsupported-fork'])
        }
      }
    },
  )

  it('changes nothing about the blocks of before', async () => {
    for (const [, habits] of forms) {
      const all = nodes({ one: habits })
      expect(await sample(older, all, FULU)).toMatchObject({ verdict: 'available' })
      expect(await get(older, all, FULU)).toMatchObject({ verdict: 'complete' })
    }
  })
})

it('a config that is older than the date of Fulu leaves blob sidecars unknown, and honest nodes unblamed', async () => {
  const { gloas: _, ...forkEpochs } = chain.network.forkEpochs
  const network = { ...chain.network, forkEpochs: { ...forkEpochs, fulu: 5 } }
  const beforeFulu = await createVerifier({ network, workers: 1, cache: false })
  try {
    for (const [, habits] of forms) {
      const report = await sample(beforeFulu, nodes({ one: habits, two: habits }), FULU)
      expect(report).toMatchObject({
        ...{ verdict: 'unknown', reason: 'unsupported-fork', via: 'blob-sidecars' },
        detail: "fulu, a fork that by the network's config has not begun in that slot",
      })
      expect(report.endpoints).toHaveLength(2)
      for (const share of report.endpoints) {
        expect(share.refused).toEqual([])
        expect(kinds(share)).toEqual(['unsupported-fork'])
      }
    }
  } finally {
    await beforeFulu.dispose()
  }
})

describe.each(forms)('a block of a fork that nobody knows, %s,', (_form, habits) => {
  const newer: Habits = { ...habits, says: () => 'heze' }

  it('leaves the data unknown, and nobody is blamed', async () => {
    const report = await sample(verifier, nodes({ newer }), GLOAS)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', payload: null })
    expect(kinds(report.endpoints[0]!)).toEqual(['unsupported-fork'])
    const result = await get(verifier, nodes({ newer }), GLOAS)
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork' })
    expect(kinds(result.report.sources[0]!)).toEqual(['unsupported-fork'])
  })

  it('is named for it where another endpoint gives the block, and hides nothing', async () => {
    const report = await sample(verifier, nodes({ newer, honest: {} }), GLOAS)
    expect(report).toMatchObject({ verdict: 'available' })
    const [wrong, honest] = report.endpoints
    expect(kinds(wrong!)).toEqual(['unsupported-fork', 'malformed'])
    expect(honest).toMatchObject({ refused: [], failures: [] })
  })
})

describe('a config that allows fewer blobs than the block has', () => {
  const told = { verdict: 'unknown', reason: 'unsupported-fork', detail: 'a block with 2 blobs' } as const

  it.each([
    ['in SSZ', {}, 'unsupported-fork'],
    // Beyond what is read of an answer: which it is does not show.
    ['in JSON', { isJson: true }, 'too-large'],
  ] as [string, Habits, string][])('is found out by the block, %s', async (_form, habits, kind) => {
    const report = await sample(fewer, nodes({ one: habits, two: habits }), FULU)
    expect(report).toMatchObject({ ...told, blobCount: { count: 2, by: 'committed' } })
    expect(report.links).toMatchObject({ inclusion: 'verified', kzg: 'absent' })
    for (const share of report.endpoints) {
      expect(share.refused).toEqual([])
      expect(kinds(share)).toEqual([kind])
    }
    expect(await get(fewer, nodes({ one: habits }), FULU)).toMatchObject(told)
  })

  it('is none for whoever gives longer columns than the block has', async () => {
    const liar: Habits = { block: chain.at(FULU)! }
    const report = await sample(fewer, nodes({ liar, honest: {} }), OF_ONE)
    expect(report).toMatchObject({ verdict: 'available' })
    expect(report.endpoints.map(kinds)).toEqual([['unsupported-fork', 'malformed'], []])
    // Who has the block, and no column, shows that it is not so.
    const { fetch, beacon } = nodes({ liar, other: {} })
    const hiding: SamplerOptions['fetch'] = async (url, init) =>
      url.startsWith('http://other/eth/v1/debug/')
        ? new Response(null, { status: 404 })
        : await fetch(url, init)
    const hidden = await sample(fewer, { beacon, fetch: hiding }, OF_ONE)
    expect(hidden).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered', detail: null })
    expect(hidden.blobCount).toEqual({ count: 1, by: 'committed' })
    expect(kinds(hidden.endpoints[0]!)).toContain('malformed')
  })
})

it('a slot that is not the block’s is the caller’s mistake, where the form of the data shows it', async () => {
  const { root } = chain.at(GLOAS)!
  const headers: SamplerOptions['headers'] = {
    resolve: () => Promise.resolve({ status: 'found', header: { root, slot: FULU } }),
  }
  const all = nodes({ one: {} })
  await expect(samplerOf(verifier, all, { headers }).sampleBlock(FULU)).rejects.toThrow(
    'a header of slot 24, whose block is of slot 36',
  )
})

it('a block whose root is right is read, whatever older fork the answer names', async () => {
  const all = nodes({ one: { says: (version) => (version === 'gloas' ? 'electra' : version) } })
  expect(await sample(verifier, all, GLOAS)).toMatchObject({ verdict: 'available' })
})

const liars: [string, () => Habits][] = [
  ['says that they are of Gloas', () => ({ says: () => 'gloas' })],
  ['says that they are of a fork that nobody knows', () => ({ says: () => 'heze' })],
  ['gives columns of Gloas', () => ({ says: () => null, block: chain.at(GLOAS)! })],
]

describe.each(liars)('an endpoint that, of blocks of Fulu, %s', (_lie, habits) => {
  it('hides nothing from a sample that another one has, and is asked last from then on', async () => {
    const all = nodes({ liar: habits(), honest: {} })
    const sampler = samplerOf(verifier, all)
    const report = await sampler.sampleBlock(FULU)
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0 } })
    const [liar, honest] = report.endpoints
    expect(kinds(liar!)).toEqual(['unsupported-fork', 'malformed'])
    expect(honest).toMatchObject({ refused: [], failures: [] })
    all.asked.splice(0)
    expect(await sampler.sampleBlock(OF_ONE)).toMatchObject({ verdict: 'available' })
    expect(all.asked).toEqual(['honest'])
  })

  it('leaves a sample unknown where it is alone, and what others have is looked for', async () => {
    expect(await sample(verifier, nodes({ liar: habits() }), FULU)).toMatchObject({
      ...{ verdict: 'unknown', reason: 'unsupported-fork' },
    })
    const { fetch } = nodes({ liar: habits(), archive: {} })
    const fallbacks = { archives: 'http://archive' }
    const all = { beacon: ['http://liar'], fetch }
    expect(await samplerOf(verifier, all, { fallbacks }).sampleBlock(FULU)).toMatchObject({
      ...{ verdict: 'available', fallback: { from: 'archives' } },
    })
  })
})

it('whoever says of a block that it is of Gloas is named for it where another one gives the block', async () => {
  const liar: Habits = { isJson: true, says: () => 'gloas' }
  const result = await get(verifier, nodes({ liar, honest: {} }), FULU)
  expect(result).toMatchObject({ verdict: 'complete' })
  const [wrong, honest] = result.report.sources
  expect(wrong).toMatchObject({ failures: [{ kind: 'unsupported-fork' }, { kind: 'malformed' }] })
  expect(honest).toMatchObject({ refused: [], failures: [] })
})

it('a proven execution header leaves no doubt about the fork, whatever an endpoint says', async () => {
  const before = await handChain({ slots: 40, blobsPerBlock: 2 })
  const { checkpoint, network } = before
  const now = (): number => before.now()
  const { beacon, fetch } = nodes({ one: {} }, before)
  const client = await LightClient.fromCheckpoint({ checkpoint, network, now, beacon, fetch, store: false })
  const by = await createVerifier({ network, workers: 1, cache: false })
  try {
    await client.sync()
    const { fetch: lying } = nodes({ one: { says: () => 'gloas' } }, before)
    const sampler = createSampler({ verifier: by, headers: client, beacon, fetch: lying, now })
    expect(await sampler.sampleBlock('head')).toMatchObject({
      ...{ verdict: 'available', blobCount: { by: 'proven' } },
      endpoints: [{ failures: [], refused: [] }],
    })
  } finally {
    await client.dispose()
    await by.dispose()
  }
})
