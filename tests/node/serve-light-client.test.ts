/** `LightClient` on made chains, over real HTTP. */
import type { NetworkConfig } from 'blobcheck'
import {
  LightClient,
  type LightClientError,
  loadLightClientSpec,
  type VersionedObject,
} from 'blobcheck/light-client'
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

async function clientOf(
  chain: MadeChain,
  beacon: string | string[],
  network: NetworkConfig = chain.network,
): Promise<LightClient> {
  const { checkpoint } = chain
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

describe('a light client whose config has Gloas at another time than the chain', () => {
  const off = (chain: MadeChain, gloas: number): NetworkConfig => ({
    ...chain.network,
    forkEpochs: { ...chain.network.forkEpochs, gloas },
  })
  /** The failures of the one endpoint. */
  const failuresOf = (client: LightClient): string[] => {
    const [endpoint] = client.report().endpoints
    expect(endpoint?.state).toBe('good')
    return Object.keys(endpoint?.failures ?? {})
  }

  it.each([19, 21, 22])(
    'accuses nobody while the fork comes at epoch 20, and the config says %s',
    async (gloas) => {
      const chain = await handChain({ ...small, slots: 140, gloasForkEpoch: 20 })
      const client = await clientOf(chain, (await listen({ chain })).url, off(chain, gloas))
      let refused = 0
      while (chain.head.slot < 24 * 8) {
        chain.advance()
        await client.sync().catch(({ name }: Error) => {
          expect(name).toBe('UnsupportedForkError')
          refused++
        })
      }
      expect(refused).toBeGreaterThan(0)
      expect(failuresOf(client)).toEqual(['unsupported-fork'])
      expect(client.optimistic.slot).toBeGreaterThan(20 * 8)
    },
  )

  it('accuses nobody of the update of the period in which the fork was', async () => {
    const chain = await handChain({ ...small, slots: 260, gloasForkEpoch: 20 })
    const client = await clientOf(chain, (await listen({ chain })).url, off(chain, 22))
    await expect(client.sync()).rejects.toMatchObject({ name: 'UnsupportedForkError' })
    expect(failuresOf(client)).toEqual(['unsupported-fork'])
  })

  it('has its reason of the specification’s functions, and none for a lie', async () => {
    const chain = await handChain({ ...small, firstSlot: 128, slots: 36, gloasForkEpoch: 20 })
    const app = createBeaconApp({ chain })
    const get = async (path: string): Promise<VersionedObject> => {
      const url = `http://a/eth/v1/beacon/light_client/${path}`
      const answer = await app.fetch(new Request(url, { headers: { accept: 'application/octet-stream' } }))
      const version = answer.headers.get('eth-consensus-version')
      return { version, ssz: new Uint8Array(await answer.arrayBuffer()) }
    }
    const bootstrap = await get(`bootstrap/${chain.checkpoint}`)
    const update = await get('finality_update')
    expect(update.version).toBe('gloas')
    const slotNow = 2 ** 40
    const { ssz } = update as { ssz: Uint8Array }
    const headerAt = (at: number): number => Number(new DataView(ssz.buffer).getBigUint64(at, true))
    expect([headerAt(0) >= 160, headerAt(496) < 160]).toEqual([true, true])
    // The first byte of the hash of the finalized header, and the first of its branch.
    const [hash, branch] = [496 + 112, 496 + 144]
    const told = async (gloas: number, at: number | null): Promise<string> => {
      const spec = await loadLightClientSpec({ network: off(chain, gloas) })
      const store = spec.initializeLightClientStore(chain.checkpoint, bootstrap)
      const bytes = ssz.map((byte, index) => (index === at ? byte ^ 1 : byte))
      try {
        spec.processLightClientFinalityUpdate(store, { ...update, ssz: bytes }, slotNow)
        return 'accepted'
      } catch (error) {
        return (error as LightClientError).reason
      }
    }
    const early = Math.floor(headerAt(496) / 8)
    expect(await told(20, null)).toBe('accepted')
    expect(await told(early, null)).toBe('unsupported-fork')
    expect(await told(20, hash)).toBe('execution-mismatch')
    // What has the form of Gloas, by another config, in the slot of an older fork.
    expect(await told(20, branch)).toBe('unsupported-fork')
    expect(await told(early, branch)).toBe('execution-mismatch')
  })
})

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
