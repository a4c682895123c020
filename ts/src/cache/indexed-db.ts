/** A bounded cache in IndexedDB; the oldest entries go first. Digests alone are stored, 32 bytes each, never data. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { VerdictCache } from './cache.ts'

interface Schema extends DBSchema {
  /** Digest → when it was added, in milliseconds of Unix time. */
  valid: { key: ArrayBuffer; value: { digest: ArrayBuffer; addedAt: number }; indexes: { addedAt: number } }
}

export class IndexedDbCache implements VerdictCache {
  readonly #capacity: number
  readonly #name: string
  #database: Promise<IDBPDatabase<Schema>> | undefined
  #sinceTrim = 0

  /** `capacity`: entries, kept to within a sixteenth. Opens on first use. */
  constructor({ name = 'blobcheck', capacity = 262_144 }: { name?: string; capacity?: number } = {}) {
    this.#name = name
    this.#capacity = capacity
  }

  async has(digests: readonly string[]): Promise<boolean[]> {
    const store = (await this.#open()).transaction('valid').store
    const counts = await Promise.all(digests.map((digest) => store.count(keyOf(digest))))
    return counts.map((count) => count > 0)
  }

  async add(digests: readonly string[]): Promise<void> {
    const database = await this.#open()
    const transaction = database.transaction('valid', 'readwrite', { durability: 'relaxed' })
    const addedAt = Date.now()
    await Promise.all([
      ...digests.map((digest) => transaction.store.put({ digest: keyOf(digest), addedAt })),
      transaction.done,
    ])
    this.#sinceTrim += digests.length
    if (this.#sinceTrim * 16 >= this.#capacity) await this.#trim(database)
  }

  async clear(): Promise<void> {
    await (await this.#open()).clear('valid')
  }

  async close(): Promise<void> {
    const database = this.#database
    this.#database = undefined
    ;(await database)?.close()
  }

  async #trim(database: IDBPDatabase<Schema>): Promise<void> {
    this.#sinceTrim = 0
    const transaction = database.transaction('valid', 'readwrite')
    let surplus = (await transaction.store.count()) - this.#capacity
    let oldest = surplus > 0 ? await transaction.store.index('addedAt').openCursor() : null
    for (; oldest !== null && surplus > 0; surplus--) {
      await oldest.delete()
      oldest = await oldest.continue()
    }
    await transaction.done
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    // A connection that the browser cut (Safari does, in the background) is opened anew at the next use.
    const reopen = (): void => void (this.#database = undefined)
    this.#database ??= openDB<Schema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore('valid', { keyPath: 'digest' }).createIndex('addedAt', 'addedAt')
      },
      blocking: (_current, _blocked, event) => {
        ;(event.target as IDBDatabase).close()
        reopen()
      },
      terminated: reopen,
    })
    this.#database.catch(reopen)
    return this.#database
  }
}

function keyOf(digest: string): ArrayBuffer {
  const key = new Uint8Array(digest.length / 2)
  for (let at = 0; at < key.length; at++) key[at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16)
  return key.buffer
}
