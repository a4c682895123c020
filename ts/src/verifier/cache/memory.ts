/** A bounded cache in memory; the oldest entries go first. */
import type { VerdictCache } from './cache.ts'

export class MemoryCache implements VerdictCache {
  readonly #capacity: number
  /** In order of insertion, as sets are. */
  readonly #digests = new Set<string>()

  /** `capacity`: entries; each takes some 150 bytes. */
  constructor(capacity = 65_536) {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new TypeError('a cache needs a capacity of at least 1')
    this.#capacity = capacity
  }

  async has(digests: readonly string[]): Promise<boolean[]> {
    return digests.map((digest) => this.#digests.has(digest))
  }

  async add(digests: readonly string[]): Promise<void> {
    for (const digest of digests) {
      this.#digests.delete(digest)
      this.#digests.add(digest)
      if (this.#digests.size > this.#capacity) {
        const oldest = this.#digests.values().next()
        if (!oldest.done) this.#digests.delete(oldest.value)
      }
    }
  }

  async clear(): Promise<void> {
    this.#digests.clear()
  }
}
