/** Keeps a light client's record up to date. A storage that fails costs a download at the next start, and nothing else. */
import { encodeHex } from '../../util/hex.ts'
import type { LightClientObject } from '../worker/decode.ts'
import { within } from '../../util/timers.ts'
import { IndexedDbStorage } from './indexed-db.ts'
import {
  decodeRecord,
  encodeRecord,
  type LightClientRecord,
  MAX_UPDATES,
  type RecordOwner,
} from './record.ts'
import { type LightClientStorage, MemoryStorage } from './storage.ts'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'

/** The option `store`. */
export type StoreOption = 'auto' | LightClientStorage | false

/** How long a storage may take: it saves a download, and is not worth more than one. */
const PATIENCE_MS = 3_000

/** The record of one network and checkpoint in a storage. Writes wait for each other; no failure of the storage is thrown. */
export class RecordStore {
  readonly #storage: LightClientStorage | null
  readonly #owner: RecordOwner
  readonly #key: string
  #bootstrap: LightClientObject | null = null
  #updates: LightClientObject[] = []
  #writing: Promise<void> = Promise.resolve()
  #failures = 0

  constructor(storage: LightClientStorage | null, owner: RecordOwner) {
    this.#storage = storage
    this.#owner = owner
    this.#key = `${encodeHex(owner.genesisValidatorsRoot.subarray(0, 8))}-${encodeHex(owner.checkpoint)}`
  }

  /** How often the storage failed. */
  get failures(): number {
    return this.#failures
  }

  /** What was kept for this network and checkpoint, or null. Rejects with the signal's reason alone. */
  async load(signal: AbortSignal | undefined): Promise<LightClientRecord | null> {
    const storage = this.#storage
    if (storage === null) return null
    try {
      const bytes = await patiently(async () => await storage.get(this.#key), signal)
      return bytes === null ? null : decodeRecord(this.#owner, bytes)
    } catch {
      signal?.throwIfAborted()
      this.#failures++
      return null
    }
  }

  /** What the light client stands on from here: what was just verified, be it loaded or fetched. */
  begin(bootstrap: LightClientObject, updates: readonly LightClientObject[]): void {
    this.#bootstrap = bootstrap
    this.#updates = updates.slice(0, MAX_UPDATES)
  }

  /** Updates without which the way from the checkpoint would have a gap. */
  append(updates: readonly LightClientObject[]): void {
    this.#updates.push(...updates.slice(0, MAX_UPDATES - this.#updates.length))
  }

  /** Writes it all down, after what is being written. */
  save(store: Uint8Array): void {
    const storage = this.#storage
    const bootstrap = this.#bootstrap
    if (storage === null || bootstrap === null) return
    const bytes = encodeRecord(this.#owner, { bootstrap, updates: this.#updates, store })
    this.#writing = this.#writing
      .then(async () => await patiently(async () => await storage.set(this.#key, bytes)))
      .catch(() => void this.#failures++)
  }

  /** Resolves once everything is written, or has failed to be, or is not worth waiting for any more. */
  async settle(): Promise<void> {
    await patiently(async () => await this.#writing).catch(() => {})
  }
}

/** Asks a storage, which may throw, or never answer. */
async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return await within(ask(), PATIENCE_MS, () => new Error('the storage does not answer'), signal)
}

/** The storage to use, or null for none. `auto`: IndexedDB where there is one, memory elsewhere. */
export function openStorage(option: StoreOption): LightClientStorage | null {
  if (option === false) return null
  if (option === 'auto') return hasIndexedDb() ? new IndexedDbStorage() : new MemoryStorage()
  if (typeof option !== 'object' || typeof option?.get !== 'function' || typeof option.set !== 'function')
    throw new TypeError("store must be 'auto', false, or an object with get(), set() and delete()")
  return option
}
