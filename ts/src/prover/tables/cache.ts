/**
 * How a thread comes by its tables, part by part: it has a part, or reads what was kept in an earlier session, or works it out, to be
 * kept. A store cannot disturb: one that throws, answers nonsense or never answers costs time once, and no proof.
 */
import { messageOf } from '../../runtime/errors.ts'
import { inObjectStore } from '../../runtime/platform/object-store.ts'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'
import { isArrayBuffer, isBytes } from '../../util/bytes.ts'
import { encodeHex } from '../../util/hex.ts'
import { within } from '../../util/timers.ts'
import { tableBytes, type TableShape, type TableStore } from '../options.ts'

/** The parts that tables are worked out, kept and read back in. */
export const TABLE_PARTS = 16

/** The key of a part. It does not name the shape: the tables of another shape take their places, so that no more is kept. */
function keyOf(part: number): string {
  return `prover-table-${part}`
}

/** The bytes of one part. */
function partBytes(shape: TableShape): number {
  return tableBytes(shape) / TABLE_PARTS
}

/** Hex digits of 128 bits. */
const DIGITS = 32

/** What one part must hash to, out of what `pinned.ts` has for its shape. */
function hashOfPart(hashes: string, part: number): string {
  return hashes.slice(part * DIGITS, (part + 1) * DIGITS)
}

/** How long a store may take: it saves working out, and is not worth much more than that. */
const PATIENCE_MS = 5_000

/**
 * The cache over a store.
 *
 * @internal
 */
export class TableCache {
  readonly #store: TableStore
  #canRead = true
  #canWrite = true
  readonly #failures: string[] = []

  constructor(store: TableStore) {
    this.#store = store
  }

  /** Whether it is worth making bytes for `write`. */
  get canWrite(): boolean {
    return this.#canWrite
  }

  /** What the store's failures said since this was last asked, the first one first. */
  takeFailures(): readonly string[] {
    return this.#failures.splice(0)
  }

  /** What is kept as a part, if it is so many bytes, in memory of its own; null where there is nothing of the kind. */
  async read(part: number, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!this.#canRead) return null
    try {
      const value = await patiently(async () => await this.#store.get(keyOf(part)))
      // As those who write no types have it: a Map says undefined.
      if ((value ?? null) === null) return null
      if (!isBytes(value)) throw new TypeError('it returned what are no bytes')
      return value.length === length ? new Uint8Array(value) : null
    } catch (error) {
      // One that cannot be read would be waited for again and again.
      this.#failures.push(messageOf(error).slice(0, MAX_WORDS))
      this.#canRead = this.#canWrite = false
      return null
    }
  }

  /** Keeps a part in place of what was there. */
  async write(part: number, bytes: Uint8Array): Promise<void> {
    if (!this.#canWrite) return
    try {
      await patiently(async () => await this.#store.set(keyOf(part), bytes))
    } catch (error) {
      // Full, most likely: what is there may still be read.
      this.#failures.push(messageOf(error).slice(0, MAX_WORDS))
      this.#canWrite = false
    }
  }
}

/** The longest text that is kept of what a store threw. */
const MAX_WORDS = 200

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return await within(ask(), PATIENCE_MS, () => new Error('it does not answer'))
}

/**
 * The cache over a store, IndexedDB by default; null where there is none, or where nothing can be hashed to be believed.
 *
 * @internal
 */
export function openTableCache(store?: TableStore): TableCache | null {
  if (hasher() === undefined) return null
  if (store !== undefined) return new TableCache(store)
  return hasIndexedDb() ? new TableCache(indexedDbTables) : null
}

const [DATABASE, STORE] = ['blobcheck-prover', 'parts'] as const

/** Tables in IndexedDB: there are 16 accesses in a session. */
const indexedDbTables: TableStore = {
  async get(key) {
    const value: unknown = await inObjectStore(DATABASE, STORE, 'readonly', (parts) => parts.get(key))
    return isArrayBuffer(value) ? new Uint8Array(value) : null
  },

  async set(key, value) {
    // A buffer, of this value alone: WebKit keeps ArrayBuffers, and a view may be on a larger one.
    const { buffer } = value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value)
    await inObjectStore(DATABASE, STORE, 'readwrite', (parts) => parts.put(buffer, key))
  },
}

/** The platform's hash; undefined in insecure contexts, where no tables are kept, since nothing could be believed. */
function hasher(): SubtleCrypto | undefined {
  return globalThis.crypto?.subtle as SubtleCrypto | undefined
}

/**
 * Whether the bytes' SHA-256 begins with `hash`, 128 bits in hex.
 *
 * @internal
 */
export async function isGenuineTable(bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<boolean> {
  const digest = await hasher()?.digest('SHA-256', bytes)
  return digest !== undefined && hash !== '' && encodeHex(new Uint8Array(digest, 0, 16)) === hash
}

/**
 * Where a part of the tables in a thread comes from. `absent`: it is not there yet, or its worker crashed; `kept`: it was read from where tables are kept;
 * `worked-out`: it was computed in this session.
 */
export type TableOrigin = 'absent' | 'kept' | 'worked-out'

/**
 * A thread that has tables.
 *
 * @internal
 */
export interface TableHolder {
  tableOrigin(tables: TableShape, part: number): Promise<TableOrigin>
  /** Takes a part that was kept, if it hashes to `hash`. */
  takeTable(tables: TableShape, part: number, bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<boolean>
  /** Works a part out; its bytes, if they are asked for. */
  makeTable(tables: TableShape, part: number, asBytes: boolean): Promise<Uint8Array | null>
}

/** Where parts are kept, and what those of the shape must hash to. */
interface KeptParts {
  readonly cache: TableCache
  readonly hashes: string
}

/**
 * Sees to it that a thread has a part. Fails as the thread does, and never because of what is kept.
 *
 * @internal
 */
export async function provide(
  holder: TableHolder,
  kept: KeptParts | null,
  tables: TableShape,
  part: number,
): Promise<TableOrigin> {
  const origin = await holder.tableOrigin(tables, part)
  if (origin !== 'absent') return origin
  if (kept === null) {
    await holder.makeTable(tables, part, false)
    return 'worked-out'
  }
  const { cache, hashes } = kept
  const bytes = await cache.read(part, partBytes(tables))
  if (bytes !== null && (await holder.takeTable(tables, part, bytes, hashOfPart(hashes, part)))) return 'kept'
  const made = await holder.makeTable(tables, part, cache.canWrite)
  // Waited for, so that no more than one part lies in memory twice.
  if (made !== null) await cache.write(part, made)
  return 'worked-out'
}
