/** Endpoints that lie, over real HTTP: each part of what they say, well formed and false, is found out. */
import { BeaconUnavailableError, LightClient, type LightClientReport } from 'blobcheck/light-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Chain, makeChain, type SyncAggregate } from '../lodestar/chain.mjs'
import { committeeOf } from '../lodestar/committee.mjs'
import type { BeaconServer, Oracle } from '../support/beacon-server.ts'
import { expectHead, followOnce, startServer } from '../support/clients.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 2 })
})

const start = async (oracle: Oracle = chain.oracle()): Promise<BeaconServer> => await startServer(oracle)
const follow = async (urls: readonly string[]): Promise<LightClientReport> => await followOnce(chain, urls)

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

describe('an update that cannot be read', () => {
  it.each(['ssz', 'json'] as const)('ends the list, and voids nothing before it: in %s', async (form) => {
    const oracle = chain.oracle()
    const honest = await start()
    const torn = await start((url) => {
      const told = oracle(url)
      if (told === null || !url.pathname.endsWith('/updates')) return told
      const json = structuredClone(told.json) as { data: object }[]
      if (json[1] !== undefined) json[1].data = {}
      const ssz = new Uint8Array(told.ssz!)
      const first = Number(new DataView(ssz.buffer, ssz.byteOffset).getBigUint64(0, true))
      ssz.fill(0xff, first + 8 + 8 + 4, first + 8 + 8 + 40) // the offsets of the second
      return { ssz: form === 'ssz' ? ssz : null, json }
    })
    // One period with each answer, since the update after it is torn; the last is today's, and not needed yet.
    const report = await follow([torn.url])
    expectHead(report, chain)
    expect(report.endpoints[0]?.failures).toEqual({ malformed: 2 })
    const starts = torn.asked.flatMap(({ path }) => path.match(/start_period=(\d+)/)?.[1] ?? [])
    expect(starts).toEqual(['10', '11'])
    expectHead(await follow([torn.url, honest.url]), chain)
  })
})

describe.each(Object.keys(lies))('an endpoint that tells %s', (name) => {
  it('is found out, distrusted, and stops nothing', async () => {
    const [liar, honest] = [await start(chain.oracle(lies[name]!())), await start()]
    // The first is asked for the bootstrap; what is not known to be slower is asked next.
    const isFirst = name.startsWith('a bootstrap')
    const report = await follow(isFirst ? [liar.url, honest.url] : [honest.url, liar.url])
    expectHead(report, chain)
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
