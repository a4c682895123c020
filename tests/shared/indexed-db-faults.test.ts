/**
 * What other tabs, other versions of the package and a damaged disk do to what is kept in IndexedDB: verdicts of the verifier, and the way
 * of a light client. Whatever it is costs work, is counted, and is never a wrong answer, nor one that does not come.
 */
import { createVerifier, IndexedDbCache, type Verifier } from 'blobcheck'
import { IndexedDbStorage, LightClient } from 'blobcheck/light-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { flip } from '../support/bytes.ts'
import { capella, now } from '../support/capella.ts'
import { inBrowser } from '../support/files.ts'
import { answerOf } from '../support/indexed-db.ts'
import { makeBadBlob, makeBlob, type MadeBlob, range, turn, until } from '../support/make.ts'

// @ts-expect-error It comes without types; it has no exports either.
if (!inBrowser) await import('fake-indexeddb/auto')

let names = 0
const freshName = (): string => `blobcheck-faults-${Date.now()}-${names++}`
const digestOf = (number: number): string => number.toString(16).padStart(64, '0')

const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const end of ends.splice(0).reverse()) await end()
})

/** A database as another tab has it open, which gives way where another one wants to change or delete it. */
async function openElsewhere(
  name: string,
  version: number,
  upgrade: (database: IDBDatabase) => void = () => {},
): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, version)
  opening.addEventListener('upgradeneeded', () => upgrade(opening.result))
  const database = await answerOf(opening)
  database.addEventListener('versionchange', () => database.close())
  ends.push(() => database.close())
  return database
}

/** A verifier that keeps its verdicts in a database, as a tab has it. */
async function openTab(name: string): Promise<Verifier> {
  const verifier = await createVerifier({ workers: 1, cache: new IndexedDbCache({ name }) })
  ends.push(() => verifier.dispose())
  return verifier
}

async function verdictOf(verifier: Verifier, item: MadeBlob): Promise<string> {
  const [verdict] = await verifier.verifyBlobs([item])
  return verdict?.status === 'valid' ? `valid ${verdict.via}` : (verdict?.status ?? 'none')
}

/** What a tab has to say of a blob that it has not seen, of one that is false, and of one that it has. */
async function expectAllWell(verifier: Verifier, c: number): Promise<void> {
  expect(await verdictOf(verifier, makeBlob(c))).toBe('valid kzg')
  expect(await verdictOf(verifier, makeBadBlob(c))).toBe('invalid')
  expect(await verdictOf(verifier, makeBlob(c))).toBe('valid cache')
}

/** Waits until a database has so many verdicts: nobody waits for what is being written. */
async function untilKept(name: string, count: number): Promise<void> {
  await until(async () => {
    const database = await answerOf(indexedDB.open(name))
    try {
      return (await answerOf(database.transaction('valid').objectStore('valid').count())) === count
    } finally {
      database.close()
    }
  })
}

/** Every connection that is opened from now on, with those that are open. */
function watchConnections(): { readonly all: IDBDatabase[]; readonly open: Set<IDBDatabase> } {
  const all: IDBDatabase[] = []
  const open = new Set<IDBDatabase>()
  const ask = IDBFactory.prototype.open
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...given) {
    const request = ask.apply(this, given)
    request.addEventListener('success', () => {
      all.push(request.result)
      open.add(request.result)
    })
    return request
  })
  const { close } = IDBDatabase.prototype
  vi.spyOn(IDBDatabase.prototype, 'close').mockImplementation(function (this: IDBDatabase) {
    open.delete(this)
    close.call(this)
  })
  return { all, open }
}

describe('verdicts, and another version of the package', () => {
  it('that is newer, in another tab, is not held up: this one goes on without what is kept', async () => {
    const name = freshName()
    const verifier = await openTab(name)
    await expectAllWell(verifier, 1)
    await untilKept(name, 1)
    // Blocked for as long as anybody holds a connection.
    const newer = await openElsewhere(name, 2, (database) => database.deleteObjectStore('valid'))
    const before = verifier.stats().cacheFailures
    await expectAllWell(verifier, 2)
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid cache')
    await until(() => verifier.stats().cacheFailures > before)
    // Nobody has touched what the newer one has.
    expect([newer.version, newer.objectStoreNames.length]).toEqual([2, 0])
    newer.close()
    await answerOf(indexedDB.deleteDatabase(name))
    await expectAllWell(verifier, 3)
    await untilKept(name, 1)
    expect(await verdictOf(await openTab(name), makeBlob(3))).toBe('valid cache')
  })

  it.each<[string, (database: IDBDatabase) => void]>([
    ['left nothing that this one knows', () => {}],
    ['kept something else under the same name', (database) => void database.createObjectStore('valid')],
  ])('that came before, and %s, costs what is kept, and no verdict', async (_, upgrade) => {
    const name = freshName()
    ;(await openElsewhere(name, 1, upgrade)).close()
    const verifier = await openTab(name)
    await expectAllWell(verifier, 4)
    await until(() => verifier.stats().cacheFailures > 0)
  })
})

describe('verdicts, and two tabs', () => {
  it('that verify the same and other data at once are both right, and leave what each has found', async () => {
    const name = freshName()
    const tabs = [await openTab(name), await openTab(name)]
    const ofBoth = range(4).map((at) => makeBlob(20 + at))
    const calls = tabs.map((tab, at) =>
      tab.verifyBlobs([...ofBoth, makeBlob(30 + at), makeBadBlob(40), makeBlob(50 + at)]),
    )
    for (const verdicts of await Promise.all(calls))
      expect(verdicts.map(({ status }) => status)).toEqual([
        ...Array<string>(5).fill('valid'),
        'invalid',
        'valid',
      ])
    await untilKept(name, 8)
    const later = await openTab(name)
    for (const c of [20, 23, 30, 31, 50, 51]) expect(await verdictOf(later, makeBlob(c))).toBe('valid cache')
    expect(await verdictOf(later, makeBadBlob(40))).toBe('invalid')
    expect([...tabs, later].map((tab) => tab.stats().cacheFailures)).toEqual([0, 0, 0])
  })

  it('that fill it at once keep it bounded, and what is newest', async () => {
    const name = freshName()
    const caches = [
      new IndexedDbCache({ name, capacity: 32 }),
      new IndexedDbCache({ name, capacity: 32 }),
    ] as const
    let time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => ++time)
    for (const number of range(60))
      await Promise.all(caches.map(async (cache, at) => await cache.add([digestOf(2 * number + at)])))
    const known = await caches[0].has(range(120).map(digestOf))
    const count = known.filter(Boolean).length
    // Each looks at the size after two that it added.
    expect(count).toBeGreaterThanOrEqual(32)
    expect(count).toBeLessThanOrEqual(32 + 4)
    expect(known.slice(-28).every(Boolean)).toBe(true)
    await Promise.all(caches.map(async (cache) => await cache.close()))
  })

  it('of which one forgets everything while the other verifies', async () => {
    const name = freshName()
    const other = new IndexedDbCache({ name })
    const verifier = await openTab(name)
    await expectAllWell(verifier, 60)
    await untilKept(name, 1)
    const call = verifier.verifyBlobs([makeBlob(61), makeBlob(62), makeBadBlob(63)])
    await other.clear()
    expect((await call).map(({ status }) => status)).toEqual(['valid', 'valid', 'invalid'])
    expect(await other.has([digestOf(1)])).toEqual([false])
    // Of what was kept before nothing is left, and a session that begins now verifies it again.
    expect(await verdictOf(await openTab(name), makeBlob(60))).toBe('valid kzg')
    await other.close()
  })
})

describe('verdicts, and a connection that the browser cuts', () => {
  // What stands for IndexedDB in Node has events of its own.
  it.each([['does not tell', false], ...(inBrowser ? ([['tells', true]] as const) : [])] as const)(
    'in the middle of a transaction, and %s',
    async (_, tells) => {
      const name = freshName()
      const { all, open } = watchConnections()
      const verifier = await openTab(name)
      await expectAllWell(verifier, 70)
      await untilKept(name, 1)
      for (const [at, method] of (['getKey', 'put'] as const).entries()) {
        const ask = IDBObjectStore.prototype[method]
        let cut = 0
        vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
          this: IDBObjectStore,
          ...given: unknown[]
        ) {
          const request: unknown = Reflect.apply(ask, this, given)
          if (cut++ > 0) return request
          const { db } = this.transaction
          this.transaction.abort()
          db.close()
          if (tells) db.dispatchEvent(new Event('close'))
          return request
        } as never)
        const before = verifier.stats().cacheFailures
        await expectAllWell(verifier, 71 + at)
        await until(() => verifier.stats().cacheFailures > before)
        expect(cut).toBeGreaterThan(0)
      }
      // It is opened anew, and keeps what comes after.
      const before = verifier.stats().cacheFailures
      await expectAllWell(verifier, 73)
      expect(await verdictOf(await openTab(name), makeBlob(70))).toBe('valid cache')
      await until(async () => (await verdictOf(await openTab(name), makeBlob(73))) === 'valid cache')
      expect(verifier.stats().cacheFailures).toBe(before)
      for (const end of ends.splice(0).reverse()) await end()
      expect(all.length).toBeGreaterThan(2)
      expect(open.size).toBe(0)
    },
  )

  it('under several questions at once is opened anew, and none of its successors is left open', async () => {
    const { all, open } = watchConnections()
    const cache = new IndexedDbCache({ name: freshName() })
    await cache.add([digestOf(1)])
    for (const database of all) database.close()
    const answers = await Promise.all(
      range(5).map(async (number) => await cache.has([digestOf(number), digestOf(1)])),
    )
    expect(answers).toEqual(range(5).map((number) => [number === 1, true]))
    // What some browsers say when it is long over.
    if (inBrowser) all[0]!.dispatchEvent(new Event('close'))
    expect(await cache.has([digestOf(1)])).toEqual([true])
    await cache.close()
    expect(open.size).toBe(0)
  })
})

describe('the way of a light client', () => {
  /** What a session asks for, and how often its storage failed. It begins at the checkpoint, as the protocol would have it. */
  async function session(
    store: IndexedDbStorage,
  ): Promise<{ readonly asked: number; readonly storeFailures: number }> {
    const { fetch, checkpoint } = await capella()
    let asked = 0
    const client = await LightClient.fromCheckpoint({
      ...{ checkpoint, now, store, worker: false },
      beacon: 'http://recorded.example',
      fetch: async (address, init) => (asked++, await fetch(address, init)),
    })
    expect(client.finalized).toMatchObject({ root: checkpoint, links: { checkpoint: 'verified' } })
    // It waits for what is written.
    await client.dispose()
    return { asked, storeFailures: client.report().storeFailures }
  }

  const fails = (method: 'get' | 'put', how: (store: IDBObjectStore) => void): void => {
    const ask = IDBObjectStore.prototype[method]
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...given: unknown[]
    ) {
      const request: unknown = Reflect.apply(ask, this, given)
      how(this)
      return request
    } as never)
  }
  const refuse = (error: string) => (): never => {
    throw new DOMException('on purpose', error)
  }
  const cut = ({ transaction }: IDBObjectStore): void => {
    transaction.abort()
    transaction.db.close()
  }

  it.each<[string, () => void]>([
    [
      'refused',
      () => void vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(refuse('SecurityError')),
    ],
    ['full', () => fails('put', refuse('QuotaExceededError'))],
    ['full when it comes to the end', () => fails('put', ({ transaction }) => transaction.abort())],
    ['cut while it is read', () => fails('get', cut)],
    ['cut while it is written', () => fails('put', cut)],
  ])('is fetched where its database is %s, which is counted', async (_, harm) => {
    const store = new IndexedDbStorage({ name: freshName() })
    harm()
    const { asked, storeFailures } = await session(store)
    expect(asked).toBe(1)
    expect(storeFailures).toBeGreaterThan(0)
  })

  it('is fetched beside a newer version of the package, which is left alone', async () => {
    const name = freshName()
    const newer = await openElsewhere(name, 2)
    const { asked, storeFailures } = await session(new IndexedDbStorage({ name }))
    expect(asked).toBe(1)
    expect(storeFailures).toBeGreaterThan(0)
    expect([newer.version, newer.objectStoreNames.length]).toEqual([2, 0])
  })

  it('is fetched where what was kept is damaged, or of another version, and then kept again', async () => {
    const name = freshName()
    const store = new IndexedDbStorage({ name })
    await session(store)
    const within = async <T>(work: (records: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
      const database = await answerOf(indexedDB.open(name))
      try {
        return await answerOf(work(database.transaction('records', 'readwrite').objectStore('records')))
      } finally {
        database.close()
      }
    }
    const [key] = await within((records) => records.getAllKeys())
    const good = (await store.get(key as string))!
    const version = 4
    for (const bad of [
      flip(good, version).buffer,
      good.slice(0, -9).buffer,
      new ArrayBuffer(0),
      'a record',
    ]) {
      await within((records) => records.put(bad, key))
      const { asked, storeFailures } = await session(store)
      expect(asked).toBe(1)
      expect(storeFailures).toBe(0)
      expect((await store.get(key as string))!.length).toBe(good.length)
    }
  })

  it('of two tabs at once is one that the next session can go', async () => {
    const name = freshName()
    const store = (): IndexedDbStorage => new IndexedDbStorage({ name })
    const { open } = watchConnections()
    const both = await Promise.all([session(store()), session(store())])
    expect(both.map(({ storeFailures }) => storeFailures)).toEqual([0, 0])
    expect((await session(store())).asked).toBe(0)
    expect(open.size).toBe(0)
  })
})

it('a database whose deletion another tab holds up is waited for no longer than it is worth', async () => {
  const name = freshName()
  const stubborn = await answerOf(indexedDB.open(name))
  const deletion = answerOf(indexedDB.deleteDatabase(name))
  try {
    const verifier = await openTab(name)
    await expectAllWell(verifier, 80)
    await turn()
    await verifier.dispose()
    expect(verifier.stats().cacheFailures).toBeGreaterThan(0)
  } finally {
    stubborn.close()
    await deletion
  }
})
