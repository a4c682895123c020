/** Forced updates: what more than half of a committee signed, where nobody has anything better, and said to be no more. */
import {
  BeaconUnavailableError,
  type LightClient,
  loadLightClientSpec,
  MemoryStorage,
} from 'blobcheck/light-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Chain, makeChain, SLOTS_PER_PERIOD, type Update } from '../lodestar/chain.mjs'
import { committeeOf } from '../lodestar/committee.mjs'
import { plainly, type Told } from '../support/beacon-server.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'

let chain: Chain
let slot: number
beforeAll(() => {
  chain = makeChain({ periods: 1 })
  slot = chain.firstPeriod * SLOTS_PER_PERIOD + 500
})

/** All but so many of the committee. */
const allBut = (present: number): number[] => Array.from({ length: 512 - present }, (_, at) => at)
const onTrust = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
const forcing = { forceUpdate: true }

async function forcedTo(client: LightClient): Promise<number> {
  await client.sync().catch((error: unknown) => expect(error).toBeInstanceOf(BeaconUnavailableError))
  return client.finalized.slot
}

describe('what a minority signed', () => {
  it.each([1, 256])(
    'leads nowhere, although the next committee is the liar’s own: %i of 512',
    async (present) => {
      const forged = chain.nonFinal(slot, allBut(present), committeeOf(99))
      const liar = await startServer(chain.oracle({ updates: [forged] }))
      const alone = await startClient(chain, liar.url, forcing)
      await expect(alone.sync()).rejects.toMatchObject({ failures: [{ kind: 'few-signatures' }] })
      expect(alone.finalized.root).toBe(chain.checkpoint)
      const honest = await startServer(chain.oracle())
      for (const urls of [
        [liar.url, honest.url],
        [honest.url, liar.url],
      ]) {
        const client = await startClient(chain, urls, forcing)
        const report = await client.sync()
        expectHead(report, chain)
        expect(report.forcedUpdates).toBe(0)
        const one = report.endpoints.find(({ name }) => name === honest.url)
        expect(one).toMatchObject({ state: 'good', failures: {} })
      }
    },
  )

  it.each([1, 341])(
    'is not the newest header either, whether forced updates are wanted or not: %i of 512',
    async (present) => {
      const forged = chain.nonFinal(slot, allBut(present))
      const liar = await startServer(
        chain.oracle({ updates: [forged], finality: chain.updates[0], optimistic: optimisticOf(forged) }),
      )
      const now = (): number => (chain.network.genesisTime + (slot + 2) * 12) * 1000
      for (const forceUpdate of [false, true]) {
        const client = await startClient(chain, liar.url, { forceUpdate, now })
        await client.sync()
        expect(client.optimistic.slot).not.toBe(slot)
        expect(client.optimistic.slot).toBe(chain.updates[0]!.attestedHeader.beacon.slot)
      }
    },
  )
})

/** The best update of a period that finalized nothing of its own: what its first epochs finalize is of the period before. */
function finalizingBefore(of: Chain, period: number): Update {
  const first = period * SLOTS_PER_PERIOD
  const final = of.block(first - 64)
  const attested = of.block(first + 10, of.stateOf(first + 10, final))
  const { pubkeys, aggregatePubkey } = committeeOf(period + 1)
  return {
    ...of.sign(attested, final, []),
    ...{ nextSyncCommittee: { pubkeys, aggregatePubkey } },
    nextSyncCommitteeBranch: attested.proof(['nextSyncCommittee']),
  } as Update
}

describe('periods in a row that finalize blocks of the period before', () => {
  it('are passed, one forced update for each, as the specification’s functions pass them', async () => {
    const count = 2
    const long = makeChain({ periods: count + 2 })
    const updates = long.updates.map((update, at) =>
      at > 0 && at <= count ? finalizingBefore(long, long.firstPeriod + at) : update,
    )
    const oracle = long.oracle({ updates })
    const server = await startServer(oracle)
    const waiting = await startClient(long, server.url)
    await expect(waiting.sync()).rejects.toBeInstanceOf(BeaconUnavailableError)
    const report = await (await startClient(long, server.url, forcing)).sync()
    expect(report.finalized.slot).toBe(long.finalized.slot)
    expect(report.forcedUpdates).toBe(count)

    // The specification's own functions, over the same updates: each is processed, and where it led nowhere, once more, which makes
    // it the best valid update; then the timeout passes.
    const spec = await loadLightClientSpec({ network: long.network })
    const bootstrap = oracle(new URL(`http://a/eth/v1/beacon/light_client/bootstrap/${long.checkpoint}`))
    const current = long.headSlot
    let store = spec.initializeLightClientStore(long.checkpoint, {
      version: bootstrap!.version!,
      ssz: bootstrap!.ssz!,
    })
    let forced = 0
    for (const at of updates.keys()) {
      const period = long.firstPeriod + at
      const chunk = oracle(
        new URL(`http://a/eth/v1/beacon/light_client/updates?start_period=${period}&count=1`),
      )
      const update = { version: 'fulu', ssz: chunk!.ssz!.subarray(12) }
      store = spec.processLightClientUpdate(store, update, current)
      if (spec.view(store).finalizedPeriod === period) continue
      store = spec.processLightClientUpdate(store, update, current)
      store = spec.processLightClientStoreForceUpdate(store, current)
      forced++
    }
    expect(forced).toBe(count)
    expect(spec.view(store).finalizedPeriod).toBe(long.firstPeriod + count + 2)
  })

  it('are passed by the best candidate of all endpoints, although another one’s answer finalizes more', async () => {
    const long = makeChain({ periods: 3 })
    const period = long.firstPeriod + 1
    const updates = long.updates.map((update, at) =>
      at === 1 || at === 2 ? finalizingBefore(long, long.firstPeriod + at) : update,
    )
    // True, and without the next committee: nothing leads on from it, and what it finalizes clears `best_valid_update`.
    const first = period * SLOTS_PER_PERIOD
    const final = long.block(first - 32)
    const bare = long.sign(long.block(first + 5, long.stateOf(first + 5, final)), final, [])
    const honest = await startServer(long.oracle({ updates }))
    const hinders = await startServer(long.oracle({ updates: [updates[0], bare] }))
    for (const urls of [
      [honest.url, hinders.url],
      [hinders.url, honest.url],
    ]) {
      const report = await (await startClient(long, urls, forcing)).sync()
      expect(report.finalized.slot).toBe(long.finalized.slot)
      expect(report.forcedUpdates).toBe(2)
    }
  })
})

function optimisticOf({ attestedHeader, syncAggregate, signatureSlot }: Update): object {
  return { attestedHeader, syncAggregate, signatureSlot }
}

describe('what a simple majority signed', () => {
  it('is followed where nobody has more, and nothing after it claims to lead to the checkpoint', async () => {
    const [, ...rest] = chain.updates
    const updates = [chain.nonFinal(slot, allBut(257)), ...rest]
    const server = await startServer(chain.oracle({ updates }))
    const waiting = await startClient(chain, server.url)
    await expect(waiting.sync()).rejects.toMatchObject({ failures: [{ kind: 'few-signatures' }] })
    const halfway = await startServer(
      chain.oracle({
        updates: updates.slice(0, 1),
        finality: chain.updates[0],
        optimistic: optimisticOf(updates[0]!),
      }),
    )
    const client = await startClient(chain, halfway.url, forcing)
    expect(await forcedTo(client)).toBe(slot)
    expect(client.finalized).toMatchObject({ finalized: false, links: onTrust })
    expect(client.optimistic).toBe(client.finalized)
    expect(client.report()).toMatchObject({ forcedUpdates: 1, links: onTrust })
    // The next headers are signed by two thirds of a committee that only a majority chose.
    const whole = await startClient(chain, server.url, forcing)
    await whole.sync()
    expect(whole.finalized.slot).toBe(chain.finalized.slot)
    const links = { header: 'trusted', 'sync-committee': 'verified', checkpoint: 'trusted' }
    expect(whole.finalized).toMatchObject({ finalized: true, links })
    expect(whole.optimistic.links).toEqual(links)
  })

  it('is not kept, so that no start calls it final; what led there is', async () => {
    const long = makeChain({ periods: 2 })
    const [first] = long.updates
    const later = slot + SLOTS_PER_PERIOD
    const server = await startServer(
      long.oracle({
        updates: [first, long.nonFinal(later, allBut(257))],
        finality: first,
        optimistic: optimisticOf(first!),
      }),
    )
    const terms = { ...forcing, store: new MemoryStorage() }
    const before = await startClient(long, server.url, terms)
    expect(await forcedTo(before)).toBe(later)
    await before.dispose()
    server.asked.length = 0
    for (const trustCache of [true, false]) {
      const client = await startClient(long, server.url, { ...terms, trustCache })
      const { slot: kept } = first!.finalizedHeader.beacon
      expect(client.finalized).toMatchObject({ slot: kept, finalized: true })
      expect(server.asked.filter(({ path }) => path.includes('bootstrap'))).toEqual([])
      // Who wants it is led there again, and told again.
      expect(await forcedTo(client)).toBe(later)
      expect(client.finalized.finalized).toBe(false)
      expect(client.report().forcedUpdates).toBe(1)
      await client.dispose()
    }
  })

  it('is not followed while an endpoint has more, or has not had its say', async () => {
    const updates = [chain.nonFinal(slot, allBut(300), committeeOf(99))]
    const liar = await startServer(chain.oracle({ updates }))
    const silent = await startServer(chain.oracle(), (said, request, response) => {
      if (!request.url?.includes('updates')) plainly(said, request, response)
    })
    const impatient = { ...forcing, timeoutMs: 1_000 }
    expect(await forcedTo(await startClient(chain, [liar.url, silent.url], impatient))).not.toBe(slot)
    const honest = await startServer(chain.oracle())
    const report = await (await startClient(chain, [liar.url, honest.url], forcing)).sync()
    expectHead(report, chain)
  })

  it('is of what this synchronisation was told: answers to one that was aborted are not kept', async () => {
    let [present, isSilent] = [400, true]
    const oracle = (url: URL): Told | null =>
      chain.oracle({
        ...{ finality: chain.updates[0], optimistic: optimisticOf(chain.updates[0]!) },
        updates: [chain.nonFinal(slot + present, allBut(present))],
      })(url)
    const answers = await startServer(oracle)
    const silent = await startServer(oracle, (said, request, response) => {
      if (!isSilent || !request.url?.includes('updates')) plainly(said, request, response)
    })
    const client = await startClient(chain, [answers.url, silent.url], forcing)
    const controller = new AbortController()
    const aborted = expect(client.sync({ signal: controller.signal })).rejects.toThrow('enough')
    // The silent one is asked first, since it never was, and the other one after a second.
    const failures = (): object => client.report().endpoints[0]!.failures
    await expect.poll(failures, { timeout: 30_000 }).toEqual({ behind: 1 })
    controller.abort(new Error('enough'))
    await aborted
    ;[present, isSilent] = [257, false]
    expect(await forcedTo(client)).toBe(slot + 257)
  })

  it('is the best that any endpoint has, in whatever order they are asked', async () => {
    const offers = [257, 400, 300].map((present) => [chain.nonFinal(slot + present, allBut(present))])
    const lies = { finality: chain.updates[0], optimistic: optimisticOf(chain.updates[0]!) }
    const oracles = offers.map((updates) => chain.oracle({ ...lies, updates }))
    const servers = await Promise.all(oracles.map((oracle) => startServer(oracle)))
    const none = await startServer((url) =>
      url.pathname.endsWith('/updates') ? null : chain.oracle(lies)(url),
    )
    const urls = [...servers, none].map(({ url }) => url)
    for (const order of [urls, [...urls].reverse()])
      expect(await forcedTo(await startClient(chain, order, forcing))).toBe(slot + 400)
  })
})
