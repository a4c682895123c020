/** Endpoints that are quick, repeat what is true and old, and are more than half: they hold nobody back. */
import { LightClient } from 'blobcheck/light-client'
import { createBeaconApp, makeChain as makeServed } from 'blobcheck/serve'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Chain, makeChain, type Update } from '../lodestar/chain.mjs'
import { type BeaconServer, plainly } from '../support/beacon-server.ts'
import { startClient, startServer } from '../support/clients.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 1 })
})
afterEach(() => void vi.restoreAllMocks())

const optimisticOf = ({ attestedHeader, syncAggregate, signatureSlot }: Update): object => {
  return { attestedHeader, syncAggregate, signatureSlot }
}

/** Servers that say what is old, and honest ones that take their time. */
async function crowd(
  lies: object,
  stale: number,
  honest: number,
): Promise<{ client: LightClient; old: BeaconServer[]; slow: BeaconServer[] }> {
  const old = await Promise.all(Array.from({ length: stale }, () => startServer(chain.oracle(lies))))
  const slowly = await Promise.all(
    Array.from({ length: honest }, () =>
      startServer(chain.oracle(), (...said) => void setTimeout(() => plainly(...said), 60)),
    ),
  )
  const urls = [...slowly.slice(1), ...old, ...slowly.slice(0, 1)].map(({ url }) => url)
  return { client: await startClient(chain, urls), old, slow: slowly }
}

describe('a stale majority', () => {
  it('does not freeze the client, and is named', async () => {
    const [, last] = chain.updates
    // The one that is drawn is stale, too: then what the four say is not enough, and everybody is asked.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { client, old } = await crowd({ finality: last, optimistic: optimisticOf(last!) }, 6, 2)
    for (let round = 0; round < 2; round++) {
      const report = await client.sync()
      expect(report.finalized.slot).toBe(chain.finalized.slot)
      expect(report.optimistic.slot).toBeGreaterThanOrEqual(chain.headSlot - 4)
    }
    const named = client.report().endpoints.filter(({ failures }) => (failures.behind ?? 0) > 0)
    expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(old.map(({ url }) => url)))
    expect(client.report().endpoints.every(({ state }) => state === 'good')).toBe(true)
  })

  it('does not cut off who is right and slow', async () => {
    const slot = chain.finalized.slot - 1_600
    const final = chain.block(slot)
    const finality = chain.sign(chain.block(slot + 68, chain.stateOf(slot + 68, final)), final, [9])
    const told = chain.oracle({ finality, optimistic: optimisticOf(finality) })
    const old = await Promise.all(Array.from({ length: 5 }, () => startServer(told)))
    const slow = await startServer(chain.oracle(), (said, request, response) => {
      setTimeout(() => plainly(said, request, response), request.url?.endsWith('finality_update') ? 2_200 : 0)
    })
    const client = await startClient(
      chain,
      [...old, slow].map(({ url }) => url),
    )
    const report = await client.sync()
    expect(report.finalized.slot).toBe(chain.finalized.slot)
    // Who is asked for it is drawn, and the header that finality came with is new enough.
    expect(report.optimistic.slot).toBeGreaterThanOrEqual(chain.headSlot - 4)
    expect(report.endpoints.at(-1)).toMatchObject({ name: slow.url, failures: {} })
  })

  it('is more than five slots old, or else found out by the endpoint that is drawn', async () => {
    // Three slots behind is what honest endpoints may be; of the four asked, one is drawn from beyond the quickest.
    const old = { finality: chain.finality, optimistic: optimisticOf(chain.finality) }
    const { client } = await crowd(old, 3, 1)
    await client.sync()
    await client.sync()
    expect(client.optimistic.slot).toBe(chain.optimistic.slot)
  })
})

describe('endpoints that are up to date', () => {
  it('are not all asked: the three quickest, and one more', async () => {
    const { client, old, slow } = await crowd({}, 5, 2)
    await client.sync()
    await client.sync()
    const newest = [...old, ...slow].flatMap(({ asked }) =>
      asked.filter(({ path }) => path.endsWith('optimistic_update')),
    )
    expect(newest).toHaveLength(8)
  })
})

it('goes on without an answer about what is final, where the update of the period finalizes what is fresh', async () => {
  // Eight slots in an epoch, so that the checkpoint is older than what may go without an answer.
  const minimal = { slotsPerEpoch: 8, epochsPerSyncCommitteePeriod: 64, syncCommitteeSize: 32 }
  const made = await makeServed({ ...minimal, slots: 384, blobsPerBlock: 0, clock: 'by-hand' })
  const app = createBeaconApp({ chain: made })
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    String(url).includes('finality_update')
      ? new Response('{"code":404,"message":"none"}', { status: 404 })
      : ((await app.fetch(new Request(url, init))) as unknown as Response)
  const client = await LightClient.fromCheckpoint({
    ...{ network: made.network, checkpoint: made.checkpoint, beacon: 'http://node', store: false },
    ...{ fetch, now: () => made.now() },
  })
  await client.sync()
  expect(made.head.slot - client.finalized.slot).toBeLessThan(4 * 8)
  await client.dispose()
})
