/**
 * A transaction in an execution block of which nothing shows that it is that of the beacon block in its slot, since nobody gives the beacon block: what
 * that commits to must have the transaction's blobs, whoever named the execution block.
 */
import { createVerifier } from 'blobcheck'
import { type BlobsResult, type BlobSourceOptions, createBlobSource } from 'blobcheck/blobs'
import type { FaultRule } from 'blobcheck/serve'
import { describe, expect, it } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { canHave } from '../../dist/blobs/wanted.js'
import { beaconOf } from '../support/beacons.ts'
import { headersFrom } from '../support/blob-sources.ts'
import { unanswered } from '../support/make.ts'
import {
  allLinks,
  chain,
  executionOf,
  forged,
  FULU,
  getSent,
  inSlot,
  sentIn,
  useTransactions,
} from '../support/sent-blobs.ts'

useTransactions()

const mainnet = resolveNetwork('mainnet')
/** A slot before, with a block that has other blobs. */
const OTHER = FULU - 2

const without = (...routes: NonNullable<FaultRule['routes']>): FaultRule => ({
  ...{ fault: { kind: 'status', code: 404 }, routes },
})
const forms = [
  ['columns', without('blocks')],
  ['sidecars', without('blocks', 'blobs', 'data_column_sidecars')],
] as const
/** The URL of an execution endpoint that has each transaction in a block of another slot, true to itself. */
const liar = async (slot: number = OTHER, genesisTime?: number): Promise<string> =>
  await executionOf(inSlot(slot, genesisTime))
const honest = async (): Promise<string> => await executionOf(chain)

const ofOther: Partial<BlobsResult> = {
  ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [], wanted: null, block: null },
  detail: `the beacon block of slot ${OTHER} does not have the transaction’s blobs`,
}

/** Which sources of the execution layer are said to have failed, and how. */
function accused({ report }: BlobsResult): [string, unknown][] {
  const ofExecution = report.sources.filter(({ role }) => role === 'execution')
  return ofExecution.flatMap(({ failures, refused, source }) =>
    [...failures, ...refused].map((one): [string, unknown] => [source, one]),
  )
}

/** Of a source that named a block of another slot, once that is refuted. */
const named = (url: string): [string, unknown] => [
  url,
  { kind: 'behind', detail: expect.stringMatching(/^block 0x[0-9a-f]{64} is none of the chain$/) },
]

/** The transaction’s blobs are here, and nobody is accused but for a block that was refuted: nothing has shown which one is right. */
function expectSent(result: BlobsResult, refuted: string[] = []): void {
  expect(result).toMatchObject({
    ...{ verdict: 'complete', block: { slot: FULU }, execution: { hash: sentIn(FULU).execution.hash } },
    links: { ...allLinks, 'execution-block': 'absent' },
  })
  expect(accused(result)).toEqual(refuted.map(named))
}

describe.each(forms)('a transaction whose beacon block nobody gives, by %s', (_name, rule) => {
  const ask = async (execution: string[], options: Partial<BlobSourceOptions> = {}): Promise<BlobsResult> =>
    await getSent(sentIn(FULU), execution, { beacon: await beaconOf(chain, rule), ...options })

  it('comes where one endpoint names its block, as it does where all do', async () => {
    for (const execution of [[await honest()], [await honest(), await honest()]])
      expectSent(await ask(execution))
  })

  it('comes whichever endpoint is asked first where another one names a block of another slot', async () => {
    const made = await liar()
    const both = [made, await honest()]
    expectSent(await ask(both), [made])
    // Then nobody looks for the other block's blobs.
    expectSent(await ask(both.toReversed()))
  })

  it('is of no chain where every endpoint names a block of another slot', async () => {
    for (const slots of [[OTHER], [OTHER, OTHER], [OTHER, OTHER - 1]]) {
      const liars = await Promise.all(slots.map(async (slot) => await liar(slot)))
      const result = await ask(liars)
      expect(result).toMatchObject(ofOther)
      expect(accused(result)).toEqual(liars.map(named))
    }
  })

  it('is not known where nobody gives anything of the one slot, and the other has other blobs', async () => {
    const { root } = chain.at(FULU)!
    const fetch: BlobSourceOptions['fetch'] = async (url, init) =>
      new RegExp(`/(${root}|${FULU})\\b`).test(String(url))
        ? new Response(null, { status: 404 })
        : await globalThis.fetch(url, init as RequestInit)
    const both = [await liar(), await honest()]
    for (const execution of [both, both.toReversed()])
      expect(await ask(execution, { fetch, headers: headersFrom(chain) })).toMatchObject({
        ...{ verdict: 'unknown', reason: 'no-block', blobs: [], block: { slot: FULU } },
        report: { via: [] },
      })
  })
})

describe('a made-up block whose slot keeps everybody waiting', () => {
  it.each(['first', 'last'])(
    'does not keep the true one from being found, named %s: by its header',
    async (place) => {
      const plain = headersFrom(chain)
      const headers: BlobSourceOptions['headers'] = {
        resolve: async (id, options) =>
          id === OTHER ? await unanswered(options.signal as AbortSignal) : await plain.resolve(id, options),
      }
      const both = [await liar(), await honest()]
      const result = await getSent(sentIn(FULU), place === 'first' ? both : both.toReversed(), {
        ...{ headers, deadlineMs: 8_000, beacon: await beaconOf(chain, without('blocks')) },
      })
      expect(result).toMatchObject({ verdict: 'complete', block: { slot: FULU } })
    },
  )

  it.each(['first', 'last'])(
    'does not keep the true one from being found, named %s: by its columns',
    async (place) => {
      const { root } = chain.at(OTHER)!
      const silent = 'http://silent.example'
      const fetch: BlobSourceOptions['fetch'] = async (url, init) => {
        const isOther = String(url).includes(root)
        if (isOther && String(url).includes('column')) return await unanswered(init.signal as AbortSignal)
        if (isOther || String(url).startsWith(silent)) return new Response(null, { status: 404 })
        return await globalThis.fetch(url, init as RequestInit)
      }
      const beacon = [silent, await beaconOf(chain, without('blocks', 'blobs'))]
      const both = [await liar(), await honest()]
      const execution = place === 'first' ? both : both.toReversed()
      const result = await getSent(sentIn(FULU), execution, {
        ...{ fetch, beacon, deadlineMs: 8_000, headers: headersFrom(chain) },
      })
      expect(result).toMatchObject({ verdict: 'complete', block: { slot: FULU } })
    },
  )
})

describe('a block that has more blobs than the network’s config allows', () => {
  it('is not said to have other blobs', async () => {
    const { blobSchedule = [] } = chain.network
    const network = {
      ...chain.network,
      blobSchedule: blobSchedule.map((one) => ({ ...one, maxBlobsPerBlock: 1 })),
    }
    const old = await createVerifier({ network, workers: 0, cache: false })
    const beacon = await beaconOf(chain, without('blocks', 'blobs', 'data_column_sidecars'))
    const result = await getSent(sentIn(FULU), [await honest()], { verifier: old, beacon })
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'no-block', block: { slot: FULU } })
    await old.dispose()
  })
})

describe('an execution block that the caller vouches for', () => {
  it('says that there are blobs where nobody gives its beacon block, nor the blobs', async () => {
    const sent = sentIn(FULU)
    const beacon = await beaconOf(chain, without('blocks', 'blobs', 'data_column_sidecars'))
    const fetch: BlobSourceOptions['fetch'] = async (url, init) =>
      /blob_sidecars/.test(String(url)) && !/indices=0$/.test(String(url))
        ? new Response(null, { status: 404 })
        : await globalThis.fetch(url, init as RequestInit)
    const anchor = { executionHeader: { hash: sent.execution.hash } }
    const result = await getSent(sent, [await honest()], { beacon, fetch, anchor })
    expect([result.verdict, result.reason]).toEqual(['missing', 'not-served'])
  })
})

describe('an execution block that was reorganised away', () => {
  it('has the blobs of a beacon block that has them all the same, and no other execution block is accused', async () => {
    const sent = sentIn(FULU)
    const beacon = await beaconOf(chain, without('blocks'))
    const result = await getSent(sent, [await executionOf(forged()), await honest()], { beacon })
    expect(result).toMatchObject({ verdict: 'complete', links: { 'execution-block': 'absent' } })
    expect(accused(result)).toEqual([])
  })

  it('is accused where another endpoint names the one of the chain, and that is shown', async () => {
    const { root } = chain.at(OTHER)!
    const fetch: BlobSourceOptions['fetch'] = async (url, init) =>
      String(url).includes(`/blocks/${root}`)
        ? new Response(null, { status: 404 })
        : await globalThis.fetch(url, init as RequestInit)
    const sent = sentIn(FULU)
    const url = await liar()
    const result = await getSent(sent, [url, await honest()], { fetch })
    expect(result).toMatchObject({ verdict: 'complete', links: allLinks })
    expect(result.report.sources.find(({ source }) => source === url)?.failures).toMatchObject([
      { kind: 'behind' },
    ])
  })
})

describe('a made-up block of before there were blobs', () => {
  it('does not say that the transaction has none', async () => {
    const { genesisTime } = mainnet
    const early = await createVerifier({ network: 'mainnet', workers: 0, cache: false })
    const slot = 8_000_000
    const source = createBlobSource({
      ...{ verifier: early, beacon: await beaconOf(chain), execution: await liar(slot, genesisTime) },
      headers: { resolve: async () => ({ status: 'found', header: { root: chain.head.root, slot } }) },
      fetch: async (url, init) =>
        String(url).includes('/eth/')
          ? new Response(null, { status: 404 })
          : await globalThis.fetch(url, init as RequestInit),
    })
    expect(await source.get({ transaction: sentIn(FULU).hash })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-of-the-chain', blobs: [], block: null },
    })
    await early.dispose()
  })
})

describe('the place of a transaction’s blobs in a block', () => {
  const known = (...hashes: (string | null)[]): Map<number, string> =>
    new Map(hashes.flatMap((hash, place) => (hash === null ? [] : [[place, hash] as const])))

  it.each([
    ['one after the other', 4, known('a', 'b', 'c', 'd'), ['b', 'c'], null, true],
    ['from the place on that is known', 4, known('a', 'b', 'c', 'd'), ['b', 'c'], 1, true],
    ['in another place', 4, known('a', 'b', 'c', 'd'), ['b', 'c'], 2, false],
    ['with another one between', 4, known('a', 'b', 'c', 'd'), ['b', 'd'], null, false],
    ['in another order', 4, known('a', 'b', 'c', 'd'), ['c', 'b'], null, false],
    ['some of them alone', 4, known('a', 'b', 'c', 'd'), ['d', 'e'], null, false],
    ['in places that are not known', 4, known('a', null, null, 'd'), ['b', 'c'], null, true],
    ['in too few places that are not known', 4, known('a', null, 'c', 'd'), ['b', 'e'], null, false],
    ['beyond the end', 4, known(), ['b', 'c'], 3, false],
    ['more than the block has', 1, known(), ['b', 'c'], null, false],
  ] as const)('%s', (_name, count, blobs, hashes, first, expected) => {
    expect(canHave(count, blobs, hashes, first)).toBe(expected)
  })
})
