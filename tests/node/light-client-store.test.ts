/**
 * What a light client keeps, and what it believes of it. Whoever can write to the storage can make the client start anew,
 * and nothing worse; unless the user says that it is to be trusted, and then links say so.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'fake-indexeddb/auto'
import { DisposedError, type Header } from 'blobcheck'
import fc from 'fast-check'
import {
  FileStorage,
  IndexedDbStorage,
  type LightClient,
  type LightClientOptions,
  type LightClientStorage,
  MemoryStorage,
  StaleCheckpointError,
} from 'blobcheck/light-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord, type RecordOwner } from '../../dist/light-client/store/record-store.js'
import { type Chain, makeChain, SLOTS_PER_PERIOD, type Update } from '../lodestar/chain.mjs'
import { committeeOf } from '../lodestar/committee.mjs'
import { type BeaconServer, plainly } from '../support/beacon-server.ts'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'
import { later } from '../support/make.ts'

let chain: Chain
let other: Chain
beforeAll(() => {
  chain = makeChain({ periods: 2 })
  other = makeChain({ periods: 1, forkEpochs: { fulu: 99_999 } })
})

const folders: string[] = []
// Not after each test: a client that is disposed of then may be writing.
afterAll(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-'))
  folders.push(folder)
  return folder
}

/** A client that has been at the head once, and is gone; what it left is in the storage. */
async function fill(store: LightClientStorage, of = chain): Promise<void> {
  const server = await startServer(of.oracle())
  const client = await startClient(of, server.url, { store })
  await client.sync()
  await client.dispose()
}

describe('the end of a client in the middle of a synchronisation', () => {
  it('comes once what was verified by then is written', async () => {
    const { promise: hanging, resolve: onHanging } = later()
    const server = await startServer(chain.oracle(), (said, request, response) => {
      if (request.url?.includes('finality_update')) onHanging()
      else plainly(said, request, response)
    })
    const store = new MemoryStorage()
    let isOver = false
    const slow: LightClientStorage = {
      get: (key) => store.get(key),
      async set(key, value) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        // What comes later, a process that has ended does not write.
        if (!isOver) await store.set(key, value)
      },
      delete: (key) => store.delete(key),
    }
    const client = await startClient(chain, server.url, { store: slow })
    const ended = expect(client.sync()).rejects.toBeInstanceOf(DisposedError)
    await hanging
    await client.dispose()
    isOver = true
    await ended
    expect(client.finalized.slot).toBeGreaterThan(chain.bootstrap.header.beacon.slot)
    const again = await restart(store)
    expect(again.client.finalized.root).toBe(client.finalized.root)
    expect(again.server.asked).toEqual([])
  })
})

interface Restart {
  readonly client: LightClient
  readonly server: BeaconServer
}

async function restart(
  store: LightClientStorage,
  options: Partial<LightClientOptions> = {},
): Promise<Restart> {
  const server = await startServer(chain.oracle())
  return { server, client: await startClient(chain, server.url, { store, ...options }) }
}

const bootstrapped = ({ server }: Restart): boolean =>
  server.asked.some(({ path }) => path.includes('bootstrap'))
const updated = ({ server }: Restart): boolean => server.asked.some(({ path }) => path.includes('updates'))

const storages: Readonly<Record<string, () => Promise<LightClientStorage>>> = {
  MemoryStorage: async () => new MemoryStorage(),
  FileStorage: async () => new FileStorage(join(await freshFolder(), 'made', 'on demand')),
  IndexedDbStorage: async () => new IndexedDbStorage({ name: `test-${Math.random()}` }),
}

describe.each(Object.keys(storages))('%s', (name) => {
  it('keeps the way from the checkpoint, which is verified again and not asked for', async () => {
    const store = await storages[name]!()
    await fill(store)
    const again = await restart(store)
    expect(again.server.asked).toEqual([])
    expect(again.client.finalized.slot).toBeGreaterThan(chain.bootstrap.header.beacon.slot)
    expect(again.client.finalized.links).toEqual({
      header: 'verified',
      'sync-committee': 'verified',
      checkpoint: 'verified',
    })
    await again.client.sync()
    expect(updated(again)).toBe(false)
    expect(again.client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('keeps bytes by key', async () => {
    const store = await storages[name]!()
    expect(await store.get('a-1')).toBeNull()
    await store.set('a-1', Uint8Array.of(1, 2))
    await store.set('a-1', new Uint8Array(100_000).fill(7).subarray(5, 9))
    await store.set('a-2', Uint8Array.of(9))
    expect(await store.get('a-1')).toEqual(Uint8Array.of(7, 7, 7, 7))
    await store.delete('a-1')
    expect(await store.get('a-1')).toBeNull()
    expect(await store.get('a-2')).toEqual(Uint8Array.of(9))
  })
})

describe('files', () => {
  it('are replaced in one step, leave no drafts, and stay in their folder', async () => {
    const folder = await freshFolder()
    const store = new FileStorage(folder)
    await Promise.all(Array.from({ length: 20 }, (_, at) => store.set('k', new Uint8Array(50_000).fill(at))))
    expect(await readdir(folder)).toEqual(['k.bin'])
    const bytes = await readFile(join(folder, 'k.bin'))
    expect(bytes).toHaveLength(50_000)
    expect(new Set(bytes).size).toBe(1)
    await expect(store.get('../k')).rejects.toBeInstanceOf(TypeError)
    // Another text each time that it is asked.
    let asked = 0
    const twoFaced = { toString: () => (asked++ === 0 ? 'k' : '../k') } as unknown as string
    await expect(store.set(twoFaced, bytes)).rejects.toBeInstanceOf(TypeError)
  })

  it('are whole whoever else writes them, from a thread or a container with the same process id', async () => {
    const folder = await freshFolder()
    // A module of its own, as each thread has it.
    const thread = '../../dist/light-client/store/file-storage/node.js?another-thread'
    const { FileStorage: Another } = (await import(thread)) as { FileStorage: typeof FileStorage }
    expect(Another).not.toBe(FileStorage)
    const [one, other] = [new FileStorage(folder), new Another(folder)]
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        one.set('k', new Uint8Array(3e6).fill(1)),
        other.set('k', new Uint8Array(2e6).fill(2)),
      ])
      const bytes = (await one.get('k'))!
      expect([bytes.length, ...new Set(bytes)]).toEqual(bytes[0] === 1 ? [3e6, 1] : [2e6, 2])
    }
    expect(await readdir(folder)).toEqual(['k.bin'])
  })

  it('that a process died over are removed with the next write, and nothing else is', async () => {
    const folder = await freshFolder()
    const draft = (key: string): string => `${key}.bin.${randomUUID()}`
    const [old, alsoOld, ahead, young] = [draft('k'), draft('another-key'), draft('k'), draft('k')]
    // Not what a storage writes, as old as that may be.
    const others = ['k.bin.old', `notes.${randomUUID()}`, 'l.bin']
    for (const name of [old, alsoOld, ahead, young, ...others]) await writeFile(join(folder, name), 'half')
    await mkdir(join(folder, draft('d')))
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [old, alsoOld, ...others]) await utimes(join(folder, name), hoursAgo, hoursAgo)
    // The clock was ahead when it was written.
    const inHours = new Date(Date.now() + 2 * 3_600_000)
    await utimes(join(folder, ahead), inHours, inHours)
    const before = await readdir(folder)
    await new FileStorage(folder).set('k', Uint8Array.of(1))
    const expected = [...before.filter((name) => ![old, alsoOld, ahead].includes(name)), 'k.bin']
    expect((await readdir(folder)).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    ['in memory', () => new MemoryStorage()],
    ['in files', async () => new FileStorage(await freshFolder())],
  ])('take nothing but bytes, %s', async (_, make) => {
    const store = await make()
    for (const none of ['7', 7, [7], null, undefined, { length: 7 }, new ArrayBuffer(7)])
      await expect(store.set('k', none as unknown as Uint8Array)).rejects.toBeInstanceOf(TypeError)
    expect(await store.get('k')).toBeNull()
  })

  it('that are longer than any value are not read, and are replaced', async () => {
    const folder = await freshFolder()
    const store = new FileStorage(folder)
    const longest = 2 ** 25
    await expect(store.set('k', new Uint8Array(longest + 1))).rejects.toBeInstanceOf(RangeError)
    await store.set('k', new Uint8Array(longest))
    expect(await store.get('k')).toHaveLength(longest)
    // Of 64 GB, which take no room on the disk.
    await truncate(join(folder, 'k.bin'), 2 ** 36)
    await expect(store.get('k')).rejects.toThrow('longer than any value')
    await store.set('k', Uint8Array.of(1))
    expect(await store.get('k')).toEqual(Uint8Array.of(1))
    await mkdir(join(folder, 'd.bin'))
    await expect(store.get('d')).rejects.toThrow('not a file')
    // What could not be put in its place leaves no draft, either.
    await expect(store.set('d', Uint8Array.of(1))).rejects.toThrow()
    expect((await readdir(folder)).toSorted()).toEqual(['d.bin', 'k.bin'])
  })

  it('that are longer than any record are none, though files may be as long', async () => {
    const owner = ownerOf(chain)
    const bootstrap = { fork: 0, ssz: new Uint8Array(100) } as const
    const withStore = (bytes: number): Uint8Array =>
      encodeRecord(owner, { bootstrap, updates: [], store: new Uint8Array(bytes) })
    const most = 2 ** 24 - withStore(0).length
    expect(decodeRecord(owner, withStore(most))?.store).toHaveLength(most)
    expect(decodeRecord(owner, withStore(most + 1))).toBeNull()
    const store = new FileStorage(await freshFolder())
    await store.set('k', withStore(most + 1))
    expect(await store.get('k')).toHaveLength(2 ** 24 + 1)
  })
})

describe('what leads nowhere', () => {
  it('is not kept, however much of it an endpoint sends: a period has one update', async () => {
    const { firstPeriod, updates } = chain
    /** True, and signed by enough: it finalizes another block of the period, and names no committee. */
    const idle = (period: number, at: number): Update => {
      const slot = period * SLOTS_PER_PERIOD + at
      const final = chain.block(slot)
      return chain.sign(chain.block(slot + 70, chain.stateOf(slot + 70, final)), final, [9])
    }
    const [p, q] = [firstPeriod, firstPeriod + 1]
    const [first, second] = updates as [Update, Update]
    // As much as fits into an answer about three periods, and then two. The third one's update is asked for once in an epoch.
    const answers = new Map<number, readonly Update[]>([
      [p, [idle(p, 120), first, idle(p, 600)]],
      [q, [idle(q, 120), second]],
    ])
    const oracle = chain.oracle()
    const server = await startServer((url) => {
      if (!url.pathname.endsWith('/updates')) return oracle(url)
      const told = answers.get(Number(url.searchParams.get('start_period')))
      if (told === undefined) return null
      return chain.oracle({ updates: told })(
        new URL(url.href.replace(/start_period=\d+/, `start_period=${p}`)),
      )
    })
    const store = new MemoryStorage()
    const client = await startClient(chain, server.url, { store })
    const report = await client.sync()
    expectHead(report, chain)
    expect(report.endpoints[0]).toMatchObject({ failures: {} })
    await client.dispose()

    const keys: string[] = []
    const spy: LightClientStorage = {
      get: async (key) => (keys.push(key), await store.get(key)),
      set: async (key, value) => await store.set(key, value),
      delete: async (key) => await store.delete(key),
    }
    const again = await restart(spy)
    expect(again.server.asked).toEqual([])
    // Verified again, it leads as far as before.
    expect(again.client.finalized.slot).toBe(second.finalizedHeader.beacon.slot)
    const kept = decodeRecord(ownerOf(chain), (await store.get(keys[0]!))!)!
    const attested = kept.updates.map(({ ssz }) => attestedSlotOf(ssz))
    expect(attested).toEqual([first, second].map(({ attestedHeader }) => attestedHeader.beacon.slot))
  })
})

/** Whose record that of a chain's client is. */
function ownerOf({ checkpoint, network }: Chain): RecordOwner {
  return {
    genesisValidatorsRoot: fromHex(network.signing!.genesisValidatorsRoot),
    checkpoint: fromHex(checkpoint),
  }
}

/** The slot of the attested header, which an update has behind its five fixed parts' first offset. */
function attestedSlotOf(ssz: Uint8Array): number {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return Number(view.getBigUint64(view.getUint32(0, true), true))
}

/** What was kept, as one storage keeps it. */
async function record(): Promise<{ key: string; bytes: Uint8Array }> {
  const kept = new Map<string, Uint8Array>()
  await fill({
    get: async () => null,
    set: async (key, value) => void kept.set(key, value),
    delete: async () => {},
  })
  const [[key, bytes]] = [...kept] as [[string, Uint8Array]]
  return { key, bytes }
}

async function holding(key: string, bytes: Uint8Array): Promise<MemoryStorage> {
  const store = new MemoryStorage()
  await store.set(key, bytes)
  return store
}

describe('a record that someone has changed', () => {
  it('is never believed: the client stands on what is true of it, or on the checkpoint', async () => {
    const { key, bytes } = await record()
    const real = [chain.bootstrap, ...chain.updates].flatMap((object) =>
      'header' in object ? [object.header] : [object.finalizedHeader],
    )
    const roots = real.map(({ beacon }) => `0x${Buffer.from(beacon.stateRoot).toString('hex')}`)
    // A bit of each part: head, counts, objects (committee, branch, signature), store; and cuts.
    const ats = [0, 5, 40, 70, 75, 1_000, 25_900, 40_000, 80_000, bytes.length - 60_000, bytes.length - 9]
    const changed = [
      ...ats.map((at) => flip(bytes, at, 3)),
      ...[0, 4, 60, 73, 78, 30_000, bytes.length - 1].map((length) => bytes.slice(0, length)),
      Uint8Array.from([...bytes, 0]),
    ]
    for (const bad of changed) {
      const { client } = await restart(await holding(key, bad))
      expect(roots).toContain(client.finalized.state_root)
      await client.sync()
      expect(client.finalized.slot).toBe(chain.finalized.slot)
      await client.dispose()
    }
  })

  it('keeps what comes before the change', async () => {
    const { key, bytes } = await record()
    // In the second update: the bootstrap and each update take some 26 KB.
    const again = await restart(await holding(key, flip(bytes, 26_000 + 40_000)))
    expect(bootstrapped(again)).toBe(false)
    await again.client.sync()
    expect(updated(again)).toBe(true)
    expect(again.client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('of another chain or checkpoint is not this one', async () => {
    const { key, bytes } = await record()
    const kept = new Map<string, Uint8Array>()
    await fill(
      {
        get: async () => null,
        set: async (name, value) => void kept.set(name, value),
        delete: async () => {},
      },
      other,
    )
    const [[otherKey, otherBytes]] = [...kept] as [[string, Uint8Array]]
    expect(otherKey).not.toBe(key)
    expect(bootstrapped(await restart(await holding(key, otherBytes)))).toBe(true)
    expect(bootstrapped(await restart(await holding(otherKey, bytes)))).toBe(true)
    expect(bootstrapped(await restart(await holding(key, bytes)))).toBe(false)
  })

  it('of random bytes is nothing', async () => {
    const { key } = await record()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (noise) => {
        const again = await restart(await holding(key, noise), { worker: false })
        expect(bootstrapped(again)).toBe(true)
        await again.client.dispose()
      }),
      { numRuns: 10 },
    )
  })
})

describe('trustCache', () => {
  it('begins where the last session ended, and says that it was taken on trust', async () => {
    const { key, bytes } = await record()
    const again = await restart(await holding(key, bytes), { trustCache: true })
    expect(again.server.asked).toEqual([])
    expect(again.client.finalized.slot).toBe(chain.finalized.slot)
    const onTrust = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
    expect(again.client.finalized.links).toEqual(onTrust)
    expect(again.client.optimistic.links).toEqual(onTrust)
  })

  it('is as fresh as its newest header; what is verified again is as fresh as the checkpoint', async () => {
    const { key, bytes } = await record()
    const store = await holding(key, bytes)
    const epochs = Math.floor(chain.bootstrap.header.beacon.slot / 32) + 3540
    const now = (): number => (chain.network.genesisTime + epochs * 32 * 12) * 1000
    await expect(restart(store, { allowStale: false, now })).rejects.toBeInstanceOf(StaleCheckpointError)
    const { client } = await restart(store, { allowStale: false, now, trustCache: true })
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('does not make a broken store one', async () => {
    const { key, bytes } = await record()
    const again = await restart(await holding(key, flip(bytes, bytes.length - 10)), { trustCache: true })
    const isHead = again.client.finalized.slot === chain.finalized.slot
    expect(isHead || bootstrapped(again)).toBe(true)
    const cut = await restart(await holding(key, bytes.slice(0, -1)), { trustCache: true })
    expect(bootstrapped(cut)).toBe(true)
  })

  it('does not take a store by which more had signed than a committee has', async () => {
    const { key, bytes } = await record()
    // Where the store begins, and how many signed in the period before and in this one.
    const start = Buffer.from(bytes).indexOf('LCS\x01', 0, 'latin1')
    for (const at of [36, 44]) {
      const again = await restart(await holding(key, flip(bytes, start + at + 7)), { trustCache: true })
      expect(again.client.finalized.links.header).toBe('verified')
      await again.client.sync()
      expect(again.client.optimistic.slot).toBe(chain.optimistic.slot)
    }
  })
})

describe('trustCache and a record that someone has replaced', () => {
  const verified = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' }
  const onTrust = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
  const trusting = { trustCache: true, allowStale: false }

  /** The record with another store. */
  async function withStore(change: (store: Uint8Array) => void): Promise<MemoryStorage> {
    const { key, bytes } = await record()
    const { store, ...rest } = decodeRecord(ownerOf(chain), bytes)!
    change(store)
    return await holding(key, encodeRecord(ownerOf(chain), { ...rest, store }))
  }

  /** Whatever is signed from now on is signed by others. */
  function exchangeCommittees(store: Uint8Array): void {
    const stranger = committeeOf(99).pubkeys
    let count = 0
    for (const period of [12, 13]) {
      const [first] = committeeOf(period).pubkeys
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(first!)
      if (at < 0) continue
      store.set(concat(...stranger, committeeOf(99).aggregatePubkey), at)
      count++
    }
    expect(count).toBeGreaterThan(0)
  }

  /** Another state in the newest header of a kind. */
  const exchangeState =
    (name: 'finalized' | 'optimistic') =>
    (store: Uint8Array): void => {
      const { stateRoot } = chain[name].header.beacon
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(stateRoot)
      expect(at).toBeGreaterThanOrEqual(0)
      store.set(flip(stateRoot, 5), at)
    }

  /** The slot of a header in the store, which its roots give away. */
  const setSlot =
    (slot: number) =>
    (store: Uint8Array): void => {
      const { stateRoot } = chain.finalized.header.beacon
      const at = Buffer.from(store.buffer, store.byteOffset, store.length).indexOf(stateRoot) - 48
      expect(at).toBeGreaterThanOrEqual(0)
      const view = new DataView(store.buffer, store.byteOffset)
      expect(view.getBigUint64(at, true)).toBe(BigInt(chain.finalized.slot))
      view.setBigUint64(at, BigInt(slot), true)
    }

  it('finds out by what honest endpoints say, who are not distrusted for it, and keeps what is true', async () => {
    const store = await withStore(exchangeCommittees)
    const again = await restart(store, trusting)
    expect(again.client.finalized.links).toEqual(onTrust)
    const report = await again.client.sync()
    expectHead(report, chain)
    expect(report.endpoints[0]).toMatchObject({ state: 'good' })
    // What the record had besides was true: nothing of the way is fetched.
    expect(bootstrapped(again)).toBe(false)
    await again.client.dispose()
    const next = await restart(store, trusting)
    await next.client.sync()
    expect(next.client.finalized.slot).toBe(chain.finalized.slot)
    expect(next.client.report().endpoints[0]!.failures).toEqual({})
  })

  it.each(['finalized', 'optimistic'] as const)(
    'finds out by another block in the slot of its %s header, of which nobody is accused',
    async (name) => {
      const again = await restart(await withStore(exchangeState(name)), trusting)
      const believed = again.client[name]
      expect(believed).toMatchObject({ slot: chain[name].slot, links: onTrust })
      expect(believed.root).not.toBe(toHex(chain[name].root))
      const report = await again.client.sync()
      expectHead(report, chain)
      expect(again.client[name].root).toBe(toHex(chain[name].root))
      expect(report.disagreements).toEqual([])
      expect(report.endpoints).toMatchObject([{ state: 'good', failures: {} }])
    },
  )

  it('says so where it cannot begin anew: the endpoint contradicts what the client stands on', async () => {
    // The checkpoint is older than that.
    const terms = { ...trusting, weakSubjectivityEpochs: 300 }
    const again = await restart(await withStore(exchangeState('finalized')), terms)
    const { root, slot } = again.client.finalized
    const { disagreements } = await again.client.sync()
    const answers = [
      { endpoint: 'this client', root },
      { endpoint: again.server.url, root: toHex(chain.finalized.root) },
    ]
    expect(disagreements).toMatchObject([{ slot, answers }])
    expect(again.client.finalized).toMatchObject({ root, links: onTrust })
  })

  it('is not answered for once it is found out: what led back from it is forgotten', async () => {
    const [parent] = chain.ancestors.slice(-1)
    const stray = chain.block(parent!.slot, undefined, { parentRoot: new Uint8Array(32).fill(9) })
    const store = await withStore((bytes) => {
      exchangeCommittees(bytes)
      const { stateRoot } = chain.finalized.header.beacon
      bytes.set(stray.root, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(stateRoot) - 32)
    })
    const oracle = chain.oracle({ strays: [stray] })
    const server = await startServer(oracle)
    const client = await startClient(chain, server.url, { store, ...trusting })
    const believed = client.finalized
    const before = await client.headerAt(stray.slot)
    expect(before).toMatchObject({ header: { root: toHex(stray.root), finalized: true, links: onTrust } })
    expectHead(await client.sync(), chain)
    const after = { header: { root: toHex(parent!.root), finalized: true, links: verified } }
    expect(await client.headerAt(stray.slot)).toMatchObject(after)
    // Nor is it once more, by way of a header that was handed out.
    const { json } = oracle(new URL(`http://x/eth/v1/beacon/headers/${toHex(stray.root)}`))!
    const { message } = (json as { data: { header: { message: Header } } }).data.header
    expect(await client.trustAncestors([message], believed)).toMatchObject([{ links: onTrust }])
    expect(await client.headerAt(stray.slot)).toMatchObject(after)
  })

  it('is forgotten where it was true, too: what is verified by now says so', async () => {
    const { key, bytes } = await record()
    const forged = {
      ...chain.optimisticUpdate.update,
      attestedHeader: chain.block(chain.headSlot - 1).header,
    }
    const liar = await startServer(chain.oracle({ optimistic: forged }))
    const honest = await startServer(chain.oracle())
    const terms = { store: await holding(key, bytes), ...trusting }
    const client = await startClient(chain, [honest.url, liar.url], terms)
    const { slot } = chain.ancestors.at(-1)!
    expect(await client.headerAt(slot)).toMatchObject({ header: { links: onTrust } })
    await client.sync()
    expect(await client.headerAt(slot)).toMatchObject({ header: { links: verified } })
  })

  it('is stood on where the checkpoint is too old to begin anew, and the next start has it, too', async () => {
    const { key, bytes } = await record()
    const { bootstrap, ...rest } = decodeRecord(ownerOf(chain), bytes)!
    const ssz = flip(bootstrap.ssz, 5_000) as Uint8Array<ArrayBuffer>
    const damaged = encodeRecord(ownerOf(chain), { ...rest, bootstrap: { ...bootstrap, ssz } })
    const forged = {
      ...chain.optimisticUpdate.update,
      attestedHeader: chain.block(chain.headSlot - 1).header,
    }
    const liar = await startServer(chain.oracle({ optimistic: forged }))
    const honest = await startServer(chain.oracle())
    const terms = { store: await holding(key, damaged), ...trusting, weakSubjectivityEpochs: 8 }
    const client = await startClient(chain, [honest.url, liar.url], terms)
    await client.sync()
    expect(client.report().endpoints[1]!.failures).toEqual({ invalid: 1 })
    expect(client.finalized.links).toEqual(onTrust)
    await client.dispose()
    const again = await startClient(chain, honest.url, terms)
    expect(again.finalized.slot).toBe(chain.finalized.slot)
  })

  it('begins at the checkpoint where nothing of the record is true', async () => {
    const { key, bytes } = await record()
    const { bootstrap, store, updates } = decodeRecord(ownerOf(chain), bytes)!
    exchangeCommittees(store)
    const ssz = flip(bootstrap.ssz, 5_000) as Uint8Array<ArrayBuffer>
    const bad = encodeRecord(ownerOf(chain), { bootstrap: { ...bootstrap, ssz }, updates, store })
    const again = await restart(await holding(key, bad), trusting)
    expectHead(await again.client.sync(), chain)
    expect(bootstrapped(again)).toBe(true)
  })

  it.each([
    ['of the future', 2 ** 40],
    ['as old as the chain', 0],
  ])('does not believe one %s', async (_name, slot) => {
    const terms = { ...trusting, weakSubjectivityEpochs: 1_000 }
    const again = await restart(await withStore(setSlot(slot)), terms)
    expect(again.client.finalized.links).toEqual(verified)
    expect(again.client.finalized.slot).toBe(chain.updates.at(-1)!.finalizedHeader.beacon.slot)
  })

  it('loses nothing by an endpoint that lies, but that the record is verified after all', async () => {
    const { key, bytes } = await record()
    const forged = chain.block(chain.headSlot - 1).header
    const optimistic = { ...chain.optimisticUpdate.update, attestedHeader: forged }
    const liar = await startServer(chain.oracle({ optimistic }))
    const honest = await startServer(chain.oracle())
    const both = [liar.url, honest.url]
    const terms = { store: await holding(key, bytes), ...trusting }
    const client = await startClient(chain, both, terms)
    expect(client.finalized.links).toEqual(onTrust)
    expectHead(await client.sync(), chain)
    // Where the checkpoint is too old to begin there again, what was believed is.
    const old = await startClient(chain, both, {
      ...{ ...terms, store: await holding(key, bytes), weakSubjectivityEpochs: 300 },
    })
    await old.sync()
    expect(old.finalized).toMatchObject({ slot: chain.finalized.slot, links: onTrust })
  })
})

describe('a storage that fails', () => {
  it('costs a download, and shows in the report', async () => {
    const broken: LightClientStorage = {
      get: () => Promise.reject(new Error('no')),
      set: () => Promise.reject(new Error('no')),
      delete: () => Promise.reject(new Error('no')),
    }
    const { client } = await restart(broken)
    await client.sync()
    await client.dispose()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
    expect(client.report().storeFailures).toBeGreaterThan(1)
  })

  it('because its file is a folder, does no more', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'file'), '')
    const { client } = await restart(new FileStorage(join(folder, 'file')))
    await client.sync()
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })
})
