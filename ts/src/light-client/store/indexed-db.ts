/** Storage in IndexedDB. Every access opens and closes: there are few, and an idle connection is one that can be cut. */
import { type DBSchema, type IDBPDatabase, openDB } from '../../vendor/idb.ts'
import { copyOf, type LightClientStorage } from './storage.ts'

interface Schema extends DBSchema {
  records: { key: string; value: ArrayBuffer }
}

/**
 * A storage in IndexedDB. Other scripts of the same origin can write to it, so that what comes out of it is verified again from the checkpoint,
 * unless `trustCache` is set. Methods reject with the `DOMException` of IndexedDB.
 *
 * @example
 * ```ts
 * import { IndexedDbStorage } from 'blobcheck/light-client'
 *
 * export async function roundTrip(): Promise<Uint8Array | null> {
 *   const storage = new IndexedDbStorage({ name: 'my-app' }) // for the option `store` of LightClient.fromCheckpoint
 *   await storage.set('any-key', new Uint8Array([1, 2, 3]))
 *   const value = await storage.get('any-key')
 *   await storage.delete('any-key')
 *   return value
 * }
 * ```
 */
export class IndexedDbStorage implements LightClientStorage {
  readonly #name: string

  /** `name` is that of the database; default `blobcheck-light-client`. Nothing is opened before the first access. */
  constructor({ name = 'blobcheck-light-client' }: { readonly name?: string } = {}) {
    this.#name = name
  }

  async get(key: string): Promise<Uint8Array | null> {
    const value = await this.#within((database) => database.get('records', key))
    return value instanceof ArrayBuffer ? new Uint8Array(value) : null
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    // A buffer of its own: WebKit keeps ArrayBuffers, and a view may be on a larger one.
    const { buffer } = copyOf(value)
    await this.#within((database) => database.put('records', buffer, key))
  }

  async delete(key: string): Promise<void> {
    await this.#within((database) => database.delete('records', key))
  }

  async #within<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    const database = await openDB<Schema>(this.#name, 1, {
      upgrade: (fresh) => void fresh.createObjectStore('records'),
    })
    try {
      return await work(database)
    } finally {
      database.close()
    }
  }
}
