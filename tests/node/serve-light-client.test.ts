/** `LightClient` on made chains, over real HTTP. */
import { LightClient } from 'blobcheck/light-client'
import { createBeaconApp, type Faults, type MadeChain, type MakeChainOptions } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon, type ServeBeaconOptions } from 'blobcheck/serve/node'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, handChain, insideOf } from '../support/served.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function listen(options: ServeBeaconOptions): Promise<BeaconServer> {
  const server = await serveBeacon(options)
  ends.push(async () => await server.close())
  return server
}

async function clientOf(chain: MadeChain, beacon: string | string[]): Promise<LightClient> {
  const { network, checkpoint } = chain
  const now = (): number => chain.now()
  const client = await LightClient.fromCheckpoint({ network, checkpoint, beacon, now, store: false })
  ends.push(async () => await client.dispose())
  return client
}

function expectHead(client: LightClient, chain: MadeChain): void {
  // The head signs its parent.
  const { parent_root } = chain.head.header.message
  expect(client.optimistic.root).toBe(`0x${Buffer.from(parent_root).toString('hex')}`)
  expect(client.optimistic.execution).toMatchObject({
    blockNumber: insideOf(chain.head).payload.block_number - 1,
  })
  expect(client.report().links).toEqual({
    header: 'verified',
    'sync-committee': 'verified',
    checkpoint: 'verified',
  })
}

/** Periods of 64 slots, committees of 32. */
const small: MakeChainOptions = {
  blobsPerBlock: 0,
  slotsPerEpoch: 8,
  epochsPerSyncCommitteePeriod: 8,
  syncCommitteeSize: 32,
}

describe('a light client', () => {
  it('follows a chain of 2,000 slots, and the slots that come', async () => {
    const chain = await handChain({ slots: 2_000 })
    const client = await clientOf(chain, (await listen({ chain })).url)
    await client.sync()
    expectHead(client, chain)
    const before = client.finalized.slot
    chain.advance(64)
    await client.sync()
    expectHead(client, chain)
    expect(client.finalized.slot).toBe(before + 64)
    expect(client.finalized.root).toBe(chain.at(before + 64)!.root)
  })

  it('follows it over many periods, with slots missed', async () => {
    const chain = await handChain({
      ...small,
      slots: 64 * 7 + 30,
      isMissed: (slot) => slot % 64 < 3 || slot % 5 === 1,
    })
    const client = await clientOf(chain, (await listen({ chain })).url)
    const progress: number[] = []
    await client.sync({ onProgress: ({ stage, total }) => stage === 'periods' && progress.push(total) })
    expect(progress.at(-1)).toBe(7)
    expectHead(client, chain)
    // Across the next two borders, slot by slot.
    for (let at = 0; at < 130; at++) {
      chain.advance()
      await client.sync()
    }
    expectHead(client, chain)
    expect(chain.finalized.slot - client.finalized.slot).toBeLessThanOrEqual(8)
  })

  it('starts at a period’s border as well as within one', async () => {
    for (const firstSlot of [64, 56, 1]) {
      const chain = await handChain({ ...small, firstSlot, slots: 150 })
      const client = await clientOf(chain, (await listen({ chain })).url)
      await client.sync()
      expectHead(client, chain)
    }
  })

  it('is told nothing that is wrong while nothing is finalized', async () => {
    const chain = await handChain({ ...small, slots: 1 })
    const server = await listen({ chain })
    const client = await clientOf(chain, server.url)
    const { status } = await fetch(`${server.url}/eth/v1/beacon/light_client/finality_update`)
    expect(status).toBe(404)
    for (let at = 0; at < 40; at++) chain.advance()
    await client.sync()
    expectHead(client, chain)
  })

  it('sees headers come as time goes', async () => {
    const { makeChain } = await import('blobcheck/serve')
    const chain = await makeChain({ ...small, slots: 40, secondsPerSlot: 1 })
    const client = await clientOf(chain, (await listen({ chain })).url)
    await client.sync()
    const seen: number[] = []
    for await (const { slot } of client.headers()) {
      seen.push(slot)
      if (seen.length === 3) break
    }
    expect(new Set(seen).size).toBe(3)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('gets there past a server that fails half of the time', async () => {
    const chain = await handChain({ ...small, slots: 64 * 4 })
    const faults: Faults = {
      seed: 3,
      rules: [
        { fault: { kind: 'status', code: 503 }, probability: 0.3 },
        { fault: { kind: 'truncate', at: 0.5 }, probability: 0.3 },
      ],
    }
    const [bad, good] = [await listen({ chain, faults }), await listen({ chain })]
    const client = await clientOf(chain, [bad.url, good.url])
    await client.sync()
    expectHead(client, chain)
  })
})

it('is served the newest update of each period, though nobody asked for the head', async () => {
  const app = createBeaconApp({ chain: await handChain({ ...small, slots: 60 }) })
  const { json } = await ask(app, '/eth/v1/beacon/light_client/updates?start_period=0&count=9')
  // The first slot is 16: the head is in slot 75, of the second period.
  expect(json.map(({ data }) => Number(data!['signature_slot']))).toEqual([63, 75])
})
