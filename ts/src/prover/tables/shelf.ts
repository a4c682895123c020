/** A store that cannot disturb: one that throws, answers nonsense or never answers costs time once, and no proof. */
import { isBytes } from '../../util/bytes.ts'
import { within } from '../../util/timers.ts'
import { hasher } from './genuine.ts'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'
import { IndexedDbTables } from './indexed-db.ts'
import { keyOf, type TableStore } from './store.ts'

/** How long a store may take: it saves working out, and is not worth much more than that. */
const PATIENCE_MS = 5_000

export class Shelf {
  readonly #store: TableStore
  #canRead = true
  #canWrite = true
  #failures = 0

  constructor(store: TableStore) {
    this.#store = store
  }

  /** Whether it is worth making bytes for `write`. */
  get canWrite(): boolean {
    return this.#canWrite
  }

  /** How often the store failed since this was last asked. */
  takeFailures(): number {
    const failures = this.#failures
    this.#failures = 0
    return failures
  }

  /** What is kept as a part, if it is so many bytes, in memory of its own; null where there is nothing of the kind. */
  async read(part: number, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!this.#canRead) return null
    try {
      const value = await patiently(async () => await this.#store.get(keyOf(part)))
      // As those who write no types have it: a Map says undefined.
      if ((value ?? null) === null) return null
      if (!isBytes(value)) throw new TypeError('a store of tables returned what are no bytes')
      return value.length === length ? new Uint8Array(value) : null
    } catch {
      // One that cannot be read would be waited for again and again.
      this.#failures++
      this.#canRead = this.#canWrite = false
      return null
    }
  }

  /** Keeps a part in place of what was there. */
  async write(part: number, bytes: Uint8Array): Promise<void> {
    if (!this.#canWrite) return
    try {
      await patiently(async () => await this.#store.set(keyOf(part), bytes))
    } catch {
      // Full, most likely: what is there may still be read.
      this.#failures++
      this.#canWrite = false
    }
  }
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return await within(ask(), PATIENCE_MS, () => new Error('the store of tables does not answer'))
}

/** The shelf for a store, IndexedDB by default; null where there is none, or where nothing can be hashed to be believed. */
export function openShelf(store?: TableStore): Shelf | null {
  if (hasher() === undefined) return null
  if (store !== undefined) return new Shelf(store)
  return hasIndexedDb() ? new Shelf(new IndexedDbTables()) : null
}
