/**
 * Endpoints over real HTTP, on a chain that another implementation's types have made, with a committee of 512: one honest
 * endpoint is enough, whatever the others do, and the report says who did what.
 */
import { BeaconUnavailableError, LightClient, type LightClientReport } from 'blobcheck/light-client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { committeeOf } from '../lodestar/committee.mjs'
import { type Chain, makeChain, SLOTS_PER_PERIOD, type SyncAggregate } from '../lodestar/chain.mjs'
import { type BeaconServer, type Manner, type Oracle, plainly, serve } from '../support/beacon-server.ts'
import { badManners, jsonOnly } from '../support/manners.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 2 })
})

const servers: BeaconServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(oracle: Oracle = chain.oracle(), manner: Manner = plainly): Promise<BeaconServer> {
  const server = await serve(oracle, manner)
  servers.push(server)
  return server
}

interface Terms {
  readonly now?: () => number
  readonly timeoutMs?: number
}

/** From the checkpoint to the head; the client is disposed of. */
async function follow(urls: readonly string[], terms: Terms = {}): Promise<LightClientReport> {
  const client = await LightClient.fromCheckpoint({
    network: chain.network,
    checkpoint: chain.checkpoint,
    beacon: urls,
    now: chain.now,
    store: false,
    allowStale: true,
    ...terms,
  })
  try {
    return await client.sync()
  } finally {
    await client.dispose()
  }
}

function expectHead(report: LightClientReport): void {
  expect(report.finalized.slot).toBe(chain.finalized.slot)
  expect(report.optimistic.slot).toBe(chain.optimistic.slot)
  expect(report.links).toEqual({ header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' })
}

describe('an honest endpoint', () => {
  it('is asked for SSZ, and leads to the head', async () => {
    const server = await start()
    const report = await follow([server.url])
    expectHead(report)
    expect(report.participation).toEqual({ signed: 512, of: 512 })
    expect(report.endpoints).toMatchObject([{ name: server.url, state: 'good', failures: {} }])
    expect(server.asked.every(({ accept }) => accept.startsWith('application/octet-stream'))).toBe(true)
    // Bootstrap, all periods in one request, and the two newest: nothing is asked twice.
    expect(server.asked.map(({ path }) => path.replace(/^.*light_client/, '').replace(/0x.*/, ''))).toEqual([
      '/bootstrap/',
      '/updates?start_period=10&count=3',
      '/finality_update',
      '/optimistic_update',
    ])
  })

  it.each([406, 415] as const)('that answers %i to SSZ is asked for JSON from then on', async (code) => {
    const server = await start(chain.oracle(), jsonOnly(code))
    const report = await follow([server.url])
    expectHead(report)
    expect(report.endpoints[0]?.failures).toEqual({})
    const accepts = server.asked.map(({ accept }) => accept.includes('octet-stream'))
    expect(accepts).toEqual([true, false, false, false, false])
  })

  it('that hides its version header, as browsers do, is understood by the slot', async () => {
    const server = await start(chain.oracle(), ({ body, headers = {} }, request, response) => {
      const { 'eth-consensus-version': _hidden, ...others } = headers
      plainly({ body, headers: others }, request, response)
    })
    expectHead(await follow([server.url]))
  })

  it('under a path and with a key in the query is asked there, and its key is not in the report', async () => {
    const server = await start((url) => {
      if (!url.pathname.startsWith('/v2/secret/eth/') || url.searchParams.get('token') !== 'hush') return null
      return chain.oracle()(new URL(url.href.replace('/v2/secret', '')))
    })
    const report = await follow([`${server.url}/v2/secret/?token=hush`])
    expectHead(report)
    expect(JSON.stringify(report.endpoints)).not.toMatch(/secret|hush/)
  })
})

describe.each(Object.entries(badManners))('an endpoint that %s', (_name, { manner, kind }) => {
  it('is survived beside an honest one, and named', async () => {
    const [bad, honest] = [await start(chain.oracle(), manner), await start()]
    const report = await follow([bad.url, honest.url], { timeoutMs: 400 })
    expectHead(report)
    const [badReport, honestReport] = report.endpoints
    expect(badReport?.failures[kind]).toBeGreaterThan(0)
    expect(Object.keys(badReport?.failures ?? {})).toEqual([kind])
    expect(badReport?.answers).toBe(0)
    expect(honestReport).toMatchObject({ state: 'good', failures: {} })
  })

  it('is named by the error where it is alone', async () => {
    const bad = await start(chain.oracle(), manner)
    const error = await follow([bad.url], { timeoutMs: 200 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BeaconUnavailableError)
    expect((error as BeaconUnavailableError).failures).toMatchObject([{ endpoint: bad.url, kind }])
  })
})

/** Lies, by what they touch: well formed, in the right place, and false. */
const lies: Readonly<Record<string, () => object>> = {
  'a bootstrap with another committee': () => ({
    bootstrap: { ...chain.bootstrap, currentSyncCommittee: keysOf(99) },
  }),
  'a bootstrap of another block': () => {
    const beacon = { ...chain.bootstrap.header.beacon, proposerIndex: 1 }
    return { bootstrap: { ...chain.bootstrap, header: { ...chain.bootstrap.header, beacon } } }
  },
  'updates with the next committee exchanged': () => ({
    updates: chain.updates.map((update) => ({ ...update, nextSyncCommittee: keysOf(99) })),
  }),
  'a second update that another committee signed': () => {
    const [first, second, ...rest] = chain.updates
    return { updates: [first, { ...second, syncAggregate: first?.syncAggregate }, ...rest] }
  },
  'updates with a bit of participation more': () => ({
    updates: chain.updates.map((update) => ({ ...update, syncAggregate: withBit(update.syncAggregate) })),
  }),
  'a finality update with another finalized header': () => ({
    finality: { ...chain.finality, finalizedHeader: chain.updates[0]?.finalizedHeader },
  }),
  'a finality update with a forged execution block': () => {
    const { attestedHeader } = chain.finality
    const execution = { ...attestedHeader.execution, blockNumber: 1 }
    return { finality: { ...chain.finality, attestedHeader: { ...attestedHeader, execution } } }
  },
  'an optimistic update of a header that nobody signed': () => {
    const forged = chain.block(chain.headSlot - 1)
    return { optimistic: { ...chain.optimisticUpdate.update, attestedHeader: forged.header } }
  },
}

function keysOf(period: number): object {
  const { pubkeys, aggregatePubkey } = committeeOf(period)
  return { pubkeys, aggregatePubkey }
}

function withBit(aggregate: SyncAggregate): object {
  const bits = aggregate.syncCommitteeBits.clone()
  bits.set(3, true) // one that was absent
  return { ...aggregate, syncCommitteeBits: bits }
}

describe.each(Object.keys(lies))('an endpoint that tells %s', (name) => {
  it('is found out, distrusted, and stops nothing', async () => {
    const [liar, honest] = [await start(chain.oracle(lies[name]!())), await start()]
    // The first is asked for the bootstrap; what is not known to be slower is asked next.
    const isFirst = name.startsWith('a bootstrap')
    const report = await follow(isFirst ? [liar.url, honest.url] : [honest.url, liar.url])
    expectHead(report)
    const liarReport = report.endpoints.find(({ name }) => name === liar.url)
    const honestReport = report.endpoints.find(({ name }) => name === honest.url)
    expect(liarReport).toMatchObject({ state: 'distrusted', lastFailure: { kind: 'invalid' } })
    expect(honestReport).toMatchObject({ state: 'good', failures: {} })
  })

  it('leads nowhere alone: what is adopted is true', async () => {
    const liar = await start(chain.oracle(lies[name]!()))
    const client = await LightClient.fromCheckpoint({
      network: chain.network,
      checkpoint: chain.checkpoint,
      beacon: liar.url,
      now: chain.now,
      allowStale: true,
    }).catch((error: unknown) => error)
    if (!(client instanceof LightClient)) {
      expect(client).toMatchObject({ failures: [{ kind: 'invalid' }] })
      return
    }
    await client.sync().catch((error: unknown) => expect(error).toBeInstanceOf(BeaconUnavailableError))
    const { finalized, optimistic, endpoints } = client.report()
    const real = [
      chain.bootstrap.header,
      ...chain.updates.flatMap((update) => [update.attestedHeader, update.finalizedHeader]),
      chain.finality.attestedHeader,
      chain.finalized.header,
      chain.optimistic.header,
    ].map(({ beacon }) => Buffer.from(beacon.stateRoot).toString('hex'))
    expect(real).toContain(finalized.state_root.slice(2))
    expect(real).toContain(optimistic.state_root.slice(2))
    expect(endpoints[0]?.failures.invalid).toBeGreaterThan(0)
    await client.dispose()
  })
})

describe('endpoints that are honest and not up to date', () => {
  it('are not accused of anything', async () => {
    const old = chain.updates[2]!
    const [behind, honest] = [await start(chain.oracle({ finality: old })), await start()]
    const report = await follow([honest.url, behind.url])
    expectHead(report)
    expect(report.endpoints[1]?.failures).not.toHaveProperty('invalid')
    expect(report.endpoints[1]?.state).not.toBe('distrusted')
    expect(report.endpoints[1]?.failures.behind).toBeGreaterThan(0)
  })

  it('or whose clock is ahead of ours, are not accused either', async () => {
    const server = await start()
    const early = (): number => chain.now() - 5 * 12_000
    const client = await LightClient.fromCheckpoint({
      network: chain.network,
      checkpoint: chain.checkpoint,
      beacon: server.url,
      now: early,
      allowStale: true,
    })
    await client.sync().catch((error: unknown) => expect(error).toBeInstanceOf(BeaconUnavailableError))
    expect(client.report().endpoints).toMatchObject([{ failures: { ahead: 2 } }])
    expect(client.report().endpoints[0]?.failures).not.toHaveProperty('invalid')
    expect(client.optimistic.slot).toBeLessThan(chain.optimistic.slot)
    await client.dispose()
  })
})

describe('what too few have signed', () => {
  const most = Array.from({ length: 171 }, (_, at) => at) // 341 of 512 are left: less than two thirds
  const nearly = most.slice(1)

  it('is not followed, and accuses nobody', async () => {
    const { attested } = chain.optimisticUpdate
    const weak = chain.sign(attested, null, most).update
    const [few, enough] = [await start(chain.oracle({ optimistic: weak })), await start()]
    const alone = await follow([few.url])
    expect(alone.optimistic.slot).toBeLessThan(attested.slot)
    expect(alone.finalized.slot).toBe(chain.finalized.slot)
    expect(alone.endpoints).toMatchObject([{ state: 'good', failures: { 'few-signatures': 1 } }])
    expectHead(await follow([few.url, enough.url]))
    const justEnough = await start(chain.oracle({ optimistic: chain.sign(attested, null, nearly).update }))
    const report = await follow([justEnough.url])
    expectHead(report)
    expect(report.participation).toEqual({ signed: 342, of: 512 })
  })

  it('leads nowhere from the checkpoint, where the specification would take a single signature', async () => {
    const all = Array.from({ length: 511 }, (_, at) => at)
    const slot = chain.firstPeriod * SLOTS_PER_PERIOD + 500
    const forged = chain.block(slot, chain.stateOf(slot, chain.finalized))
    const single = chain.sign(forged, null, all).update
    const server = await start(chain.oracle({ updates: [], finality: chain.updates[0], optimistic: single }))
    const client = await LightClient.fromCheckpoint({
      network: chain.network,
      checkpoint: chain.checkpoint,
      beacon: server.url,
      now: () => (chain.network.genesisTime + 502 * 12 + chain.firstPeriod * SLOTS_PER_PERIOD * 12) * 1000,
    })
    await client.sync()
    expect(client.optimistic.slot).not.toBe(slot)
    expect(client.report().endpoints).toMatchObject([{ failures: { 'few-signatures': 1 } }])
    await client.dispose()
  })
})

describe('endpoints that contradict each other, all signed', () => {
  it('are named together', async () => {
    // A second block in the head's slot, which the same committee signed as well.
    const twin = chain.block(chain.optimistic.slot, chain.stateOf(chain.optimistic.slot, chain.finalized), {
      parentRoot: new Uint8Array(32).fill(0xee),
    })
    const { update } = chain.sign(twin, null, [])
    const [one, two] = [await start(), await start(chain.oracle({ optimistic: update }))]
    const report = await follow([one.url, two.url])
    expect(report.disagreements).toHaveLength(1)
    const [disagreement] = report.disagreements
    expect(disagreement?.slot).toBe(chain.optimistic.slot)
    expect(disagreement?.answers.map(({ endpoint }) => endpoint).sort()).toEqual([one.url, two.url].sort())
    expect(new Set(disagreement?.answers.map(({ root }) => root)).size).toBe(2)
  })
})
