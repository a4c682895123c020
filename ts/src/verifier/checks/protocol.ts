/** What the checks are given, and what they make of it. Everything here can be cloned. */
import type { ExecutionFork } from '../../beacon/execution-forks.ts'
import type { Portable } from '../../util/portable.ts'
import type { HeaderLinks } from '../../verdict/provenance.ts'
import type { Links, Refusal } from '../../verdict/verdict.ts'

/** What comes in lists, as the Beacon API answers them. */
export type SidecarName = 'blob-sidecar' | 'data-column-sidecar'

/** What one caller handed over for verification, still unread. */
export interface UncheckedItem {
  readonly kind: 'blob' | 'cell' | SidecarName | 'transaction'
  /** Its place in the call, from 0. */
  readonly at: number
  readonly item: Portable
}

/** What items are checked against, besides themselves. */
export type Anchor =
  | { readonly kind: 'none' }
  /** 112 bytes of SSZ header, or the 32 bytes of its root; and what is known of it. */
  | { readonly kind: 'header'; readonly header: Uint8Array; readonly links: HeaderLinks }
  /** Lower-case hex digits, without prefix. */
  | { readonly kind: 'versioned-hashes'; readonly hashes: readonly string[] }
  | { readonly kind: 'commitments'; readonly commitments: readonly string[]; readonly block?: AnchorBlock }

/** The block that a list of commitments is of: its header, or the 32 bytes of its root; and what is known of list and header. */
export interface AnchorBlock {
  readonly header: Uint8Array
  readonly links: HeaderLinks & Pick<Links, 'inclusion'>
}

/** Some items of a call, with what is the same for all of them. */
export interface CheckRequest {
  readonly items: readonly UncheckedItem[]
  /** Where their bytes lie, or most of them: returned with the answer. */
  readonly buffer: ArrayBuffer | null
  /** Buffers that were the caller's, in which their bytes may lie as well: returned with the answer, in this order. */
  readonly taken: readonly ArrayBuffer[]
  /** Where the units may be written: returned with the answer. */
  readonly unitBuffer: ArrayBuffer
  readonly anchor: Anchor
  /** How many items the call has. */
  readonly count: number
  /** The network's forks and blob schedule, as `networkWords` lays them out for the module. */
  readonly network: BigUint64Array
  /** The execution fork whose rules a transaction must follow; null for one that is not known, and where there is no transaction. */
  readonly fork: ExecutionFork | null
  /** Whether sidecars' signed headers are wanted, for their signatures. */
  readonly wantsHeaders: boolean
}

/** Of SHA-256. */
export const HASH_BYTES = 32

/**
 * The byte string that is deduplicated, cached, batched and verified (crates/kzg, `unit`), and behind it SHA-256 of its body:
 * see `hashBodies` for who may believe it.
 */
export type HashedUnit = Uint8Array<ArrayBuffer>

/**
 * A unit and its digest in hex, which is its identity everywhere. Its bytes lie beside those of its neighbours; while they are
 * lent to a worker there are none here, and after a crash there are none any more.
 */
export interface Unit {
  readonly digest: string
  /** Byte 0 of its bytes: what is claimed. */
  readonly kind: number
  bytes: HashedUnit
}

/*
 * The kinds of units (crates/kzg, `unit` and `bare_blob`): a blob, a column or a cell, and without a proof a blob of a commitment, and one of
 * some versioned hashes. 3 is a blob with proofs of its cells.
 */
export const BLOB = 1
export const COLUMN = 2
export const BLOB_OF_COMMITMENT = 5
const BLOB_OF_VERSIONED_HASH = 6
/** No rule bounds a transaction; one of the most blobs that ever fitted in a block is a quarter of this. */
export const MAX_TRANSACTION_BYTES: number = 64 << 20

/** The kind that no unit has: a transaction's digest begins with it. */
export const TRANSACTION = 4

/** Whether a unit of this kind is a blob without a proof. */
export const isBare = (kind: number | undefined): boolean =>
  kind === BLOB_OF_COMMITMENT || kind === BLOB_OF_VERSIONED_HASH

/** A delivery after the cheap checks: refused, or with a unit for KZG; a transaction has one of these for each blob. */
export type Checked =
  | { readonly links: Links; readonly refusal: Refusal }
  | {
      readonly links: Links
      /** Links that hold if KZG finds the unit valid, and of which nothing is known otherwise. */
      readonly linksIfValid?: Partial<Links>
      readonly unit: Unit
      /** SignedBeaconBlockHeader of a sidecar, 208 bytes, where someone is to look at its signature. */
      readonly signedHeader?: Uint8Array
    }
  | { readonly links: Links; readonly digest: string; readonly blobs: readonly Checked[] }
