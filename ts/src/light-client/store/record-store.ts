/**
 * What a light client keeps between sessions, and how it is kept up to date. A record is bytes: the bootstrap and the updates that led from
 * the checkpoint to where the client is, and the store that they led to. Other scripts of an origin can write to its storage, and a page has
 * no key to sign with: so the store is believed only where the caller says `trustCache`, and otherwise the objects are verified
 * again, from the checkpoint that the caller brings, in one pairing product for up to 128 of them.
 *
 * ```text
 * "BLCR" ‖ version (1) ‖ genesis_validators_root (32) ‖ checkpoint (32)
 * ‖ number of objects (4) ‖ for each: fork (1) ‖ length (4) ‖ SSZ
 * ‖ length (4) ‖ store
 * ```
 * Integers are little-endian.
 */
import { concatAll } from '../../util/bytes.ts'
import { encodeHex } from '../../util/hex.ts'
import type { LightClientObject } from '../worker/decode.ts'
import { within } from '../../util/timers.ts'
import { IndexedDbStorage } from './indexed-db.ts'
import { type LightClientStorage, MemoryStorage } from './storage.ts'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'
import { type ForkIndex, GLOAS } from '../../beacon/ssz/light-client-json.ts'
import type { ByteArray } from '../../util/platform-types.ts'

/** Whose record it is. */
export interface RecordOwner {
  /** 32 bytes. */
  readonly genesisValidatorsRoot: Uint8Array
  /** 32 bytes. */
  readonly checkpoint: Uint8Array
}

/** What is kept. */
export interface LightClientRecord {
  readonly bootstrap: LightClientObject
  /** In the order in which they were accepted: one for each period, about 27 KB each. */
  readonly updates: readonly LightClientObject[]
  readonly store: Uint8Array
}

/** Nine months of updates. What comes after is fetched again at the next start. */
export const MAX_UPDATES = 256

/** No record is longer, in bytes: one of `MAX_UPDATES` updates takes less than half of this. */
const MAX_RECORD_BYTES = 2 ** 24

const MAGIC = Uint8Array.of(0x42, 0x4c, 0x43, 0x52, 1)
const HEAD = MAGIC.length + 64

/** The bytes of a record, of which no more than `MAX_UPDATES` updates are kept. */
export function encodeRecord(owner: RecordOwner, record: LightClientRecord): ByteArray {
  const objects = [record.bootstrap, ...record.updates.slice(0, MAX_UPDATES)]
  const length = objects.reduce((sum, { ssz }) => sum + 5 + ssz.length, HEAD + 4) + 4 + record.store.length
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  bytes.set(MAGIC)
  bytes.set(owner.genesisValidatorsRoot, MAGIC.length)
  bytes.set(owner.checkpoint, MAGIC.length + 32)
  view.setUint32(HEAD, objects.length, true)
  let at = HEAD + 4
  for (const { fork, ssz } of objects) {
    bytes[at] = fork
    view.setUint32(at + 1, ssz.length, true)
    bytes.set(ssz, at + 5)
    at += 5 + ssz.length
  }
  view.setUint32(at, record.store.length, true)
  bytes.set(record.store, at + 4)
  return bytes
}

/** The record in bytes from a storage, or null where they are not one of this owner's. */
export function decodeRecord(owner: RecordOwner, bytes: Uint8Array): LightClientRecord | null {
  if (bytes.length < HEAD + 8 || bytes.length > MAX_RECORD_BYTES) return null
  const begins = (prefix: Uint8Array, at: number): boolean =>
    prefix.every((byte, i) => bytes[at + i] === byte)
  if (!begins(MAGIC, 0) || !begins(owner.genesisValidatorsRoot, MAGIC.length)) return null
  if (!begins(owner.checkpoint, MAGIC.length + 32)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(HEAD, true)
  if (count < 1 || count > MAX_UPDATES + 1) return null
  const objects: LightClientObject[] = []
  let at = HEAD + 4
  for (let i = 0; i < count; i++) {
    if (bytes.length - at < 9) return null
    const fork = bytes[at] ?? 255
    const length = view.getUint32(at + 1, true)
    at += 5
    if (fork > GLOAS || length > bytes.length - at - 4) return null
    objects.push({ fork: fork as ForkIndex, ssz: bytes.slice(at, at + length) as ByteArray })
    at += length
  }
  const [bootstrap, ...updates] = objects
  if (bootstrap === undefined || view.getUint32(at, true) !== bytes.length - at - 4) return null
  return { bootstrap, updates, store: bytes.slice(at + 4) }
}

/**
 * Where a light client keeps what it has verified: a storage of yours or of the package's (`MemoryStorage`, `IndexedDbStorage`,
 * `FileStorage`); `'auto'`, which is IndexedDB where the platform has it and memory elsewhere; or `false`, for nowhere.
 */
export type StoreOption = 'auto' | LightClientStorage | false

/** Checkpoints of a network whose records are kept: those that began last. */
const MAX_CHECKPOINTS = 3

/** How long a storage may take: it saves a download, and is not worth more than one. */
const PATIENCE_MS = 3_000

/**
 * The record of one network and checkpoint in a storage. Writes wait for each other; no failure of the storage is thrown. Once it is written,
 * records of the network are deleted but for those of the checkpoints that began last, which another entry lists, 32 bytes each. Other
 * clients may write that list meanwhile, so that it is read after each write: who is not in it any more, and goes on, begins there anew.
 *
 * @internal
 */
export class RecordStore {
  readonly #storage: LightClientStorage | null
  readonly #owner: RecordOwner
  readonly #network: string
  readonly #key: string
  /** Whether it was put into the list: it may have been dropped since. */
  #isListed = false
  #bootstrap: LightClientObject | null = null
  #updates: LightClientObject[] = []
  #writing: Promise<void> = Promise.resolve()
  #failures = 0

  constructor(storage: LightClientStorage | null, owner: RecordOwner) {
    this.#storage = storage
    this.#owner = owner
    this.#network = encodeHex(owner.genesisValidatorsRoot.subarray(0, 8))
    this.#key = this.#keyOf(owner.checkpoint)
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

  /** The way that it stands on by now; null before `begin`. */
  get way(): Pick<LightClientRecord, 'bootstrap' | 'updates'> | null {
    return this.#bootstrap && { bootstrap: this.#bootstrap, updates: this.#updates }
  }

  /** One that writes nothing, for what may come to nothing. */
  draft(): RecordStore {
    return new RecordStore(null, this.#owner)
  }

  /** Takes over what a draft has come to. */
  take(draft: RecordStore): void {
    this.#bootstrap = draft.#bootstrap
    this.#updates = draft.#updates
  }

  /** Writes it all down, after what is being written. */
  save(store: Uint8Array): void {
    const storage = this.#storage
    const bootstrap = this.#bootstrap
    if (storage === null || bootstrap === null) return
    const bytes = encodeRecord(this.#owner, { bootstrap, updates: this.#updates, store })
    this.#writing = this.#writing
      .then(async () => await patiently(async () => await storage.set(this.#key, bytes)))
      .then(async () => await patiently(async () => await this.#list(storage)))
      .catch(() => void this.#failures++)
  }

  /**
   * Puts the checkpoint at the head of the list, once, and again where others have dropped it since; and deletes the records of those that the
   * list has no place for.
   */
  async #list(storage: LightClientStorage): Promise<void> {
    const key = `${this.#network}-checkpoints`
    const listed = (await storage.get(key)) ?? new Uint8Array(0)
    // One more than are kept: whatever else somebody may have put there is left alone.
    const known = Array.from({ length: MAX_CHECKPOINTS + 1 }, (_, at) =>
      listed.slice(32 * at, 32 * at + 32),
    ).filter((root) => root.length === 32)
    const others = known.filter((root) => this.#keyOf(root) !== this.#key)
    if (this.#isListed && others.length < known.length) return
    for (const root of others.splice(MAX_CHECKPOINTS - 1)) await storage.delete(this.#keyOf(root))
    await storage.set(key, concatAll([this.#owner.checkpoint, ...others]))
    this.#isListed = true
  }

  #keyOf(checkpoint: Uint8Array): string {
    return `${this.#network}-${encodeHex(checkpoint)}`
  }

  /**
   * Resolves once everything is written, what `last` saves before it resolves included; or has failed to be, or is not worth waiting for any
   * more, which is so after three seconds.
   */
  async settle(last: Promise<unknown>): Promise<void> {
    const written = async (): Promise<void> => {
      await last
      await this.#writing
    }
    await patiently(written).catch(() => {})
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
