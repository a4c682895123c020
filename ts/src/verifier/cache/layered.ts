/**
 * Memory in front of a store that may fail. What this session verified is known at once and for sure; what the store
 * remembers is asked for only where it is trusted; and no failure of the store fails a verification.
 */
import type { VerdictCache } from './cache.ts'
import { MemoryCache } from './memory.ts'

/** How long a store may take to answer before the data is verified anew. The first question opens a database. */
const PATIENCE_MS = 1_000

/** How long it may take to write, for which nobody waits. */
const WRITING_MS = 10_000

/** A store that was late so often, one time after the other, is not asked again: each time costs the patience. */
const MAX_LATE = 4

export class LayeredCache implements VerdictCache {
  readonly #memory = new MemoryCache()
  readonly #store: VerdictCache
  readonly #trusted: boolean
  readonly #onFailure: () => void
  #late = 0

  /** `trusted`: whether to believe entries that this session did not add itself. */
  constructor(store: VerdictCache, trusted: boolean, onFailure: () => void) {
    this.#store = store
    this.#trusted = trusted
    this.#onFailure = onFailure
  }

  async has(digests: readonly string[]): Promise<boolean[]> {
    const known = await this.#memory.has(digests)
    const unknown = digests.filter((_, at) => !known[at])
    if (!this.#trusted || unknown.length === 0) return known
    const stored = await this.#attempt(async () => {
      const answer = await this.#store.has(unknown)
      if (!Array.isArray(answer) || answer.length !== unknown.length) throw new TypeError('not an answer')
      return answer
    }, [])
    const found = new Set(unknown.filter((_, at) => stored[at] === true))
    return digests.map((digest, at) => known[at] === true || found.has(digest))
  }

  async add(digests: readonly string[]): Promise<void> {
    await this.#memory.add(digests)
    // Not waited for: the verdict does not depend on it.
    void this.#attempt(() => this.#store.add(digests), undefined, WRITING_MS)
  }

  async clear(): Promise<void> {
    await this.#memory.clear()
    await this.#store.clear()
  }

  async close(): Promise<void> {
    // One that was given up for its answers is still to be let go.
    this.#late = 0
    await this.#attempt(async () => this.#store.close?.(), undefined)
  }

  /** The store's answer, or `otherwise` if it fails or takes too long. */
  async #attempt<T>(ask: () => Promise<T>, otherwise: T, patienceMs = PATIENCE_MS): Promise<T> {
    if (this.#late >= MAX_LATE) return otherwise
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#late++
        reject(new Error('the cache is slow'))
      }, patienceMs)
    })
    try {
      const answer = await Promise.race([ask(), late])
      this.#late = 0
      return answer
    } catch {
      this.#onFailure()
      return otherwise
    } finally {
      clearTimeout(timer)
    }
  }
}
