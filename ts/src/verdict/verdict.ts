/** Verdicts, and the links that they rest on: the words of all entries of the package. */
import type { ErrorReason, InvalidReason, MalformedReason, UncheckedReason } from './reasons.ts'

/**
 * How well one link of a verdict is known.
 *
 * - `verified`: it was checked here, and it holds.
 * - `trusted`: it holds if whoever said so may be believed: the caller who gave the anchor, or a cache that outlives the session.
 * - `absent`: neither; nothing may be concluded about it.
 */
export type LinkState = 'verified' | 'trusted' | 'absent'

/**
 * The links of the chain that leads from the data to what its user trusts, in that order. A verdict `valid` says that everything that
 * was asked for holds; its links say how far that reaches.
 */
export interface Links {
  /** The data belongs to the commitment: by a KZG proof (EIP-4844, EIP-7594), or since it is the commitment of this blob. */
  readonly kzg: LinkState
  /** The commitment belongs to a versioned hash that the item, the transaction or the anchor names. */
  readonly 'versioned-hash': LinkState
  /** The commitment belongs to the body root of a header: by a Merkle branch, or by the whole block, which was hashed here. */
  readonly inclusion: LinkState
  /** That header is of the chain: it is the anchor's. A header that the data itself brings along is never more than `absent`. */
  readonly header: LinkState
  /** The header that the sidecar brings was signed by the proposer whose key the caller gave (`proposerKey`). */
  readonly signature: LinkState
  /** The header was signed by a sync committee, or is an ancestor of one that was; known where a light client gave the header. */
  readonly 'sync-committee': LinkState
  /** The sync committee follows from the checkpoint that the light client started with. */
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

/** The outcome of what two workers in a row ended at. */
export const crashedOutcome: Omit<ErrorVerdict, 'links'> = { status: 'error', reason: 'worker-crashed' }

/** The verdict on an item of which everything that was asked for holds. */
export interface ValidVerdict {
  readonly status: 'valid'
  /**
   * How the KZG result came about: `kzg`: a proof was verified for this item; `commitment`: it has no proof, and the commitment of its
   * blob was computed; `duplicate`: one of these, for another delivery of the same bytes at the same time; `cache`: earlier, as the
   * verifier's memory or its cache knows.
   */
  readonly via: 'kzg' | 'commitment' | 'cache' | 'duplicate'
  /**
   * The digest that the verified bytes are known by: 64 hex digits without prefix. It is the key under which a cache remembers an item;
   * for a transaction it is a hash of the keys of its blobs, whatever else the transaction says.
   */
  readonly digest: string
  readonly links: Links
}

/** The verdict on an item that is well formed, and false. Whoever delivered it is to blame. */
export interface InvalidVerdict {
  readonly status: 'invalid'
  /** The check that it failed. */
  readonly stage: InvalidStage
  readonly reason: InvalidReason
  /**
   * Who delivered these bytes, in the caller's words; nobody who gave no `source`. Where KZG refused them, everyone in this session who is known
   * to have (the oldest may be forgotten); where a check before it did, this item's `source` alone. The list is frozen.
   */
  readonly sources: readonly string[]
  /** The links that hold nonetheless: none where a check refused the item before its header's signature and KZG were looked at. */
  readonly links: Links
}

/** The verdict on an item that is not even a candidate: its structure, a number or a point in it is none. Whoever delivered it is to blame. */
export interface MalformedVerdict {
  readonly status: 'malformed'
  /** Whether the structure is wrong, or the encoding of a number or a point. */
  readonly stage: MalformedStage
  readonly reason: MalformedReason
  /**
   * Who delivered these bytes, in the caller's words; nobody who gave no `source`. Where KZG refused them, everyone in this session who is known
   * to have (the oldest may be forgotten); where a check before it did, this item's `source` alone. The list is frozen.
   */
  readonly sources: readonly string[]
  /** The links that hold nonetheless: none where a check refused the item before its header's signature and KZG were looked at. */
  readonly links: Links
}

/** The verdict of the mode `cheap` on an item that passed everything before KZG, which was not looked at. */
export interface UncheckedVerdict {
  readonly status: 'unchecked'
  /** The check that was left out. */
  readonly stage: 'kzg'
  readonly reason: UncheckedReason
  readonly links: Links
}

/** The verdict where nothing is known about the data; `reason` says what failed here. Nobody who delivered it is to blame. */
export interface ErrorVerdict {
  readonly status: 'error'
  readonly reason: ErrorReason
  readonly links: Links
}

/**
 * What the verifier says about one item, by `status`: `valid`, `invalid`, `malformed`, `unchecked` or `error`. All but `valid` have a
 * `reason`.
 */
export type Verdict = ValidVerdict | InvalidVerdict | MalformedVerdict | UncheckedVerdict | ErrorVerdict

/**
 * The verdict on a blob transaction, and in `blobs` one on each of its blobs, in order (none where the transaction's structure is
 * malformed). The transaction is what the worst of its blobs is, and each of its links is as well
 * known as that of the blob of which least is known.
 */
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
