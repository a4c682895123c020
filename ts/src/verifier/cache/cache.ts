/**
 * The cache of verdicts: digests of units that were found valid, and nothing else. A digest is SHA-256 over the format
 * version, the setup's id and every byte that was verified, so that an entry can vouch for no other bytes.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from '../../vendor/idb.ts'

/**
 * What a cache must do to serve as the option `cache` of `createVerifier`. It may forget at any time, and must never claim a digest that
 * it was not given. One that throws, answers nonsense or does not answer within a second costs verifications, and no verdict.
 */
export interface VerdictCache {
  /** For each digest (64 hex digits without prefix), in order, whether it is stored. */
  has(digests: readonly string[]): Promise<boolean[]>
  /** Stores digests of what was found valid. No verdict waits for it. */
  add(digests: readonly string[]): Promise<void>
  /** Forgets everything. */
  clear(): Promise<void>
  /** Lets go of connections; what is stored stays. The verifier calls it when it is disposed of. */
  close?(): Promise<void>
}

/**
 * A bounded cache in memory, of which the oldest entries go first. Every verifier has one of its own in front of its `cache`; hand one in
 * to share it between verifiers.
 *
 * @example
 * ```ts
 * import { createVerifier, MemoryCache } from 'blobcheck'
 *
 * const cache = new MemoryCache(10_000)
 * const verifier = await createVerifier({ cache })
 * const [verdict] = await verifier.verifyBlobs([{ blob, commitment, proof }])
 * if (verdict?.status === 'valid') {
 *   const digest = '00'.repeat(32)
 *   await cache.add([digest]) // as a verifier does with what it found valid
 *   console.log((await cache.has([digest]))[0]) // true
 * }
 * await cache.clear()
 * await verifier.dispose()
 * ```
 */
export class MemoryCache implements VerdictCache {
  readonly #capacity: number
  /** In order of insertion, as sets are. */
  readonly #digests = new Set<string>()

  /** Makes a cache of `capacity` entries, some 150 bytes each. Throws `TypeError` for what is no integer of at least 1. */
  constructor(capacity = 65_536) {
    this.#capacity = readCapacity(capacity)
  }

  /** For each digest (64 hex digits), in order, whether it is stored. */
  async has(digests: readonly string[]): Promise<boolean[]> {
    return digests.map((digest) => this.#digests.has(digest))
  }

  /** Stores digests, and forgets the oldest beyond the capacity. */
  async add(digests: readonly string[]): Promise<void> {
    for (const digest of digests) {
      this.#digests.delete(digest)
      this.#digests.add(digest)
      if (this.#digests.size > this.#capacity) {
        const oldest = this.#digests.values().next()
        if (!oldest.done) this.#digests.delete(oldest.value)
      }
    }
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    this.#digests.clear()
  }
}

interface Schema extends DBSchema {
  /** Digest → when it was added, in milliseconds of Unix time. */
  valid: { key: ArrayBuffer; value: { digest: ArrayBuffer; addedAt: number }; indexes: { addedAt: number } }
}

type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, ['valid'], Mode>

/**
 * A bounded cache in IndexedDB, of which the oldest entries go first, and before them those that were added while the clock was ahead.
 * Digests alone are stored, 32 bytes each, and never data. Every script of the same origin can write to it: see `trustCache` in
 * `VerifierOptions`.
 *
 * @example
 * ```ts
 * import { createVerifier, IndexedDbCache } from 'blobcheck'
 *
 * const cache = new IndexedDbCache({ name: 'blobs-of-my-app', capacity: 10_000 })
 * const verifier = await createVerifier({ cache })
 * await verifier.dispose() // closes the cache, too
 *
 * export async function forgetEverything(): Promise<void> {
 *   const digest = '00'.repeat(32)
 *   await cache.add([digest]) // as a verifier does with what it found valid
 *   console.log(await cache.has([digest])) // [true]
 *   await cache.clear()
 *   await cache.close()
 * }
 * ```
 */
export class IndexedDbCache implements VerdictCache {
  readonly #capacity: number
  readonly #name: string
  #database: Promise<IDBPDatabase<Schema>> | undefined
  readonly #underWay = new Set<Promise<unknown>>()
  /** Entries added since the last look at the size. Short sessions add few each: the first look is at the first entry. */
  #sinceTrim = Number.POSITIVE_INFINITY

  /**
   * Makes a cache in the database `name`, which is opened on first use. `capacity` is the number of entries that are kept, to within a
   * sixteenth. Throws `TypeError` for a capacity that is no integer of at least 1.
   */
  constructor({ name = 'blobcheck', capacity = 262_144 }: { name?: string; capacity?: number } = {}) {
    this.#name = name
    this.#capacity = readCapacity(capacity)
  }

  /** For each digest (64 hex digits), in order, whether it is stored. Rejects with the database's error. */
  async has(digests: readonly string[]): Promise<boolean[]> {
    // Async: one that throws at once must not leave those before it without a listener.
    const keys = await this.#within('readonly', ({ store }) =>
      Promise.all(digests.map(async (digest) => await store.getKey(keyOf(digest)))),
    )
    return keys.map((key) => key !== undefined)
  }

  /** Stores digests, and now and then forgets the oldest beyond the capacity. Rejects with the database's error. */
  async add(digests: readonly string[]): Promise<void> {
    const addedAt = Date.now()
    await this.#within('readwrite', ({ store, done }) =>
      Promise.all([
        ...digests.map(async (digest) => await store.put({ digest: keyOf(digest), addedAt })),
        done,
      ]),
    )
    this.#sinceTrim += digests.length
    if (this.#sinceTrim * 16 >= this.#capacity) await this.#trim()
  }

  /** Forgets everything, for every page of the origin. Rejects with the database's error. */
  async clear(): Promise<void> {
    await this.#within('readwrite', ({ store }) => store.clear())
  }

  /** Closes the database. What was begun is finished first: a page that closes a moment later keeps what it verified. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#underWay])
    const database = this.#database
    this.#database = undefined
    ;(await database)?.close()
  }

  async #trim(): Promise<void> {
    this.#sinceTrim = 0
    await this.#within('readwrite', async ({ store, done }) => {
      let surplus = (await store.count()) - this.#capacity
      // What was added while the clock was ahead would else be the newest for good, and what is added now would go.
      for (const range of [IDBKeyRange.lowerBound(Date.now(), true), null]) {
        let oldest = surplus > 0 ? await store.index('addedAt').openCursor(range) : null
        for (; oldest !== null && surplus > 0; surplus--) {
          await oldest.delete()
          oldest = await oldest.continue()
        }
      }
      await done
    })
  }

  /** Runs a transaction, known to `close` until it is over. */
  async #within<Mode extends 'readonly' | 'readwrite', T>(
    mode: Mode,
    work: (transaction: Transaction<Mode>) => Promise<T>,
  ): Promise<T> {
    const run = this.#run(mode, work)
    this.#underWay.add(run)
    try {
      return await run
    } finally {
      this.#underWay.delete(run)
    }
  }

  /** Not every browser sends an event when it has cut a connection; then the next transaction shows it. */
  async #run<Mode extends 'readonly' | 'readwrite', T>(
    mode: Mode,
    work: (transaction: Transaction<Mode>) => Promise<T>,
  ): Promise<T> {
    const begin = async (opening = this.#open()): Promise<Transaction<Mode>> =>
      (await opening).transaction('valid', mode, { durability: 'relaxed' })
    const opening = this.#open()
    const transaction = await begin(opening).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
      this.#forget(opening)
      return begin()
    })
    // Whoever waits for it hears of a failure; where a request failed first, nobody does.
    transaction.done.catch(() => {})
    return await work(transaction)
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    if (this.#database !== undefined) return this.#database
    // A connection that the browser cut (Safari does, in the background) is opened anew at the next use.
    const forget = (): void => this.#forget(opening)
    const opening = openDB<Schema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore('valid', { keyPath: 'digest' }).createIndex('addedAt', 'addedAt')
      },
      blocking: (_current, _blocked, event) => {
        ;(event.target as IDBDatabase).close()
        forget()
      },
      terminated: forget,
    })
    opening.catch(forget)
    return (this.#database = opening)
  }

  /** Not the one that has taken its place by now, which nobody would close. */
  #forget(opening: Promise<IDBPDatabase<Schema>>): void {
    if (this.#database === opening) this.#database = undefined
  }
}

function readCapacity(capacity: number): number {
  if (!Number.isInteger(capacity) || capacity < 1)
    throw new TypeError('a cache needs a capacity of at least 1')
  return capacity
}

function keyOf(digest: string): ArrayBuffer {
  const key = new Uint8Array(digest.length / 2)
  for (let at = 0; at < key.length; at++) key[at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16)
  return key.buffer
}
