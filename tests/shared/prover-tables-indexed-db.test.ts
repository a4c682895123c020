/** Tables that are kept in IndexedDB, by the workers themselves: what is in it, and how it may fail. */
import { DisposedError, loadProver, type Warning } from 'blobcheck/prover'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { flip } from '../support/bytes.ts'
import { inBrowser } from '../support/files.ts'
import { answerOf } from '../support/indexed-db.ts'
import { range } from '../support/make.ts'
import { blobs } from '../support/prover-blobs.ts'
import { disposeAll, openProver } from '../support/provers.ts'
import { CountingStore, displaceTables, keyOf } from '../support/table-stores.ts'

// @ts-expect-error It comes without types; it has no exports either.
if (!inBrowser) await import('fake-indexeddb/auto')

const DATABASE = 'blobcheck-prover'
const shape = { rows: 1, width: 4 } as const
const expected = (await loadProver()).computeCellsAndKzgProofs(blobs.noise)
const all = (origin: string): string[] => range(16).map(() => origin)

const forget = (): Promise<unknown> => answerOf(indexedDB.deleteDatabase(DATABASE))
beforeEach(forget)
afterEach(async () => {
  await disposeAll()
  await forget()
})

/** The tables as a prover kept them, worked out once for all cases. */
const whole = new CountingStore()
beforeAll(async () => {
  await displaceTables()
  await (await openProver({ workers: 1, precompute: { ...shape, keep: whole } })).prepare()
  await disposeAll()
})

/** IndexedDB as a prover leaves it that worked its tables out. The first case holds the two against each other. */
async function fill(): Promise<void> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('parts'))
  const database = await answerOf(opening)
  const transaction = database.transaction('parts', 'readwrite')
  for (const [key, value] of whole.values) transaction.objectStore('parts').put(value.slice().buffer, key)
  await new Promise((resolve) => transaction.addEventListener('complete', resolve))
  database.close()
}

/** Something done to what is kept, from outside. */
async function within<T>(work: (parts: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await answerOf(indexedDB.open(DATABASE))
  try {
    return await answerOf(work(database.transaction('parts', 'readwrite').objectStore('parts')))
  } finally {
    database.close()
  }
}

/** What the provers of a test said to `onWarning`. */
const warnings: string[] = []
const onWarning = ({ code, message }: Warning): void => void warnings.push(`${code}: ${message}`)
afterEach(() => void warnings.splice(0))

/** Where the tables come from of a prover that keeps them, with no tables to begin with. */
async function prepare(workers: number): Promise<unknown> {
  await displaceTables()
  const prover = await openProver({ workers, precompute: { ...shape, keep: true }, onWarning })
  await prover.prepare()
  await prover.dispose()
  return prover.tables
}

/** Where they come from once that prover has proved something: what it proves is right. */
async function prove(workers: number): Promise<unknown> {
  await displaceTables()
  const prover = await openProver({ workers, precompute: { ...shape, keep: true }, onWarning })
  expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
  await prover.dispose()
  return prover.tables
}

// In Node what stands for IndexedDB is the calling thread's.
describe.each(inBrowser ? [0, 2] : [0])('IndexedDB, %i workers', (workers) => {
  it('has the tables after the first time, and the second one reads them', async () => {
    expect(await prove(workers)).toEqual({ parts: all('worked-out'), failures: 0 })
    expect((await within((parts) => parts.getAllKeys())).sort()).toEqual(range(16).map(keyOf).sort())
    for (const [key, value] of whole.values)
      expect(await within((parts) => parts.get(key))).toEqual(value.slice().buffer)
    expect(await prove(workers)).toEqual({ parts: all('kept'), failures: 0 })
    expect(warnings).toEqual([])
  })

  it('with something else in it: that part is worked out, and replaced', async () => {
    await fill()
    const good = new Uint8Array((await within((parts) => parts.get(keyOf(7)))) as ArrayBuffer)
    for (const bad of [flip(good, 99).buffer, good.buffer.slice(1), 'a table', flip(good, 0)]) {
      await within((parts) => parts.put(bad, keyOf(7)))
      const origins = range(16).map((part) => (part === 7 ? 'worked-out' : 'kept'))
      expect(await prepare(workers)).toEqual({ parts: origins, failures: 0 })
      expect(new Uint8Array((await within((parts) => parts.get(keyOf(7)))) as ArrayBuffer)).toEqual(good)
    }
  })

  it('of a later version is left alone', async () => {
    ;(await answerOf(indexedDB.open(DATABASE, 2))).close()
    const { failures, parts } = (await prepare(workers)) as { failures: number; parts: string[] }
    expect(parts).toEqual(all('worked-out'))
    // One of each thread, of which the first is told.
    expect(failures).toBe(Math.max(workers, 1))
    expect(warnings).toEqual([expect.stringMatching(/^tables-not-kept: .*: .*version.*; what it/)])
  })

  it('that does not open, since another page holds up its deletion', async () => {
    const held = await answerOf(indexedDB.open(DATABASE))
    const deletion = answerOf(indexedDB.deleteDatabase(DATABASE))
    try {
      expect(await prepare(workers)).toEqual({ parts: all('worked-out'), failures: Math.max(workers, 1) })
      expect(warnings).toEqual([expect.stringContaining('failed: it does not answer; ')])
    } finally {
      held.close()
      await deletion
    }
  })

  it('is not used by those who keep nothing', async () => {
    await displaceTables()
    const prover = await openProver({ workers, precompute: shape })
    await prover.prepare()
    const database = await answerOf(indexedDB.open(DATABASE))
    expect(database.objectStoreNames).toHaveLength(0)
    database.close()
  })

  it('a prover disposed of in the middle leaves whole parts behind', async () => {
    await displaceTables()
    const first = await openProver({ workers, precompute: { ...shape, keep: true } })
    await expect(
      first.prepare({ onProgress: ({ done }) => done === 3 && void first.dispose() }),
    ).rejects.toThrow(DisposedError)
    const { failures, parts } = (await prepare(workers)) as { failures: number; parts: string[] }
    expect(failures).toBe(0)
    expect(parts.filter((origin) => origin === 'kept').length).toBeGreaterThanOrEqual(3)
    expect(await prepare(workers)).toEqual({ parts: all('kept'), failures: 0 })
  })
})

describe('IndexedDB that fails the calling thread', () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
  const restore = (): void => {
    vi.restoreAllMocks()
    if (original === undefined) Reflect.deleteProperty(globalThis, 'indexedDB')
    else Object.defineProperty(globalThis, 'indexedDB', original)
  }
  afterEach(restore)
  const replace = (descriptor: PropertyDescriptor): void =>
    void Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...descriptor })
  const denied = (): never => {
    throw new DOMException('denied', 'SecurityError')
  }

  it.each<[string, number, PropertyDescriptor]>([
    ['not there at all', 0, { value: undefined }],
    ['whose very property may not be read (sandboxed frames)', 0, { get: denied }],
    ['whose open throws (private mode)', 1, { value: { open: denied } }],
  ])('%s', async (_name, failures, descriptor) => {
    replace(descriptor)
    const report = await prepare(0)
    restore()
    expect(report).toEqual({ parts: all('worked-out'), failures })
    // Without IndexedDB nothing is kept, as the option says.
    expect(warnings).toEqual(Array(failures).fill(expect.stringContaining(': denied; ')))
  })

  it('that is full', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(await prove(0)).toEqual({ parts: all('worked-out'), failures: 1 })
    expect(warnings).toEqual([expect.stringContaining(': full; ')])
  })

  it('whose connection is closed under us', async () => {
    await fill()
    const { transaction } = IDBDatabase.prototype
    let count = 0
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      if (count++ === 4) this.close()
      return transaction.apply(this, given)
    })
    const origins = range(16).map((part) => (part < 4 ? 'kept' : 'worked-out'))
    expect(await prepare(0)).toEqual({ parts: origins, failures: 1 })
    expect(warnings).toHaveLength(1)
  })

  it('whose transactions are aborted by a damaged store', async () => {
    const { get } = IDBObjectStore.prototype
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, ...given) {
      const request = get.apply(this, given)
      this.transaction.abort()
      return request
    })
    // A rejection that nobody handles fails the run.
    expect(await prepare(0)).toEqual({ parts: all('worked-out'), failures: 1 })
  })

  it('nothing is kept where nothing can be hashed (insecure contexts)', async () => {
    await fill()
    vi.spyOn(globalThis, 'crypto', 'get').mockReturnValue({} as Crypto)
    const report = await prepare(0)
    restore()
    expect(report).toEqual({ parts: all('worked-out'), failures: 0 })
  })
})

if (!inBrowser) {
  it('Node’s workers have none, and work the tables out', async () => {
    expect(await prepare(1)).toEqual({ parts: all('worked-out'), failures: 0 })
    expect(await prepare(1)).toEqual({ parts: all('worked-out'), failures: 0 })
  })
}
