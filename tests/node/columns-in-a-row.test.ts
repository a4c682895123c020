/**
 * Nodes whose SSZ of columns has no table of offsets, as that of Teku and, until its 17320, of Prysm (beacon-APIs 633): whoever reads columns has
 * from them what others have from a list, of Fulu and of Gloas.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import { createBlobSource } from 'blobcheck/blobs'
import { LightClient } from 'blobcheck/light-client'
import { createSampler, type SampleReport, type SamplerOptions } from 'blobcheck/sampler'
import { createBeaconApp, type FaultRule, type MadeChain, type NodeName } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitColumns } from '../../dist/beacon/ssz/layout.js'
import { expectTrue, quietly } from '../support/blob-sources.ts'
import { concat } from '../support/bytes.ts'
import { expectSound } from '../support/samplers.ts'
import { columns, handChain, SSZ } from '../support/served.ts'

type Bytes = Uint8Array<ArrayBuffer>
const names = ['prysm', 'teku'] as const
const forks = ['fulu', 'gloas'] as const

/** What a node answers to, for all that is asked of columns: as it is, or changed. */
type Change = (ssz: Bytes, indices: readonly number[]) => Bytes

const chains = {} as Record<
  (typeof forks)[number],
  { chain: MadeChain; client: LightClient; verifier: Verifier }
>
beforeAll(async () => {
  for (const fork of forks) {
    const chain = await handChain({
      ...{ slots: 105, blobsPerBlock: (slot: number) => (slot > 100 ? 2 : 0) },
      ...(fork === 'gloas' && { gloasForkEpoch: 3 }),
    })
    const { checkpoint, network } = chain
    const verifier = await createVerifier({ network, workers: 1, cache: false })
    const terms = { checkpoint, network, store: false, now: () => chain.now() } as const
    const { beacon, fetch } = at(chain, undefined)
    const client = await LightClient.fromCheckpoint({ ...terms, beacon, fetch })
    await client.sync()
    chains[fork] = { chain, client, verifier }
  }
})
afterAll(async () => {
  for (const { client, verifier } of Object.values(chains)) {
    await client.dispose()
    await verifier.dispose()
  }
})

/** Endpoints of one such node, and how often it was asked for columns. */
function at(chain: MadeChain, nodesLike: NodeName | undefined, rules: FaultRule[] = [], change?: Change) {
  const app = createBeaconApp({ chain, faults: { seed: 1, rules }, ...(nodesLike && { nodesLike }) })
  const asked: number[][] = []
  const fetch: SamplerOptions['fetch'] & object = async (url, init) => {
    const response = await app.fetch(new Request(url, init as RequestInit))
    const { pathname, searchParams } = new URL(url)
    if (!pathname.includes('data_column_sidecars')) return response
    const indices = searchParams.getAll('indices').flatMap((value) => value.split(',').map(Number))
    asked.push(indices)
    const ssz = new Uint8Array(await response.arrayBuffer())
    const { status, headers } = response as Response
    return new Response(change && status === 200 ? change(ssz, indices) : ssz, { status, headers })
  }
  return { beacon: 'http://node', fetch, asked }
}

/** A block with blobs, on which the next one builds. */
const SLOT = 102

async function sample(
  fork: (typeof forks)[number],
  { beacon, fetch }: ReturnType<typeof at>,
): Promise<SampleReport> {
  const { chain, client: headers, verifier } = chains[fork]
  const now = (): number => chain.now()
  const sampler = createSampler({ verifier, headers, beacon, fetch, now, target: { columns: 8 } })
  const report = await sampler.sampleBlock(SLOT)
  expectSound(report)
  return report
}

/** The columns of a block of the chain, as such a node answers them. */
async function answerOf(fork: (typeof forks)[number], like: NodeName, indices: string): Promise<Bytes> {
  const { fetch } = at(chains[fork].chain, like)
  const url = `http://node${columns(SLOT, `?indices=${indices}`)}`
  const response = await fetch(url, { headers: { accept: SSZ } } as never)
  return new Uint8Array(await (response as Response).arrayBuffer())
}

describe.each(forks)('of %s', (fork) => {
  describe.each(names)('a node like %s', (like) => {
    it('has its blocks sampled with one question', async () => {
      const node = at(chains[fork].chain, like)
      expect(await sample(fork, node)).toMatchObject({
        ...{ verdict: 'available', reason: 'sampled', confidence: { samples: 8, missing: 0 } },
        endpoints: [{ failures: [], refused: [], notDelivered: [], duplicates: 0, unrequested: 0 }],
      })
      expect(node.asked).toHaveLength(1)
    })

    it('that lacks most columns is believed, once it was asked for them by themselves', async () => {
      const fault = { kind: 'withhold', columns: 100 } as const
      const node = at(chains[fork].chain, like, [{ fault }])
      const report = await sample(fork, node)
      expect(report).toMatchObject({ verdict: 'unavailable', reason: 'columns-missing' })
      expect(report.endpoints[0]!.notDelivered.length).toBeGreaterThan(0)
      expect(report.endpoints[0]!.refused).toEqual([])
    })

    it('gives all blobs of a block by its columns alone', async () => {
      const { chain, client: headers, verifier } = chains[fork]
      const { beacon, fetch } = at(chain, like, [
        { fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] },
      ])
      const source = createBlobSource({ verifier, headers, beacon, fetch, now: () => chain.now() })
      const result = quietly(await source.get({ slot: SLOT }))
      expectTrue(result, chain.at(SLOT)!)
      expect(result).toMatchObject({ verdict: 'complete' })
      expect(result.report.via).toContain('data-columns')
    })

    it('has its answer verified, and what is cut or damaged in it condemns nothing else', async () => {
      const { chain, verifier } = chains[fork]
      const block = chain.at(SLOT)!
      const anchor = fork === 'fulu' ? { header: block.root } : { block: block.block.ssz() }
      const verify = async (bytes: Bytes): Promise<string[]> =>
        (await verifier.verifyDataColumnSidecars(bytes, { anchor })).map(({ status }) => status)
      const answer = await answerOf(fork, like, '3,4,90')
      const { length } = await answerOf(fork, like, '3')
      expect(answer).toHaveLength(3 * length)
      expect(await verify(answer)).toEqual(['valid', 'valid', 'valid'])
      expect(await verify(answer.slice(0, length))).toEqual(['valid'])
      expect(await verify(answer.slice(0, 2 * length))).toEqual(['valid', 'valid'])
      for (const end of [length + 1, length + 100, 2 * length - 1])
        expect(await verify(answer.slice(0, end))).toEqual(['valid', 'malformed'])
      for (const [at, value, status] of [
        [0, 128, 'malformed'],
        [7, 1, 'malformed'],
        [400, 1, 'invalid'],
      ] as const) {
        const damaged = answer.slice()
        damaged[length + at] = damaged[length + at] === value ? value + 1 : value
        expect(await verify(damaged)).toEqual(['valid', status, 'valid'])
      }
      // One offset of it is wrong: nobody can say where it ends.
      const open = answer.slice()
      open[length + 13]! ^= 1
      expect(await verify(open)).toEqual(['valid', 'malformed'])
    })
  })

  it('a node whose answers are cut, be it between two columns, hides nothing for good', async () => {
    const { chain } = chains[fork]
    let cuts = 0
    const once =
      (cut: (entries: Uint8Array[], ssz: Bytes) => Bytes): Change =>
      (ssz) =>
        cuts++ === 0 ? cut(splitColumns(ssz, 128)!, ssz) : ssz
    const between = at(
      chain,
      'teku',
      [],
      once((entries) => concat(...entries.slice(0, 3))),
    )
    expect(await sample(fork, between)).toMatchObject({
      verdict: 'available',
      endpoints: [{ failures: [{ kind: 'truncated' }], refused: [], notDelivered: [] }],
    })
    expect(between.asked.map((indices) => indices.length)).toEqual([8, 5])

    cuts = 0
    const within = at(
      chain,
      'teku',
      [],
      once((_, ssz) => ssz.slice(0, -10)),
    )
    const report = await sample(fork, within)
    expect(report).toMatchObject({
      verdict: 'available',
      endpoints: [
        {
          failures: [{ kind: 'malformed', detail: '1 of 8 sidecars do not decode' }],
          ...{ refused: [], notDelivered: [] },
        },
      ],
    })
  })
})

it('what was not in a row is known at once from JSON, and from a list', async () => {
  const { chain } = chains.fulu
  const fault = { kind: 'withhold', columns: 100 } as const
  for (const like of [undefined, ...names]) {
    const node = at(chain, like, [{ fault }])
    const fetch: SamplerOptions['fetch'] & object = async (url, init) =>
      await node.fetch(url, { ...init, headers: { accept: like === undefined ? SSZ : 'application/json' } })
    expect(await sample('fulu', { ...node, fetch })).toMatchObject({
      verdict: 'unavailable',
      endpoints: [{ failures: [] }],
    })
  }
})
