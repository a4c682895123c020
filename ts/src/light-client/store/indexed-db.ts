/** Storage in IndexedDB. */
import { inObjectStore } from '../../runtime/platform/object-store.ts'
import { isArrayBuffer } from '../../util/bytes.ts'
import { copyOf, type LightClientStorage } from './storage.ts'

const STORE = 'records'

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
    const value: unknown = await inObjectStore(this.#name, STORE, 'readonly', (records) => records.get(key))
    return isArrayBuffer(value) ? new Uint8Array(value) : null
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    // A buffer of its own: WebKit keeps ArrayBuffers, and a view may be on a larger one.
    const { buffer } = copyOf(value)
    await inObjectStore(this.#name, STORE, 'readwrite', (records) => records.put(buffer, key))
  }

  async delete(key: string): Promise<void> {
    await inObjectStore(this.#name, STORE, 'readwrite', (records) => records.delete(key))
  }
}
