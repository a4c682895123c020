/**
 * What is known to be valid: this session's memory, in front of a store that may fail. What this verifier computed is known at once and
 * for sure; what the store remembers is asked for only where it is believed; and no failure of the store fails a verification.
 */
import { platform } from '#platform'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'
import { MemoryCache, type VerdictCache, IndexedDbCache } from './cache.ts'

/** Who says that a digest is of something valid: `session`: this verifier computed it; `storage`: the cache behind its memory. */
export type Origin = 'session' | 'storage'

/** What deduplication asks about digests, and adds to. */
export interface VerdictStore {
  /** For each digest, who knows that it is of something valid; null where nobody does. Never rejects. */
  lookUp(digests: readonly string[]): Promise<(Origin | null)[]>
  /** Remembers digests of what this verifier found valid. Never rejects. */
  add(digests: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** The option `cache` of `createVerifier`: IndexedDB where there is one (`auto`), a cache of the caller's, or none at all (`false`). */
export type CacheOption = 'auto' | VerdictCache | false

/** The cache to use, or null for none. `auto`: IndexedDB behind memory where there is one, memory alone elsewhere. */
export function openCache(
  option: CacheOption,
  isTrusted: boolean,
  onFailure: () => void,
): VerdictStore | null {
  if (option === false) return null
  if (option === 'auto') {
    if (!hasIndexedDb()) return new LayeredCache(null, isTrusted, onFailure)
    const store = new IndexedDbCache()
    // Opened now, while workers start, rather than on the way to the first verdict. A failure shows when it is used.
    store.has([]).catch(() => {})
    return new LayeredCache(store, isTrusted, onFailure)
  }
  if (
    typeof option !== 'object' ||
    option === null ||
    typeof option.has !== 'function' ||
    typeof option.add !== 'function'
  ) {
    throw new TypeError("cache must be 'auto', false, or an object with has() and add()")
  }
  return new LayeredCache(option, isTrusted, onFailure)
}

/** How long a store may take to answer before the data is verified anew. The first question opens a database. */
const PATIENCE_MS = 1_000

/** How long it may take to write, for which nobody waits. */
const WRITING_MS = 10_000

/** A store that was late so often, one time after the other, is not asked again: each time costs the patience. */
const MAX_LATE = 4

class LayeredCache implements VerdictStore {
  readonly #memory = new MemoryCache()
  readonly #store: VerdictCache | null
  readonly #isTrusted: boolean
  readonly #onFailure: () => void
  #late = 0

  /** `isTrusted`: whether to believe entries that this session did not add itself. */
  constructor(store: VerdictCache | null, isTrusted: boolean, onFailure: () => void) {
    this.#store = store
    this.#isTrusted = isTrusted
    this.#onFailure = onFailure
  }

  async lookUp(digests: readonly string[]): Promise<(Origin | null)[]> {
    const known = await this.#memory.has(digests)
    const store = this.#store
    const unknown = digests.filter((_, at) => !known[at])
    let found = new Set<string>()
    if (store !== null && this.#isTrusted && unknown.length > 0) {
      found = await this.#attempt(async () => {
        const answer = await store.has(unknown)
        if (!Array.isArray(answer) || answer.length !== unknown.length) throw new TypeError('not an answer')
        return new Set(unknown.filter((_, at) => answer[at] === true))
      }, found)
    }
    return digests.map((digest, at) => (known[at] ? 'session' : found.has(digest) ? 'storage' : null))
  }

  async add(digests: readonly string[]): Promise<void> {
    await this.#memory.add(digests)
    const store = this.#store
    // Not waited for: the verdict does not depend on it.
    if (store !== null) void this.#attempt(() => store.add(digests), undefined, WRITING_MS)
  }

  async close(): Promise<void> {
    // One that was given up for its answers is still to be let go.
    this.#late = 0
    await this.#attempt(async () => this.#store?.close?.(), undefined)
  }

  /** The store's answer, or `otherwise` if it fails or takes too long. */
  async #attempt<T>(ask: () => Promise<T>, otherwise: T, patienceMs = PATIENCE_MS): Promise<T> {
    const before = this.#late
    if (before >= MAX_LATE) return otherwise
    let stop = (): void => {}
    const late = new Promise<never>((_, reject) => {
      stop = platform.after(patienceMs, () => {
        // Those that were asked at the same time are late for one reason.
        if (this.#late === before) this.#late++
        reject(new Error('the cache is slow'))
      })
    })
    try {
      const answer = await Promise.race([ask(), late])
      this.#late = 0
      return answer
    } catch {
      this.#onFailure()
      return otherwise
    } finally {
      stop()
    }
  }
}
