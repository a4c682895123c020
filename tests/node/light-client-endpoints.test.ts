/**
 * Endpoints over real HTTP, on a chain that another implementation's types have made, with a committee of 512: one honest
 * endpoint is enough, whatever the others do, and the report says who did what.
 */
import { BeaconUnavailableError, LightClient, type LightClientReport } from 'blobcheck/light-client'
import type { NetworkConfig } from 'blobcheck'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Block, type Chain, makeChain, SLOTS_PER_PERIOD, type Update } from '../lodestar/chain.mjs'
import { type BeaconServer, type Manner, type Oracle, plainly } from '../support/beacon-server.ts'
import { expectHead, followOnce, startClient, startServer } from '../support/clients.ts'
import { toHex } from '../support/bytes.ts'
import { badManners, jsonOnly } from '../support/manners.ts'

let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 2 })
})

const start = async (oracle: Oracle = chain.oracle(), manner?: Manner): Promise<BeaconServer> =>
  await startServer(oracle, manner)
const follow = async (urls: readonly string[], options = {}): Promise<LightClientReport> =>
  await followOnce(chain, urls, options)

describe('an honest endpoint', () => {
  it('is asked for SSZ, and leads to the head', async () => {
    const server = await start()
    const report = await follow([server.url])
    expectHead(report, chain)
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
    expectHead(report, chain)
    expect(report.endpoints[0]?.failures).toEqual({})
    const accepts = server.asked.map(({ accept }) => accept.includes('octet-stream'))
    expect(accepts).toEqual([true, false, false, false, false])
  })

  it('that hides its version header, as browsers do, is understood by the slot', async () => {
    const server = await start(chain.oracle(), ({ body, headers = {} }, request, response) => {
      const { 'eth-consensus-version': _hidden, ...others } = headers
      plainly({ body, headers: others }, request, response)
    })
    expectHead(await follow([server.url]), chain)
  })

  it('under a path and with a key in the query is asked there, and its key is not in the report', async () => {
    const server = await start((url) => {
      if (!url.pathname.startsWith('/v2/secret/eth/') || url.searchParams.get('token') !== 'hush') return null
      return chain.oracle()(new URL(url.href.replace('/v2/secret', '')))
    })
    const report = await follow([`${server.url}/v2/secret/?token=hush`])
    expectHead(report, chain)
    expect(JSON.stringify(report.endpoints)).not.toMatch(/secret|hush/)
  })
})

describe.each(Object.entries(badManners))('an endpoint that %s', (_name, { manner, kind }) => {
  // Only there: a machine that stalls makes honest endpoints late, too.
  const hangs = kind === 'timeout'

  it('is survived beside an honest one, and named', async () => {
    const [bad, honest] = [await start(chain.oracle(), manner), await start()]
    const report = await follow([bad.url, honest.url], hangs ? { timeoutMs: 1_500 } : {})
    expectHead(report, chain)
    const [badReport, honestReport] = report.endpoints
    expect(badReport?.failures[kind]).toBeGreaterThan(0)
    expect(Object.keys(badReport?.failures ?? {})).toEqual([kind])
    // A list of updates in SSZ says itself of which forks they are, so that a header that names another fork leaves it true.
    const lists = bad.asked.filter(({ path }) => path.includes('/updates')).length
    expect(badReport?.answers).toBe(kind === 'unsupported-fork' ? lists : 0)
    expect(honestReport).toMatchObject({ state: 'good', failures: {} })
  })

  it('is named by the error where it is alone', async () => {
    const bad = await start(chain.oracle(), manner)
    const error = await follow([bad.url], hangs ? { timeoutMs: 200 } : {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BeaconUnavailableError)
    expect((error as BeaconUnavailableError).failures).toMatchObject([{ endpoint: bad.url, kind }])
  })
})

describe('an endpoint that does not know the genesis of its network, as Lodestar where the network has no name', () => {
  it('is followed: its fork digests are of a root of zeros', async () => {
    const server = await start(chain.oracle({ digestRoot: new Uint8Array(32) }))
    const report = await follow([server.url])
    expectHead(report, chain)
    expect(report.endpoints).toMatchObject([{ failures: {} }])
  })
})

describe('a fork digest that is not known', () => {
  it('is no reason not to follow: the config is older than a limit of blobs, and the forks are the same', async () => {
    const { blobSchedule: _, ...network } = chain.network
    for (const manner of [plainly, jsonOnly(406)]) {
      const server = await start(chain.oracle(), manner)
      const report = await follow([server.url], { network })
      expectHead(report, chain)
      expect(report.endpoints).toMatchObject([{ failures: {} }])
    }
    const strange = await start(chain.oracle({ digestRoot: new Uint8Array(32).fill(7) }))
    expectHead(await follow([strange.url]), chain)
  })

  it('accuses nobody where what comes with it is false or cannot be read by the fork of its slot', async () => {
    const { forkEpochs, signing: given } = chain.network
    const signing = given!
    const forkVersions = { ...signing.forkVersions, fulu: '0x00000077' }
    const networks: [Partial<NetworkConfig>, string][] = [
      [{ signing: { ...signing, genesisValidatorsRoot: `0x${'43'.repeat(32)}` } }, 'signature-mismatch'],
      // As of a fork that has the containers of the one before, and signatures of its own.
      [{ signing: { ...signing, forkVersions } }, 'signature-mismatch'],
      [
        { blobSchedule: [], forkEpochs: { ...forkEpochs, gloas: 2565 } },
        "not in the form that objects of its slot have by the network's config",
      ],
    ]
    for (const [other, reason] of networks) {
      const server = await start()
      const client = await startClient(chain, server.url, { network: { ...chain.network, ...other } })
      const detail = `a fork digest that is not known, and by the fork of its slot: ${reason}`
      await expect(client.sync()).rejects.toMatchObject({ failures: [{ kind: 'unsupported-fork', detail }] })
      expect(client.report().endpoints).toMatchObject([{ state: 'good' }])
    }
  })
})

describe('a checkpoint that no endpoint has', () => {
  it('is not what is wrong where the answers are no objects of a light client', async () => {
    const server = await start(chain.oracle(), (_, __, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>'),
    )
    const entered = LightClient.fromCheckpoint({
      ...{ network: chain.network, now: chain.now, checkpoint: chain.checkpoint, store: false as const },
      beacon: server.url,
    })
    await expect(entered).rejects.toThrow(/: malformed \(an answer of type text\/html\)$/)
  })

  it('may be none, which the error says, and not where an endpoint failed in another way that does not pass', async () => {
    const hint = 'is the checkpoint a finalized block root of this network, and its config right?'
    const failing = (code: number): Promise<BeaconServer> =>
      start(chain.oracle(), (_, __, response) => void response.writeHead(code).end())
    const [server, down, closed] = [await start(chain.oracle()), await failing(503), await failing(401)]
    const checkpoint = `0x${'11'.repeat(32)}`
    const options = { network: chain.network, now: chain.now, checkpoint, store: false as const }
    const messageOf = async (beacon: string[]): Promise<string> =>
      await LightClient.fromCheckpoint({ ...options, beacon }).then(
        () => '',
        (error: unknown) => (error as BeaconUnavailableError).message,
      )
    expect(await messageOf([server.url])).toMatch(/: not-found \(status 404\); is the checkpoint/)
    expect(await messageOf([server.url])).toContain(hint)
    expect(await messageOf([server.url, down.url])).toContain(hint)
    expect(await messageOf([server.url, closed.url])).not.toContain(hint)
    expect(await messageOf([down.url])).not.toContain(hint)
  })
})

describe('updates of so long ago that a node has none of them', () => {
  it('are missed in words that say what to do', async () => {
    for (const manner of [plainly, jsonOnly(406)]) {
      const server = await start(chain.oracle({ updates: [] }), manner)
      await expect(follow([server.url])).rejects.toMatchObject({
        failures: [
          {
            kind: 'behind',
            detail:
              'no updates of that period: it may not keep those of so long ago; take a newer checkpoint, or another node',
          },
        ],
      })
    }
  })
})

describe('endpoints that are honest and not up to date', () => {
  it('are not accused of anything', async () => {
    const old = chain.updates[2]!
    const [behind, honest] = [await start(chain.oracle({ finality: old })), await start()]
    const report = await follow([honest.url, behind.url])
    expectHead(report, chain)
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
    const error: unknown = await client.sync().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BeaconUnavailableError)
    // Both answers failed in the same way, which is said once.
    expect((error as BeaconUnavailableError).message).toBe(
      `no beacon endpoint gave an answer that can be used: ${server.url}: ahead (signature-in-future); or this machine's clock is slow`,
    )
    expect((error as BeaconUnavailableError).failures).toHaveLength(2)
    expect(client.report().endpoints).toMatchObject([{ failures: { ahead: 2 } }])
    expect(client.report().endpoints[0]?.failures).not.toHaveProperty('invalid')
    expect(client.optimistic.slot).toBeLessThan(chain.optimistic.slot)
    await client.dispose()
  })

  it('or whose clock is right where ours is fast by days: the error says that, too', async () => {
    const server = await start()
    const client = await startClient(chain, server.url, { now: () => chain.now() + 2 * 86_400_000 })
    await expect(client.sync()).rejects.toMatchObject({
      failures: [{ kind: 'behind' }],
      message: expect.stringMatching(/; or this machine's clock is fast$/) as unknown,
    })
  })
})

describe('an endpoint that is behind', () => {
  it('does not say how many signed the newest header, which others know', async () => {
    const slot = chain.optimistic.slot - 2
    const older = chain.block(slot, chain.stateOf(slot, chain.finalized))
    const { update } = chain.sign(
      older,
      null,
      Array.from({ length: 170 }, (_, at) => at),
    )
    let onNewest = (): void => {}
    const newest = new Promise<void>((resolve) => (onNewest = resolve))
    const honest = await start()
    const behind = await start(chain.oracle({ optimistic: update }), (said, request, response) => {
      if (!request.url?.includes('optimistic_update')) return plainly(said, request, response)
      void newest.then(() => plainly(said, request, response))
    })
    const client = await startClient(chain, [honest.url, behind.url])
    const following = client.sync()
    await expect
      .poll(() => client.optimistic.slot, { interval: 5, timeout: 30_000 })
      .toBe(chain.optimistic.slot)
    onNewest()
    const report = await following
    expectHead(report, chain)
    expect(report.participation).toEqual({ signed: 512, of: 512 })
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
    expectHead(await follow([few.url, enough.url]), chain)
    const justEnough = await start(chain.oracle({ optimistic: chain.sign(attested, null, nearly).update }))
    const report = await follow([justEnough.url])
    expectHead(report, chain)
    expect(report.participation).toEqual({ signed: 342, of: 512 })
  })

  it('is said to be that by its own word alone, since nobody looks at its signature', async () => {
    const { update } = chain.sign(chain.optimisticUpdate.attested, null, most)
    const syncAggregate = { ...update.syncAggregate, syncCommitteeSignature: new Uint8Array(96).fill(7) }
    const server = await start(chain.oracle({ optimistic: { ...update, syncAggregate } }))
    const { endpoints } = await follow([server.url])
    const detail = 'by its own word, less than two thirds of the sync committee signed it'
    expect(endpoints).toMatchObject([{ state: 'good', lastFailure: { kind: 'few-signatures', detail } }])
  })

  it('holds for the updates of each period, too', async () => {
    const slot = chain.firstPeriod * SLOTS_PER_PERIOD + 320
    const final = chain.block(slot)
    const attested = chain.block(slot + 70, chain.stateOf(slot + 70, final))
    const signedBy = (absentees: readonly number[]): object => ({
      ...chain.updates[0],
      ...chain.sign(attested, final, absentees),
      nextSyncCommittee: (chain.updates[0] as unknown as { nextSyncCommittee: object }).nextSyncCommittee,
      nextSyncCommitteeBranch: attested.proof(['nextSyncCommittee']),
    })
    const rest = chain.updates.slice(1)
    const few = await start(chain.oracle({ updates: [signedBy(most), ...rest] }))
    await expect(follow([few.url])).rejects.toMatchObject({ failures: [{ kind: 'few-signatures' }] })
    const enough = await start(chain.oracle({ updates: [signedBy(nearly), ...rest] }))
    expectHead(await follow([enough.url]), chain)
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

  describe('one after the other', () => {
    const strange = { parentRoot: new Uint8Array(32).fill(0xee) }
    const finalizing = (final: Block, slot: number = chain.headSlot - 2): Update =>
      chain.sign(chain.block(slot, chain.stateOf(slot, final)), final, [])

    it('are named together: what was signed before is held against what is signed now', async () => {
      const { slot } = chain.optimistic
      const twin = chain.block(slot, chain.stateOf(slot, chain.finalized), strange)
      const oracles = [chain.oracle(), chain.oracle({ optimistic: chain.sign(twin, null, []).update })]
      let told = 0
      const server = await start((url) => oracles[told]!(url))
      const client = await startClient(chain, server.url)
      expect((await client.sync()).disagreements).toEqual([])
      told = 1
      const { disagreements } = await client.sync()
      const answers = [chain.optimistic, twin].map(({ root }) => ({
        endpoint: server.url,
        root: toHex(root),
      }))
      expect(disagreements).toMatchObject([{ slot, answers }])
      // It is noted once, and no longer what the next synchronisation is about.
      expect((await client.sync()).disagreements).toEqual(disagreements)
      expect(client.optimistic.root).toBe(toHex(chain.optimistic.root))
    })

    it('are named together: what was final before is held against what is final now', async () => {
      const { slot } = chain.finalized
      const twin = chain.block(slot, undefined, strange)
      const oracles = [chain.oracle(), chain.oracle({ finality: finalizing(twin) })]
      let told = 0
      const server = await start((url) => oracles[told]!(url))
      const client = await startClient(chain, server.url)
      await client.sync()
      told = 1
      const { disagreements, endpoints } = await client.sync()
      const answers = [chain.finalized, twin].map(({ root }) => ({ endpoint: server.url, root: toHex(root) }))
      expect(disagreements).toMatchObject([{ slot, answers }])
      expect(endpoints).toMatchObject([{ state: 'good', failures: {} }])
    })

    it('are found out by what led to what is final now', async () => {
      const parent = chain.ancestors.at(-1)!
      const twin = chain.block(parent.slot, undefined, strange)
      const oracles = [chain.oracle({ finality: finalizing(twin) }), chain.oracle()]
      let told = 0
      const server = await start((url) => oracles[told]!(url))
      const client = await startClient(chain, server.url)
      await client.sync()
      expect(client.finalized.root).toBe(toHex(twin.root))
      told = 1
      expect((await client.sync()).disagreements).toEqual([])
      expect(await client.headerAt(parent.slot)).toMatchObject({ header: { root: toHex(parent.root) } })
      const answers = [
        { endpoint: server.url, root: toHex(twin.root) },
        { endpoint: 'this client', root: toHex(parent.root) },
      ]
      expect(client.report().disagreements).toMatchObject([{ slot: parent.slot, answers }])
    })

    it('are none where a newest block was reorganised away, and another one of its slot is final', async () => {
      const reorganised = chain.block(chain.finalized.slot, undefined, strange)
      const { update } = chain.sign(reorganised, null, [])
      const early = finalizing(chain.ancestors.at(-1)!, chain.finalized.slot - 1)
      const oracles = [chain.oracle({ finality: early, optimistic: update }), chain.oracle()]
      let told = 0
      const server = await start((url) => oracles[told]!(url))
      const client = await startClient(chain, server.url)
      await client.sync()
      expect(client.optimistic.root).toBe(toHex(reorganised.root))
      told = 1
      const report = await client.sync()
      expectHead(report, chain)
      expect(report.disagreements).toEqual([])
    })
  })
})
