/**
 * The cache of verdicts: digests of units that were found valid, and nothing else. A digest is SHA-256 over the format
 * version, the setup's id and every byte that was verified, so that an entry can vouch for no other bytes.
 */

/** What a cache must do. It may forget at any time; it must never claim a digest that it was not given. */
export interface VerdictCache {
  /** For each digest (64 hex digits), whether it is stored. */
  has(digests: readonly string[]): Promise<boolean[]>
  /** Stores digests. */
  add(digests: readonly string[]): Promise<void>
  /** Forgets everything. */
  clear(): Promise<void>
  /** Lets go of connections; what is stored stays. */
  close?(): Promise<void>
}
/** A bounded cache in memory; the oldest entries go first. */
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
