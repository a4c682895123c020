/** Where a light client keeps what it has verified, from one session to the next. */
import { isBytes } from '../../util/bytes.ts'
import type { ByteArray } from '../../util/platform-types.ts'

/**
 * A storage of byte strings by key, which you can implement yourself. Keys consist of digits, small letters and hyphens; values have 16 MiB at
 * most. It may forget anything at any time. What it returns is verified again from the checkpoint, unless `trustCache` is set. What it
 * throws costs a download at the next start and ends no call; it is counted in `LightClientReport.storeFailures`.
 */
export interface LightClientStorage {
  /** Resolves to the value of a key, or to null where there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** Replaces the value in one step: a reader sees all of the old one or all of the new one. */
  set(key: string, value: Uint8Array): Promise<void>
  /** Removes a value; resolves also where there is none. */
  delete(key: string): Promise<void>
}

/**
 * A storage in memory, which ends with the object. Values are copied when they are stored and when they are read.
 *
 * @example
 * ```ts
 * import { MemoryStorage } from 'blobcheck/light-client'
 *
 * const storage = new MemoryStorage() // for the option `store` of LightClient.fromCheckpoint
 * await storage.set('any-key', new Uint8Array([1, 2, 3]))
 * console.log((await storage.get('any-key'))?.length) // 3
 * await storage.delete('any-key')
 * ```
 */
export class MemoryStorage implements LightClientStorage {
  readonly #values = new Map<string, Uint8Array>()

  async get(key: string): Promise<Uint8Array | null> {
    const value = this.#values.get(key)
    return value === undefined ? null : new Uint8Array(value)
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    this.#values.set(key, copyOf(value))
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key)
  }
}

/** A copy of a value, in a buffer of its own. Throws `TypeError` for what is no bytes: a number would become so many zeros. */
export function copyOf(value: Uint8Array): ByteArray {
  if (!isBytes(value)) throw new TypeError('a value must be a Uint8Array')
  return new Uint8Array(value)
}
