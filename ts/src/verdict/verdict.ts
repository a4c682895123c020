/** What the verifier says about one item. */
import type { ErrorReason, InvalidReason, MalformedReason } from './reasons.ts'

/**
 * - `verified`: checked here, and it holds.
 * - `trusted`: taken on trust from the caller.
 * - `absent`: neither; nothing may be concluded about it.
 */
export type LinkState = 'verified' | 'trusted' | 'absent'

/** The links of the chain from the data to what its user trusts, in that order. */
export interface Links {
  /** The data belongs to the commitment (EIP-4844, EIP-7594). */
  readonly kzg: LinkState
  /** The commitment belongs to a versioned hash that the item, the transaction or the anchor names. */
  readonly 'versioned-hash': LinkState
  /** The commitment belongs to the body root of a header, by a Merkle branch. */
  readonly inclusion: LinkState
  /** That header is of the chain. A header that the data itself brings along is never more than `absent`. */
  readonly header: LinkState
  /** The header that the sidecar brings was signed by the proposer whose key the caller gave (`proposerKey`). */
  readonly signature: LinkState
  /** The header was signed by a sync committee. */
  readonly 'sync-committee': LinkState
  /** The sync committee follows from a checkpoint. */
  readonly checkpoint: LinkState
}

/** Where an item that is well formed was found to be false. */
export type InvalidStage = 'versioned-hash' | 'inclusion' | 'anchor' | 'signature' | 'kzg'

/** Where an item was found to be malformed: in its structure, or in the encoding of a number or a point. */
export type MalformedStage = 'structure' | 'encoding'

/** Why an item was refused, before or by KZG. */
export type Refusal =
  | { readonly status: 'invalid'; readonly stage: InvalidStage; readonly reason: InvalidReason }
  | { readonly status: 'malformed'; readonly stage: MalformedStage; readonly reason: MalformedReason }

/** What KZG says of a blob, a cell or a column. */
export type KzgOutcome = 'valid' | Refusal

/** What is known of a blob, a cell or a column in the end: what KZG says of it, or that nothing could be learnt. */
export type UnitOutcome = KzgOutcome | { readonly status: 'error'; readonly reason: ErrorReason }

/** Everything that was asked for holds. */
export interface ValidVerdict {
  readonly status: 'valid'
  /** `kzg`: computed now; `duplicate`: by another delivery of the same bytes, at the same time; `cache`: earlier. */
  readonly via: 'kzg' | 'cache' | 'duplicate'
  /**
   * What the bytes that KZG verified are known by, 64 hex digits: the cache key of an item, and for a transaction a hash of
   * its blobs' keys, whatever else the transaction says.
   */
  readonly digest: string
  readonly links: Links
}

/** The item is well formed, and false. */
export interface InvalidVerdict {
  readonly status: 'invalid'
  readonly stage: InvalidStage
  readonly reason: InvalidReason
  /** Everyone who delivered these bytes while they were being verified. */
  readonly sources: readonly string[]
  readonly links: Links
}

/** The item is not even a candidate: its structure, a number or a point in it is none. */
export interface MalformedVerdict {
  readonly status: 'malformed'
  readonly stage: MalformedStage
  readonly reason: MalformedReason
  readonly sources: readonly string[]
  readonly links: Links
}

/** Mode `cheap`: everything before `stage` passed; `stage` and what follows were not looked at. */
export interface UncheckedVerdict {
  readonly status: 'unchecked'
  readonly stage: 'kzg'
  readonly links: Links
}

/** Nothing is known about the data: it was tried twice, the second time alone. */
export interface ErrorVerdict {
  readonly status: 'error'
  readonly reason: ErrorReason
  readonly links: Links
}

/** What the verifier says about one item. */
export type Verdict = ValidVerdict | InvalidVerdict | MalformedVerdict | UncheckedVerdict | ErrorVerdict

/** One verdict for the transaction, and one for each of its blobs (none where its structure is malformed). */
export type TransactionVerdict = Verdict & { readonly blobs: readonly Verdict[] }

/** No link at all: where every item starts. */
export const noLinks: Links = {
  kzg: 'absent',
  'versioned-hash': 'absent',
  inclusion: 'absent',
  header: 'absent',
  signature: 'absent',
  'sync-committee': 'absent',
  checkpoint: 'absent',
}
