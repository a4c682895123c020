/** What a light client that stands on what it believed (`trustCache`) does once somebody has said otherwise. */
import { LightClient, type LightClientOptions, MemoryStorage } from 'blobcheck/light-client'
import { createBeaconApp, makeChain } from 'blobcheck/serve'
import { describe, expect, it, onTestFinished } from 'vitest'

type Answer = (request: Request) => Promise<Response>
/** A chain by hand, endpoints of it by their hosts, and clients. */
interface World {
  readonly chain: Awaited<ReturnType<typeof makeChain>>
  readonly honest: Answer
  readonly hosts: { honest?: Answer; liar?: Answer }
  readonly store: MemoryStorage
  start(hosts: readonly string[], options?: Partial<LightClientOptions>): Promise<LightClient>
}

async function makeWorld(slots: number): Promise<World> {
  const size = { slotsPerEpoch: 8, epochsPerSyncCommitteePeriod: 8, syncCommitteeSize: 32 }
  const chain = await makeChain({ slots, blobsPerBlock: 0, clock: 'by-hand', signHeaders: false, ...size })
  const app = createBeaconApp({ chain })
  const hosts: World['hosts'] = {}
  const fetch: LightClientOptions['fetch'] = async (url, init) =>
    await hosts[new URL(url).hostname as 'honest' | 'liar']!(new Request(url, init as RequestInit))
  const store = new MemoryStorage()
  const start: World['start'] = async (names, options = {}) => {
    const client = await LightClient.fromCheckpoint({
      ...{ network: chain.network, checkpoint: chain.checkpoint, fetch, store, worker: false },
      ...{ allowStale: true, now: () => chain.now(), beacon: names.map((name) => `http://${name}`) },
      ...options,
    })
    onTestFinished(async () => await client.dispose())
    return client
  }
  return { chain, honest: async (request) => await app.fetch(request), hosts, store, start }
}

const status = (code: number): Response => new Response('{}', { status: code })

/** The newest headers with another state, so that nobody signed them; no more. */
async function lie({ honest }: World, request: Request): Promise<Response> {
  if (!request.url.endsWith('_update')) return status(404)
  const answer = await honest(new Request(request.url, { headers: { accept: 'application/json' } }))
  const json = (await answer.json()) as { data: { attested_header: { beacon: { state_root: string } } } }
  json.data.attested_header.beacon.state_root = `0x${'11'.repeat(32)}`
  return Response.json(json)
}

describe('a lie while the honest endpoint is down', () => {
  /** A client that began on trust and has followed the chain for five periods since, beside a liar, who speaks once. */
  async function followed() {
    const world = await makeWorld(100)
    const { chain, honest, hosts, start } = world
    const is = { down: false, lying: false }
    hosts.honest = async (request) => (is.down ? status(503) : await honest(request))
    hosts.liar = async (request) => {
      if (!is.lying) return status(404)
      is.down = true
      return await lie(world, request)
    }
    const first = await start(['honest'])
    await first.sync()
    await first.dispose()
    const client = await start(['honest', 'liar'], { trustCache: true })
    for (let period = 0; period < 5; period++) {
      chain.advance(64)
      await client.sync()
    }
    return { ...world, client, is }
  }

  it('takes nothing of what was followed since the start, nor of what is kept', async () => {
    const { chain, client, is, start } = await followed()
    const { finalized, optimistic } = client
    is.lying = true
    chain.advance(1)
    // Whoever answered before the other one was down may have led on.
    await client.sync().catch(() => {})
    await client.sync().catch(() => {})
    expect(client.report().endpoints[1]!.failures.invalid).toBeGreaterThan(0)
    expect(client.finalized.slot).toBeGreaterThanOrEqual(finalized.slot)
    expect(client.optimistic.slot).toBeGreaterThanOrEqual(optimistic.slot)
    expect(client.finalized.links.checkpoint).toBe('trusted')
    await client.dispose()
    is.lying = is.down = false
    const next = await start(['honest'], { trustCache: true })
    expect(next.finalized.slot).toBeGreaterThanOrEqual(finalized.slot)
  })

  it('is found out once the honest one is back, and what was followed is verified', async () => {
    const { chain, client, hosts, is, honest } = await followed()
    is.lying = true
    chain.advance(1)
    await client.sync().catch(() => {})
    await client.sync().catch(() => {})
    const asked: string[] = []
    hosts.honest = async (request) => {
      asked.push(new URL(request.url).pathname)
      return await honest(request)
    }
    chain.advance(1)
    await client.sync()
    const verified = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' }
    expect(client.finalized.links).toEqual(verified)
    expect(client.optimistic.slot).toBe(chain.head.slot - 1)
    // The committees that were learned since the start need not be fetched again.
    expect(asked.some((path) => path.includes('bootstrap'))).toBe(false)
  })
})

describe('a contradiction by which nobody can begin anew', () => {
  it('is a reason to try that once, and is in the report', async () => {
    const { chain, honest, hosts, start, store } = await makeWorld(400)
    let bootstraps = 0
    let isLost = false
    hosts.honest = async (request) => {
      if (!request.url.includes('bootstrap')) return await honest(request)
      bootstraps++
      return isLost ? status(404) : await honest(request)
    }
    const first = await start(['honest'])
    await first.sync()
    const { finalized } = first
    await first.dispose()
    // Somebody has changed the header that is kept as final, and the bootstrap, which endpoints have no more.
    const damaging = {
      set: store.set.bind(store),
      delete: store.delete.bind(store),
      async get(key: string) {
        const bytes = Buffer.from((await store.get(key))!)
        const state = Buffer.from(finalized.state_root.slice(2), 'hex')
        const from = bytes.indexOf('LCS\x01', 0, 'latin1')
        if (from < 0) return new Uint8Array(bytes)
        for (let at = bytes.indexOf(state, from); at >= 0; at = bytes.indexOf(state, at + 32)) bytes[at]! ^= 1
        bytes[300]! ^= 1
        return new Uint8Array(bytes)
      },
    }
    isLost = true
    bootstraps = 0
    const client = await start(['honest'], { store: damaging, trustCache: true })
    expect(client.finalized).toMatchObject({ slot: finalized.slot, links: { checkpoint: 'trusted' } })
    for (let round = 0; round < 4; round++) {
      const { disagreements } = await client.sync()
      expect(disagreements).toMatchObject([{ slot: finalized.slot }])
      expect(client.finalized.links.checkpoint).toBe('trusted')
      chain.advance(1)
    }
    expect(bootstraps).toBe(1)
    chain.advance(64)
    await client.sync()
    expect(client.finalized.slot).toBeGreaterThan(finalized.slot)
  })
})
