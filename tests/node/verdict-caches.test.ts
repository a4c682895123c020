/** Where it is kept what is valid: what is remembered, what is forgotten, and databases that are closed, cut, taken away or not to be had. */
import 'fake-indexeddb/auto'
import { IndexedDbCache, MemoryCache } from 'blobcheck'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromHex } from '../support/bytes.ts'
import { collectGarbage } from '../support/garbage.ts'
import { answerOf } from '../support/indexed-db.ts'
import { range } from '../support/make.ts'

const digestOf = (number: number): string => number.toString(16).padStart(64, '0')
const digests = (count: number, from = 0): string[] => range(count).map((at) => digestOf(from + at))

describe('memory', () => {
  it('has room for 65,536 entries, and then forgets the oldest', async () => {
    const cache = new MemoryCache()
    const all = digests(65_537)
    await cache.add(all.slice(0, -1))
    expect(await cache.has([all[0]!])).toEqual([true])
    await cache.add(all.slice(-1))
    expect(await cache.has([all[0]!, all[1]!, all.at(-1)!])).toEqual([false, true, true])
  })

  it('has room for as many as it is told, where that is one or more', async () => {
    const cache = new MemoryCache(1)
    await cache.add(digests(2))
    expect(await cache.has(digests(2))).toEqual([false, true])
    await cache.clear()
    expect(await cache.has(digests(2))).toEqual([false, false])
    for (const capacity of [0, -1, 1.5, Number.NaN, Infinity, '1', null])
      expect(() => new MemoryCache(capacity as number)).toThrow(
        new TypeError('a cache needs a capacity of at least 1'),
      )
  })

  it('takes what is added once more for new', async () => {
    const cache = new MemoryCache(2)
    for (const number of [0, 1, 0, 2]) await cache.add([digestOf(number)])
    expect(await cache.has(digests(3))).toEqual([true, false, true])
  })
})

describe('IndexedDB', () => {
  /** What happens to connections, which are numbered as they are opened. */
  let told: readonly string[]
  let name: string
  let caches: IndexedDbCache[]
  /** Why the next transactions cannot be begun. */
  let refusals: Error[]
  const make = (capacity?: number): IndexedDbCache => {
    const cache = new IndexedDbCache({ name, ...(capacity !== undefined && { capacity }) })
    caches.push(cache)
    return cache
  }

  beforeEach(() => {
    name = `verdicts ${Math.random()}`
    const events: string[] = []
    told = events
    caches = []
    refusals = []
    const connections: IDBDatabase[] = []
    /** Not of one that is still being made. */
    const tell = (what: string, connection: IDBDatabase): void => {
      if (connections.includes(connection)) events.push(`${what} ${connections.indexOf(connection)}`)
    }
    const { open } = IDBFactory.prototype
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...given) {
      const request = open.apply(this, given)
      request.addEventListener('success', () => {
        connections.push(request.result)
        tell('open', request.result)
      })
      return request
    })
    const { transaction, close } = IDBDatabase.prototype
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      tell('begin', this)
      const begun = transaction.apply(this, given)
      begun.addEventListener('complete', () => tell('end', this))
      return begun
    })
    vi.spyOn(IDBDatabase.prototype, 'close').mockImplementation(function (this: IDBDatabase) {
      tell('close', this)
      close.call(this)
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const cache of caches) await cache.close()
  })

  /** What another script of the origin does with the database. */
  async function elsewhere<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await answerOf(indexedDB.open(name))
    try {
      return await answerOf(act(database.transaction('valid', 'readwrite').objectStore('valid')))
    } finally {
      database.close()
    }
  }
  const keysKept = async (): Promise<string[]> => {
    const keys = await elsewhere((store) => store.getAllKeys())
    return keys.map((key) => Buffer.from(key as ArrayBuffer).toString('hex'))
  }
  /** How often the cache looked at its size. */
  const looks = () => vi.spyOn(IDBObjectStore.prototype, 'count')

  it('keeps the bytes of digests, and nothing else but when they came', async () => {
    const digest = fromHex('a7ff1001007f80'.padEnd(64, '5'))
    await make().add([Buffer.from(digest).toString('hex')])
    const [entry] = await elsewhere((store) => store.getAll())
    expect(Object.keys(entry as object).sort()).toEqual(['addedAt', 'digest'])
    expect(new Uint8Array((entry as { digest: ArrayBuffer }).digest)).toEqual(digest)
    expect(await make().has([digestOf(1), Buffer.from(digest).toString('hex')])).toEqual([false, true])
  })

  it('is of the version that all versions of the package so far have', async () => {
    await make().add(digests(1))
    const database = await answerOf(indexedDB.open(name))
    expect(database.version).toBe(1)
    database.close()
  })

  it.each([
    [32, [1, 3, 5, 7]],
    [33, [1, 4, 7]],
  ])(
    'of %i entries is counted with the first one, and when a sixteenth has come',
    async (capacity, expected) => {
      const cache = make(capacity)
      const counted = looks()
      const when: number[] = []
      for (const number of range(8)) {
        counted.mockClear()
        await cache.add([digestOf(number)])
        if (counted.mock.calls.length > 0) when.push(number + 1)
      }
      expect(when).toEqual(expected)
    },
  )

  it('forgets as many of the oldest as are too many', async () => {
    let time = 0
    vi.spyOn(Date, 'now').mockImplementation(() => ++time)
    const cache = make(3)
    // The order of time is not that of digests.
    for (const number of [5, 1, 4]) await cache.add([digestOf(number)])
    expect(await keysKept()).toEqual([1, 4, 5].map(digestOf))
    await cache.add([digestOf(2)])
    expect(await keysKept()).toEqual([1, 2, 4].map(digestOf))
    await cache.add([3, 0].map(digestOf))
    expect(await keysKept()).toEqual([0, 2, 3].map(digestOf))
  })

  it('forgets first what was added while the clock was ahead', async () => {
    let time = 1_000
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    const cache = make(4)
    await cache.add(digests(1))
    time = 9_000
    await cache.add(digests(3, 1))
    time = 1_001
    await cache.add(digests(2, 4))
    expect(await keysKept()).toEqual([0, 3, 4, 5].map(digestOf))
    await cache.add(digests(2, 6))
    expect(await keysKept()).toEqual([4, 5, 6, 7].map(digestOf))
    // And of what is no more in the future, the oldest.
    time = 10_000
    await cache.add(digests(1, 8))
    expect(await keysKept()).toEqual([5, 6, 7, 8].map(digestOf))
  })

  it('keeps 262,144 entries where it is not told how many', async () => {
    const cache = make()
    await cache.add([digestOf(0)])
    const { count } = IDBObjectStore.prototype
    for (const [entries, isKept] of [
      [262_144, true],
      [262_145, false],
    ] as const) {
      looks().mockImplementation(function (this: IDBObjectStore) {
        return Object.defineProperty(count.call(this), 'result', { get: () => entries, set: () => {} })
      })
      await make().add([digestOf(0)])
      expect((await keysKept()).includes(digestOf(0))).toBe(isKept)
    }
  })

  it('gets over entries that are not of its own making, which have no time', async () => {
    const cache = make(1)
    await cache.add(digests(1))
    for (const number of range(3)) {
      const digest = fromHex(digestOf(100 + number)).buffer
      await elsewhere((store) => store.put({ digest }))
    }
    await cache.add(digests(1, 1))
    expect(await keysKept()).toEqual(digests(3, 100))
  })

  it('says so where what is too much could not be deleted', async () => {
    const cache = make(1)
    const { count } = IDBObjectStore.prototype
    looks().mockImplementation(function (this: IDBObjectStore) {
      const request = count.call(this)
      request.addEventListener('success', () => this.transaction.abort())
      return request
    })
    await expect(cache.add(digests(1))).rejects.toThrow()
    expect(await cache.has(digests(1))).toEqual([true])
  })

  it('is closed when what was begun is over, and opened anew by who needs it then', async () => {
    const cache = make()
    await cache.add(digests(1))
    const before = told.length
    const added = cache.add(digests(1, 1))
    await cache.close()
    expect(told.slice(before)).toEqual(['begin 0', 'end 0', 'close 0'])
    await added
    await cache.close()
    expect(await cache.has(digests(2))).toEqual([true, true])
    expect(told.slice(before + 3, before + 5)).toEqual(['open 1', 'begin 1'])
  })

  it('holds on to nothing that it has answered', async () => {
    const cache = make()
    await cache.add(digests(1))
    const answers: WeakRef<object>[] = []
    const { getKey } = IDBObjectStore.prototype
    vi.spyOn(IDBObjectStore.prototype, 'getKey').mockImplementation(function (
      this: IDBObjectStore,
      ...given
    ) {
      const request = getKey.apply(this, given)
      request.addEventListener('success', () => answers.push(new WeakRef(request.result as object)))
      return request
    })
    for (let times = 0; times < 5; times++) await cache.has(digests(1))
    // They know all that they were asked.
    vi.clearAllMocks()
    await collectGarbage()
    expect(answers.map((answer) => answer.deref())).toEqual(Array(5).fill(undefined))
  })

  it('gives way to who deletes it, and is not asked again', async () => {
    const cache = make()
    await cache.add(digests(1))
    await answerOf(indexedDB.deleteDatabase(name))
    const before = told.length
    expect(told.at(-1)).toBe('close 0')
    expect(await cache.has(digests(1))).toEqual([false])
    expect(told.slice(before, before + 2)).toEqual(['open 1', 'begin 1'])
  })

  const cut = (): Error => new DOMException('the connection is closing', 'InvalidStateError')

  it('that the browser has cut is opened anew, once', async () => {
    const cache = make()
    await cache.add(digests(1))
    refusals = [cut()]
    expect(await cache.has(digests(1))).toEqual([true])
    refusals = [cut(), cut()]
    await expect(cache.has(digests(1))).rejects.toThrow('the connection is closing')
  })

  it.each([
    ['a DOMException', new DOMException('no such thing', 'NotFoundError')],
    ['another error', new Error('no such thing')],
    ['one by the name of another', Object.assign(new Error('no such thing'), { name: 'InvalidStateError' })],
  ])('that refuses for %s is not asked once more', async (_, refusal) => {
    const cache = make()
    await cache.add(digests(1))
    refusals = [refusal]
    const before = told.length
    await expect(cache.has(digests(1))).rejects.toBe(refusal)
    expect(told.slice(before)).toEqual([])
    expect(await cache.has(digests(1))).toEqual([true])
  })

  it('that is not to be had is asked for again next time', async () => {
    const newer = await answerOf(indexedDB.open(name, 2))
    newer.close()
    const cache = make()
    for (let times = 0; times < 2; times++) await expect(cache.has(digests(1))).rejects.toThrow()
    await answerOf(indexedDB.deleteDatabase(name))
    expect(await cache.has(digests(1))).toEqual([false])
  })
})
