/** Where a light client keeps what it has verified, from one session to the next. */

/** The longest value that a light client writes, in bytes: its record takes less than half of this. Storages need read no more. */
export const MAX_VALUE_BYTES: number = 1 << 24

/** A store of byte strings by key. It may forget at any time; what it returns is not believed (see `record.ts`). */
export interface LightClientStorage {
  /** The value, or null where there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** Replaces the value in one step: a reader sees all of the old one or all of the new one. */
  set(key: string, value: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
}

/** Keeps everything for as long as it lives itself. */
export class MemoryStorage implements LightClientStorage {
  readonly #values = new Map<string, Uint8Array>()

  async get(key: string): Promise<Uint8Array | null> {
    const value = this.#values.get(key)
    return value === undefined ? null : new Uint8Array(value)
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    this.#values.set(key, new Uint8Array(value))
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key)
  }
}
