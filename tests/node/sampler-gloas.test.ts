/**
 * The sampler on a chain that goes on from Fulu into Gloas, over real HTTP, behind a light client: commitments come from the block's bid, and
 * the next block decides whether there was a payload at all.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import {
  createSampler,
  type HeaderSource,
  type Resolution,
  type SampledHeader,
  type SampleProgress,
  type SampleReport,
  type SamplerOptions,
} from 'blobcheck/sampler'
import { type ChainBlock, createBeaconApp, type Fault, type MadeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { GloasDataColumnSidecars } from '../../dist/serve/ssz/gloas.js'
import { beaconOf } from '../support/beacons.ts'
import { toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'
import { expectSound } from '../support/samplers.ts'
import { handChain } from '../support/served.ts'

const FORK = 4 * 32
/** Slots after the fork. */
const isMissed = (slot: number): boolean => slot % 11 === 4
const isWithheld = (slot: number): boolean => slot % 7 === 3
const isWithout = (slot: number): boolean => slot % 9 === 6

let chain: MadeChain
let verifier: Verifier
let client: LightClient
const now = (): number => chain.now()
beforeAll(async () => {
  chain = await handChain({
    ...{ slots: 91, gloasForkEpoch: 4, isMissed, isPayloadWithheld: isWithheld },
    blobsPerBlock: (slot) => (isWithout(slot) ? 0 : 2),
  })
  const { checkpoint, network } = chain
  verifier = await createVerifier({ network, workers: 1, cache: false })
  client = await LightClient.fromCheckpoint({
    ...{ checkpoint, network, now, store: false },
    beacon: (await serveBeacon({ chain })).url,
  })
  await client.sync()
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
})

/** The first slot of Gloas from `from` on with a block of which all this is true. */
function slotWhere(
  is: { withheld: boolean; without: boolean; missedAfter?: boolean },
  from = FORK + 1,
): number {
  for (let slot = from; slot < client.optimistic.slot; slot++) {
    if (isMissed(slot) || isMissed(slot + 1) !== (is.missedAfter ?? false)) continue
    if (isWithheld(slot) === is.withheld && isWithout(slot) === is.without) return slot
  }
  throw new Error('the chain is too short')
}
const plain = { withheld: false, without: false }

async function sample(
  slot: number | 'head',
  faults: readonly Fault[] = [],
  options: Partial<SamplerOptions> & { reconstruct?: boolean; events?: SampleProgress[] } = {},
): Promise<SampleReport> {
  const { reconstruct = false, events = [], ...others } = options
  const beacon = await beaconOf(
    chain,
    ...faults.map((fault) => ({ fault, routes: ['data_column_sidecars'] as const })),
  )
  const sampler = createSampler({ verifier, headers: client, beacon, now, ...others })
  const report = await sampler.sampleBlock(slot, {
    reconstruct,
    onProgress: (event) => void events.push(event),
  })
  expectSound(report)
  return report
}

const commitmentsAt = (slot: number): string[] =>
  chain.at(slot)!.blobs.map(({ commitment }) => toHex(commitment))

const proven = {
  header: 'verified',
  'sync-committee': 'verified',
  checkpoint: 'verified',
  inclusion: 'verified',
}

describe('a block whose payload the next block builds on', () => {
  it.each([false, true])('is available where its columns are (next slot empty: %j)', async (missedAfter) => {
    const slot = slotWhere({ ...plain, missedAfter })
    const events: SampleProgress[] = []
    const report = await sample(slot, [], { events })
    const child = chain.at(slot + (missedAfter ? 2 : 1))!
    const commitments = commitmentsAt(slot)
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'sampled', via: 'data-columns', commitments },
      blobCount: { count: 2, by: 'proven' },
      links: { ...proven, kzg: 'verified' },
      payload: { status: 'full', child: { slot: child.slot, root: child.root } },
      endpoints: [{ failures: [], refused: [], notDelivered: [] }],
    })
    expect(report.payload?.child?.parentBlockHash).toBe(report.payload?.blockHash)
    expect(report.notVerified).not.toContain('blob-count')
    // Before anything is asked for: what the bid says.
    expect(events[0]).toMatchObject({ stage: 'block', kind: 'block', ...report.block, blobs: 2 })
  })

  it('is available in JSON alone', async () => {
    const plainJson: SamplerOptions['fetch'] = (url, init) =>
      fetch(url, { ...init, headers: { accept: 'application/json' } })
    expect(await sample(slotWhere(plain), [], { fetch: plainJson })).toMatchObject({
      ...{ verdict: 'available', payload: { status: 'full' }, links: { ...proven, kzg: 'verified' } },
      endpoints: [{ failures: [], refused: [] }],
    })
  })

  it('has its blobs rebuilt from half of the columns', async () => {
    const slot = slotWhere(plain)
    const report = await sample(slot, [], { target: { columns: 64 }, reconstruct: true })
    expect(report).toMatchObject({ verdict: 'available', reason: 'reconstructible' })
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(
      chain.at(slot)!.blobs.map(({ blob }) => toHex(blob)),
    )
    expect(report.blobs?.map(({ commitment }) => commitment)).toEqual(commitmentsAt(slot))
  })

  it.each([100, 128])('is unavailable where everyone denies %i of its columns', async (columns) => {
    const slot = slotWhere(plain)
    expect(await sample(slot, [{ kind: 'withhold', columns }])).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing', payload: { status: 'full' } },
      // What the block says holds without any column.
      ...{ commitments: commitmentsAt(slot), links: proven },
    })
  })

  it.each(['cell', 'proof', 'header'] as const)('names who falsifies a %s', async (part) => {
    const slot = slotWhere(plain)
    const { verdict, endpoints } = await sample(slot, [{ kind: 'corrupt', part }])
    expect(verdict).not.toBe('available')
    expect(endpoints[0]?.refused.length).toBeGreaterThan(0)
  })

  it('is complete where whole blobs are, even if no column is', async () => {
    const slot = slotWhere(plain)
    const report = await sample(slot, [{ kind: 'withhold', columns: 128 }], {
      fallbacks: { blobs: true },
      reconstruct: true,
    })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs', payload: { status: 'full' } },
      ...{ commitments: commitmentsAt(slot), links: { ...proven, kzg: 'verified' } },
      fallback: { from: 'endpoints' },
    })
    expect(report.blobs?.map(({ blob }) => toHex(blob))).toEqual(
      chain.at(slot)!.blobs.map(({ blob }) => toHex(blob)),
    )
  })

  it('is complete where a file has half of its columns, and an archive its blobs', async () => {
    const slot = slotWhere(plain)
    const url = await beaconOf(chain)
    const indices = Array.from({ length: 64 }, (_, at) => `indices=${at}`).join('&')
    const path = `${url}/eth/v1/debug/beacon/data_column_sidecars/${slot}?${indices}`
    const answer = await fetch(path, { headers: { accept: 'application/octet-stream' } })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const none: Fault[] = [{ kind: 'withhold', columns: 128 }]
    const files = [{ name: 'half.ssz', kind: 'data-column-sidecars', bytes }] as const
    expect(await sample(slot, none, { fallbacks: { files } })).toMatchObject({
      ...{
        verdict: 'available',
        reason: 'reconstructible',
        fallback: { from: 'files', sources: ['half.ssz'] },
      },
      links: { ...proven, kzg: 'verified' },
    })
    expect(await sample(slot, none, { fallbacks: { archives: url } })).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs', fallback: { from: 'archives' } },
    })
  })
})

describe('the fork itself', () => {
  it('is sampled on both sides', async () => {
    expect(chain.at(FORK - 1)?.version).toBe('fulu')
    expect(await sample(FORK - 1)).toMatchObject({ verdict: 'available', payload: null })
    expect(chain.at(FORK)?.version).toBe('gloas')
    expect(await sample(FORK)).toMatchObject({ verdict: 'available', payload: { status: 'full' } })
  })

  it('has whole blobs before it, too, by the commitments in the block, where no column is', async () => {
    const none: Fault[] = [{ kind: 'withhold', columns: 128 }]
    const report = await sample(FORK - 1, none, { fallbacks: { blobs: true } })
    expect(report).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blobs', commitments: commitmentsAt(FORK - 1) },
      ...{ payload: null, links: { ...proven, kzg: 'verified' }, fallback: { from: 'endpoints' } },
    })
  })
})

describe('a block whose payload was never revealed', () => {
  it('has a verdict of its own, with the evidence, and accuses nobody', async () => {
    const slot = slotWhere({ withheld: true, without: false })
    const child = chain.at(slot + 1)!
    const report = await sample(slot)
    expect(report).toMatchObject({
      ...{ verdict: 'payload-not-revealed', reason: 'payload-not-revealed', via: 'header', columns: [] },
      ...{ links: { ...proven, kzg: 'absent' }, blobCount: { count: 2, by: 'proven' } },
      payload: { status: 'empty', child: { slot: child.slot, root: child.root } },
      endpoints: [{ asked: [], failures: [], refused: [], notDelivered: [] }],
    })
    expect(report.payload?.child?.parentBlockHash).not.toBe(report.payload?.blockHash)
  })
})

describe('a block without blobs', () => {
  it.each([false, true])('has none by its bid (payload withheld: %j)', async (withheld) => {
    const report = await sample(slotWhere({ withheld, without: true }))
    expect(report).toMatchObject({
      ...{ verdict: 'no-blobs', reason: 'proven-empty', columns: [] },
      ...{ blobCount: { count: 0, by: 'proven' }, links: proven },
    })
  })
})

describe('the newest block', () => {
  it('is available where its columns are, though nobody knows yet what is built on it', async () => {
    const { root, slot } = client.optimistic
    expect([isWithheld(slot), isWithout(slot)]).toEqual([false, false])
    expect(await sample('head')).toMatchObject({
      ...{ verdict: 'available', block: { root }, payload: { status: 'unknown', child: null } },
    })
  })

  it('is not called unavailable: its payload may never come', async () => {
    const report = await sample('head', [{ kind: 'withhold', columns: 128 }])
    expect(report).toMatchObject({
      verdict: 'unknown',
      reason: 'may-have-no-payload',
      payload: { status: 'unknown' },
    })
  })
})

describe('endpoints that are bad at blocks', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()))
  })
  /** A `fetch` by which one endpoint gives another answer to questions for blocks. */
  const lying =
    (liar: string, path: (path: string) => string): SamplerOptions['fetch'] =>
    async (url, init) => {
      const { href, pathname } = new URL(url)
      return await fetch(
        href.startsWith(liar) && pathname.startsWith('/eth/v2/beacon/blocks/') ? liar + path(pathname) : href,
        init,
      )
    }
  const twoOf = async (): Promise<[liar: string, honest: string]> => [
    await beaconOf(chain),
    await beaconOf(chain),
  ]
  const run = async (beacon: string[], fetch: SamplerOptions['fetch']): Promise<SampleReport> => {
    const sampler = createSampler({ verifier, headers: client, beacon, now, ...(fetch && { fetch }) })
    const report = await sampler.sampleBlock(slotWhere(plain))
    expectSound(report)
    return report
  }

  it.each([
    ['another block', (): string => `/eth/v2/beacon/blocks/${slotWhere(plain, FORK + 10)}`, 'invalid'],
    ['something else', (): string => '/eth/v1/beacon/genesis', 'malformed'],
    ['nothing', (): string => '/eth/v2/beacon/blocks/99999', 'not-found'],
  ] as const)('are named for %s, and an honest one is enough', async (_what, path, kind) => {
    const [liar, honest] = await twoOf()
    const alone = await run([liar], lying(liar, path))
    expect(alone).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-commitments', payload: null, columns: [] },
      endpoints: [{ endpoint: liar, failures: [{ kind }] }],
    })
    expect(alone.detail).toContain(kind)
    const report = await run([liar, honest], lying(liar, path))
    expect(report).toMatchObject({ verdict: 'available', payload: { status: 'full' } })
    expect(report.endpoints[1]).toMatchObject({ failures: [], refused: [] })
  })
})

it('a block of a fork to come leaves the data unknown, and is named beside what else went wrong', async () => {
  const servers = [await beaconOf(chain), await beaconOf(chain, { fault: { kind: 'status', code: 503 } })]
  const newer: SamplerOptions['fetch'] = async (url, init) => {
    if (!new URL(url).pathname.startsWith('/eth/v2/beacon/blocks/')) return await fetch(url, init)
    const answer = await fetch(url, { ...init, headers: { accept: 'application/json' } })
    const { status } = answer
    const text = (await answer.text()).replace(/"version":"[a-z]+"/, '"version":"after-gloas"')
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  }
  const sampler = createSampler({ verifier, headers: client, beacon: servers, now, fetch: newer })
  const report = await sampler.sampleBlock(slotWhere(plain))
  expect(report).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork', columns: [], payload: null })
  expect(report.detail).toContain('version: unsupported-fork')
})

describe('an endpoint whose block does not come', () => {
  it.each([
    ['in time', { kind: 'delay', ms: 30_000 }, 'the block could not be had in time', 800],
    ['whole', { kind: 'truncate', at: 0.5 }, 'truncated', 30_000],
    ['at all', { kind: 'status', code: 503 }, 'server-error', 30_000],
  ] as const)('%s leaves the data unknown, before the deadline', async (_how, fault, detail, deadlineMs) => {
    const beacon = await beaconOf(chain, { fault, routes: ['blocks'] })
    const sampler = createSampler({ verifier, headers: client, beacon, now, deadlineMs })
    const events: SampleProgress[] = []
    const report = await sampler.sampleBlock(slotWhere(plain), {
      onProgress: (event) => void events.push(event),
    })
    expectSound(report)
    expect(events[0]).toMatchObject({ kind: 'block', ...report.block, blobs: null })
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'no-commitments', columns: [], payload: null })
    expect(report.detail).toContain(detail)
  })
})

describe('headers on trust', () => {
  const source = (
    change: (slot: number) => number = (slot) => slot,
    ofEmptySlot: Resolution = { status: 'no-block' },
  ): HeaderSource => ({
    resolve: (id) => {
      const block = chain.at(Number(id))
      return Promise.resolve(
        block === null
          ? ofEmptySlot
          : { status: 'found', header: { root: block.root, slot: change(block.slot) } },
      )
    },
  })

  it('lead to the same verdicts, and are said to be on trust', async () => {
    const trusted = {
      header: 'trusted',
      'sync-committee': 'absent',
      checkpoint: 'absent',
      inclusion: 'verified',
    }
    for (const [is, verdict, status] of [
      [plain, 'available', 'full'],
      [{ ...plain, missedAfter: true }, 'available', 'full'],
      [{ withheld: true, without: false }, 'payload-not-revealed', 'empty'],
    ] as const)
      expect(await sample(slotWhere(is), [], { headers: source() })).toMatchObject({
        ...{ verdict, payload: { status }, links: trusted, blobCount: { count: 2, by: 'committed' } },
      })
  })

  it('show what an empty slot hides, where their source knows no more of it than that there was no answer', async () => {
    const headers = source((slot) => slot, { status: 'unknown', detail: 'status 404' })
    const slot = slotWhere({ ...plain, missedAfter: true })
    expect(await sample(slot, [{ kind: 'withhold', columns: 128 }], { headers })).toMatchObject({
      ...{ verdict: 'unavailable', payload: { status: 'full', child: { slot: slot + 2 } } },
    })
  })

  it('of a slot that is not the block’s are misuse', async () => {
    const headers = source((slot) => slot + 1)
    // The other one is of Fulu.
    for (const slot of [slotWhere(plain), FORK - 2])
      await expect(sample(slot, [], { headers })).rejects.toThrow(TypeError)
  })

  it('whose source fails at the next block leave the payload unknown', async () => {
    const honest = source()
    const slot = slotWhere({ withheld: true, without: false })
    const headers: HeaderSource = {
      resolve: (id, options) =>
        id === slot ? honest.resolve(id, options) : Promise.reject(new Error('no more')),
    }
    expect(await sample(slot, [], { headers })).toMatchObject({
      ...{ verdict: 'unknown', reason: 'may-have-no-payload', payload: { status: 'unknown', child: null } },
    })
  })
})

describe('a chain that is followed', () => {
  const withheld = { fault: { kind: 'withhold', columns: 128 }, routes: ['data_column_sidecars'] } as const
  const failing = { fault: { kind: 'status', code: 503 }, routes: ['data_column_sidecars'] } as const

  it.each([
    ['where all deny its columns', [withheld], 'unavailable', 'may-have-no-payload'],
    ['where an endpoint fails, too', [withheld, failing], 'unknown', 'not-all-answered'],
  ] as const)(
    'tells of its newest block again when the next one shows what became of the payload, %s',
    async (_, faults, revealed, reason) => {
      const own = await handChain({
        ...{ slots: 40, gloasForkEpoch: 3, blobsPerBlock: 1, slotsPerEpoch: 32 },
        isPayloadWithheld: (slot) => slot % 2 === 1,
      })
      const beacon = await Promise.all(faults.map((fault) => beaconOf(own, fault)))
      const ours = await createVerifier({ network: own.network, workers: 0, cache: false })
      const resolve: HeaderSource['resolve'] = (id) => {
        const block = own.at(Number(id))
        return Promise.resolve(
          block === null
            ? { status: 'no-block' }
            : { status: 'found', header: { root: block.root, slot: block.slot } },
        )
      }
      const first = own.head.slot
      const sampler = createSampler({
        ...{ verifier: ours, beacon, now: () => own.now() },
        headers: {
          resolve,
          async *headers() {
            for (let at = 0; at < 3; at++) {
              yield await Promise.resolve({ root: own.head.root, slot: own.head.slot })
              own.advance(1)
            }
          },
        },
      })
      const told: unknown[] = []
      const following = sampler.follow({ concurrency: 1 })
      for await (const { slot, outcome, again, report } of following) {
        told.push([slot - first, outcome, again])
        if (outcome === 'unknown' && !again) expect(report?.reason).toBe(reason)
      }
      const isWithheldFirst = first % 2 === 1
      const outcomeOf = (at: number): string =>
        (at === 0) === isWithheldFirst ? 'payload-not-revealed' : revealed
      expect(told).toEqual([
        [0, 'unknown', false],
        [1, 'unknown', false],
        [0, outcomeOf(0), true],
        [2, 'unknown', false],
        [1, outcomeOf(1), true],
      ])
      expect(following.counters).toMatchObject({ slots: 5, payloadNotRevealed: 1 })
      await ours.dispose()
    },
  )

  it('takes back what was available where the next block shows that the payload never came, and asks nobody again where it came', async () => {
    const isLate = (slot: number): boolean => slot % 3 === 1
    const own = await handChain({
      ...{ slots: 40, gloasForkEpoch: 3, blobsPerBlock: 1, slotsPerEpoch: 8, isPayloadWithheld: isLate },
    })
    const app = createBeaconApp({ chain: own })
    const asked: number[] = []
    const ours = await createVerifier({ network: own.network, workers: 0, cache: false })
    const headerIn = (block: ChainBlock): SampledHeader => ({ root: block.root, slot: block.slot })
    const sampler = createSampler({
      ...{ verifier: ours, beacon: 'http://node.test', now: () => own.now(), target: { columns: 8 } },
      // Its columns are out, and the payload is not: who builds on the block goes on without it.
      fetch: async (url, init) => {
        const [, root, indices] = /data_column_sidecars\/(0x\w+)\?indices=(.*)/.exec(url) ?? []
        const block = root === undefined ? null : own.byRoot(root)
        if (block !== null) asked.push(block.slot)
        if (!block?.gloas || !isLate(block.slot)) return await app.fetch(new Request(url, init))
        const columns = indices!.split(/\D+/).map((index) => block.gloas!.column(Number(index)))
        const type = { 'content-type': 'application/octet-stream', 'eth-consensus-version': 'gloas' }
        return new Response(GloasDataColumnSidecars.serialize(columns), { headers: type })
      },
      headers: {
        resolve: (id) => {
          const block = own.at(Number(id))
          return Promise.resolve(
            block ? { status: 'found', header: headerIn(block) } : { status: 'no-block' },
          )
        },
        async *headers() {
          for (let at = 0; at < 6; at++) {
            yield await Promise.resolve(headerIn(own.head))
            own.advance(1)
          }
        },
      },
    })
    const first = own.head.slot
    const told: unknown[] = []
    const following = sampler.follow({ concurrency: 1 })
    for await (const { slot, outcome, again, report } of following)
      told.push([slot, outcome, report?.payload?.status, again])
    const expected = range(6).flatMap((at): unknown[] => {
      const slot = first + at
      const before = [slot - 1, 'payload-not-revealed', 'empty', true]
      return [[slot, 'available', 'unknown', false], ...(at > 0 && isLate(slot - 1) ? [before] : [])]
    })
    expect(told).toEqual(expected)
    expect(asked).toEqual(range(6).map((at) => first + at))
    expect(following.counters).toMatchObject({ slots: 8, available: 6, payloadNotRevealed: 2 })
    await ours.dispose()
  })
})
