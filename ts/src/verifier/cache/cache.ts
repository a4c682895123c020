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
