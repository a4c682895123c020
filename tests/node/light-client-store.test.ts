/**
 * What a light client keeps, and what it believes of it. Whoever can write to the storage can make the client start anew,
 * and nothing worse.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'fake-indexeddb/auto'
import { DisposedError } from 'blobcheck'
import fc from 'fast-check'
import { FileStorage, IndexedDbStorage, type LightClientStorage, MemoryStorage } from 'blobcheck/light-client'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from '../../dist/light-client/store/record-store.js'
import { makeChain, SLOTS_PER_PERIOD, type Update } from '../lodestar/chain.mjs'
import { plainly } from '../support/beacon-server.ts'
import { flip } from '../support/bytes.ts'
import { expectHead, startClient, startServer } from '../support/clients.ts'
import { bootstrapped, holding, keptClients, ownerOf, updated } from '../support/kept-clients.ts'
import { later } from '../support/make.ts'

const chain = makeChain({ periods: 2 })
const { fill, restart, record } = keptClients(chain)

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

/** The slot of the attested header, which an update has behind its five fixed parts' first offset. */
function attestedSlotOf(ssz: Uint8Array): number {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.length)
  return Number(view.getBigUint64(view.getUint32(0, true), true))
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
    const other = makeChain({ periods: 1, forkEpochs: { fulu: 99_999 } })
    const { key: otherKey, bytes: otherBytes } = await keptClients(other).record()
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
