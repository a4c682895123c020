/**
 * The sampler against `blobcheck serve`, over real HTTP, behind a light client: with each of its switches, a verdict that is never
 * wrong, in bounded time, and whoever was bad is named for what it did.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import { BeaconUnavailableError, LightClient } from 'blobcheck/light-client'
import { createSampler, type SampleReport, type SamplerOptions } from 'blobcheck/sampler'
import { type Fault, type FaultRule, type MadeChain, makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tail, toNumber } from '../../dist/sampler/odds.js'
import { beaconOf } from '../support/beacons.ts'
import { range } from '../support/make.ts'
import { expectSound } from '../support/samplers.ts'

let chain: MadeChain
let verifier: Verifier
let client: LightClient
const now = (): number => chain.now()
beforeAll(async () => {
  chain = await makeChain({ clock: 'by-hand', slots: 80, blobsPerBlock: 2 })
  const { checkpoint, network } = chain
  verifier = await createVerifier({ network, workers: 1, cache: false })
  // Its own server is honest, and gone when there is nothing left to ask it for.
  const server = await serveBeacon({ chain })
  client = await LightClient.fromCheckpoint({ checkpoint, network, now, beacon: server.url, store: false })
  await client.sync()
  await server.close()
})
afterAll(async () => {
  await client.dispose()
  await verifier.dispose()
})

const COLUMNS = 'data_column_sidecars'

/** A server that is bad at columns alone: it is a light client's server besides. */
const served = (fault: Fault, more: Partial<FaultRule> = {}): Promise<string> =>
  beaconOf(chain, { fault, routes: [COLUMNS], ...more })

/** The newest block that the light client knows, whose number of blobs its execution header proves. */
async function sample(
  beacon: readonly string[],
  options: Partial<SamplerOptions> = {},
): Promise<SampleReport> {
  const sampler = createSampler({ verifier, headers: client, beacon, now, ...options })
  const report = await sampler.sampleBlock('head')
  expectSound(report)
  return report
}

describe('all of it', () => {
  it.each([
    [{ columns: 8 }, 8],
    [{ maxError: 2 ** -20 }, 18],
    [{ maxError: 2 ** -30 }, 26],
  ])('is available, as certain as was asked for: %j', async (target, columns) => {
    const report = await sample([await beaconOf(chain), await beaconOf(chain)], { target })
    expect(report).toMatchObject({
      verdict: 'available',
      blobCount: { count: 2, by: 'proven' },
      confidence: {
        ...{ samples: columns, missing: 0, servers: 2 },
        maxError: toNumber(tail(columns, 0)),
        bits: -Math.log2(toNumber(tail(columns, 0))),
      },
      links: { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' },
    })
  })
})

describe('a light client that is followed while its endpoints are down', () => {
  it('is no silence: each poll that failed is told', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const beacon = await beaconOf(chain)
    const sampler = createSampler({ verifier, headers: client, beacon, now, target: { columns: 1 } })
    const errors: Error[] = []
    const outcomes: string[] = []
    const onError = (error: Error): void => void errors.push(error)
    for await (const { outcome } of sampler.follow({ signal, onError })) {
      outcomes.push(outcome)
      controller.abort()
    }
    // The first header is one that the client had.
    expect(outcomes).toEqual(['available'])
    expect(errors[0]).toBeInstanceOf(BeaconUnavailableError)
  })
})

/** A switch, what is named where it stands alone, and the verdict then. */
const switches: readonly [
  fault: Fault,
  named: { readonly failure: string } | { readonly refused: string } | 'not-delivered',
  verdict: 'unavailable' | 'unknown',
][] = [
  [{ kind: 'withhold', columns: 65 }, 'not-delivered', 'unavailable'],
  [{ kind: 'withhold', columns: 128 }, 'not-delivered', 'unavailable'],
  [{ kind: 'hide-blobs' }, 'not-delivered', 'unavailable'],
  [{ kind: 'corrupt', part: 'cell' }, { refused: 'proof-mismatch' }, 'unavailable'],
  [{ kind: 'corrupt', part: 'proof' }, { refused: 'proof-mismatch' }, 'unavailable'],
  [{ kind: 'corrupt', part: 'commitment' }, { refused: 'inclusion-mismatch' }, 'unavailable'],
  [{ kind: 'corrupt', part: 'branch' }, { refused: 'inclusion-mismatch' }, 'unavailable'],
  // It may be true of another block, and denies none of this one.
  [{ kind: 'corrupt', part: 'header' }, { refused: 'header-mismatch' }, 'unknown'],
  [{ kind: 'delay', ms: 60_000 }, { failure: 'timeout' }, 'unknown'],
  [{ kind: 'drip', bytes: 1, everyMs: 10 }, { failure: 'timeout' }, 'unknown'],
  [{ kind: 'truncate', at: 0.9 }, { failure: 'truncated' }, 'unknown'],
  [{ kind: 'content-type', value: 'text/html' }, { failure: 'malformed' }, 'unknown'],
  [{ kind: 'content-type', value: 'application/json' }, { failure: 'malformed' }, 'unknown'],
  [{ kind: 'oversized', bytes: 2 ** 40 }, { failure: 'too-large' }, 'unknown'],
  [{ kind: 'redirect', to: 'http://127.0.0.1:9/' }, { failure: 'refused' }, 'unknown'],
  [{ kind: 'status', code: 404 }, { failure: 'not-found' }, 'unknown'],
  [{ kind: 'status', code: 500 }, { failure: 'server-error' }, 'unknown'],
  [{ kind: 'rate-limit', perSecond: 0 }, { failure: 'rate-limited' }, 'unknown'],
]

describe.each(switches)('a server with %j', (fault, named, verdict) => {
  const hangs = fault.kind === 'delay' || fault.kind === 'drip'
  // Short where only time ends it; else long, so that no machine that stalls looks like a bad server.
  const patience = hangs ? { timeoutMs: 500, deadlineMs: 6_000 } : { timeoutMs: 10_000, deadlineMs: 20_000 }
  const terms = { target: { columns: 20 }, allowMissing: 0, ...patience } as const

  it('is named for it', async () => {
    const url = await served(fault)
    const report = await sample([url], terms)
    expect(report).toMatchObject({ verdict, blobCount: { count: 2, by: 'proven' } })
    const [share] = report.endpoints
    expect(share!.endpoint).toBe(url)
    if (named === 'not-delivered') expect(share!.notDelivered).not.toEqual([])
    else if ('failure' in named) {
      expect(share!.failures).not.toEqual([])
      for (const { kind } of share!.failures) expect(kind).toBe(named.failure)
    } else {
      // All of what it was asked for: more than half of the block, beyond the sample, where that decides.
      expect(share!.refused).toHaveLength(verdict === 'unavailable' ? 65 : 20)
      for (const { reason } of share!.refused) expect(reason).toBe(named.refused)
    }
    // What was read of it is what a block can have at most, however much there was.
    expect(report.bytes).toBeLessThan(1_000_000)
  })

  it('stops nobody who has another one', async () => {
    const [bad, good] = [await served(fault), await beaconOf(chain)]
    const report = await sample([bad, good], terms)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, samples: 20 } })
    const lacking = new Set(report.endpoints[0]!.notDelivered)
    for (const { index, source } of report.columns) if (source === bad) expect(lacking.has(index)).toBe(false)
    if (fault.kind !== 'withhold') expect(report.columns.every(({ source }) => source === good)).toBe(true)
  })
})

describe('a server that says of columns that they are the next ones', () => {
  it('has delivered none of those that were asked for, or false ones', async () => {
    const url = await served({ kind: 'corrupt', part: 'index' })
    const report = await sample([url], { target: { columns: 20 }, allowMissing: 0 })
    expect(report.verdict).toBe('unavailable')
    const [share] = report.endpoints
    expect(share!.verified).toEqual([])
    expect(share!.notDelivered.length + share!.refused.length).toBe(65)
  })
})

describe('a server that lies now and then', () => {
  it.each([
    ['about some columns', { kind: 'corrupt', part: 'cell', indices: range(40) }, 1],
    ['to some requests', { kind: 'corrupt', part: 'proof' }, 0.5],
    ['by lacking some', { kind: 'withhold', columns: range(40) }, 1],
  ] as const)('%s is never believed where it lies', async (_name, fault, probability) => {
    const url = await served(fault, { probability })
    for (let round = 0; round < 6; round++) {
      const report = await sample([url], { target: { columns: 26 } })
      const [share] = report.endpoints
      const bad = new Set([...share!.refused.map(({ index }) => index), ...share!.notDelivered])
      for (const { index, status } of report.columns)
        expect(status).toBe(bad.has(index) ? 'missing' : 'verified')
      if ('indices' in fault || 'columns' in fault)
        expect([...bad].toSorted((a, b) => a - b)).toEqual(
          report.columns.flatMap(({ index }) => (index < 40 ? [index] : [])).toSorted((a, b) => a - b),
        )
      if (report.reason === 'sampled') expect(bad.size).toBeLessThanOrEqual(8)
      if (report.verdict === 'unavailable') expect(bad.size).toBeGreaterThanOrEqual(65)
    }
  })
})
