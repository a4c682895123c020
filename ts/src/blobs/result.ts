/** What a blob source answers. Data alone: all of it can be cloned, and written as JSON (the blobs' bytes apart). */
import type { FailureKind } from '../beacon/failure.ts'
import type { PayloadReport } from '../block-data/report.ts'
import type { LinkState, Links } from '../verdict/verdict.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** A blob that was verified. */
export interface VerifiedBlob {
  /**
   * Its place among all blobs of its block; null where the block's commitments are not known (found by its versioned hash alone). Where a block has the same blob several
   * times, each that is asked for has a place of its own; those of a transaction are the transaction's own places, or, where its block's other transactions
   * are not known (`proof_getTransactionByHash`), the first ones. Without the block's list of commitments one of the places is known, and the others are null.
   */
  readonly index: number | null
  /** 131,072 bytes. */
  readonly blob: ByteArray
  /** Its KZG commitment: 48 bytes as 0x hex. Null where a transaction or a call named its versioned hash alone, and no block its commitment. */
  readonly commitment: string | null
  /** Its versioned hash: 32 bytes as 0x hex. */
  readonly versionedHash: string
}

/**
 * - `complete`: all blobs that were asked for are here. - `partial`: some of them.
 * - `missing`: none of them, and it is known that there are some.
 * - `none`: there are no blobs: the block or the transaction has none, or there is no block, as `reason` says.
 * - `unknown`: it could not be found out which blobs are meant, or whether there are any.
 */
export type BlobsVerdict = 'complete' | 'partial' | 'missing' | 'none' | 'unknown'

/**
 * Why that verdict.
 * - `verified`: each blob was verified against the commitments of its block, or the versioned hashes that were asked for; `links.kzg` says
 *   whether all of that was computed here, or the verifier's cache was believed.
 * - `not-served`: everyone that was asked answered, and nobody had what is missing. `false`: what was given for it was refused.
 * - `unreachable`: of those that might have what is missing, not all gave an answer in time that could be read; who refuses every request for
 *   data gave none.
 *   `unfinished`: the deadline came while answers were still being verified here: with more time there may be more.
 *   `expired`: nobody has it, and nodes need not keep data of that age: an archive may have it.
 * - `no-blobs`: the block, or the transaction, has none. `empty-slot`: the slot has no block. `before-deneb`: there were no blobs yet.
 *   `payload-not-revealed`: the payload of the block of Gloas never became part of the chain.
 * - `may-have-no-payload`: the blobs are missing, and it is not known yet whether the payload was revealed.
 * - `no-header`: it is not known which beacon block is meant. `no-block`: nobody gave the block, without which its commitments are not
 *   known. `no-transaction`: no execution endpoint gave the transaction, or its block. `not-of-the-chain`: the execution block is not the
 *   one of the beacon block at its time, which may show in the blobs that this has, or none of the chain that the anchor is of.
 * - `not-found`: versioned hashes that are not of the block, or that nothing names a block for, and that neither cache nor files have.
 * - `crashed`: our own workers crashed. `unsupported-fork`: of a fork that this version does not know, or that by the network's config has
 *   not begun in that slot; or a number of blobs that no block of its time can have.
 */
export type BlobsReason =
  | 'verified'
  | 'not-served'
  | 'false'
  | 'unreachable'
  | 'unfinished'
  | 'expired'
  | 'no-blobs'
  | 'empty-slot'
  | 'before-deneb'
  | 'payload-not-revealed'
  | 'may-have-no-payload'
  | 'no-header'
  | 'no-block'
  | 'no-transaction'
  | 'not-of-the-chain'
  | 'not-found'
  | 'crashed'
  | 'unsupported-fork'

/** The links of a verdict, and the two that lead over the execution layer. */
export interface BlobLinks extends Links {
  /** The transaction that names the versioned hashes is in the execution block: by its trie, whose root the block's header has. */
  readonly transaction: LinkState
  /**
   * The execution block is the one of the beacon block whose header is known; or `trusted`, where it is the caller's word. `absent` where nobody gives the
   * beacon block, though it has the transaction's blobs.
   */
  readonly 'execution-block': LinkState
}

/** In which form blobs came. */
export type BlobsVia = 'cache' | 'blobs' | 'data-columns' | 'blob-sidecars' | 'files'

/** What one endpoint, archive, file or the cache did for a call. */
export interface SourceShare {
  /** Its name: an origin, with `#2` and so on where several share one; the name of a file; `cache`. */
  readonly source: string
  readonly role: 'beacon' | 'execution' | 'archive' | 'file' | 'cache'
  /** How many requests were sent to it. */
  readonly requests: number
  /** The size in bytes of those of its answers that were read to their end. */
  readonly bytes: number
  /** The places in the block (where they are not known: in the call) of blobs that it gave, whole or in columns, and that are in the answer. */
  readonly gave: readonly number[]
  /** What it gave that is false: which thing, and why; the first 32. */
  readonly refused: readonly { readonly what: string; readonly reason: string }[]
  /** Requests that failed, and answers that could not be read, with what happened in words; the first 32. */
  readonly failures: readonly { readonly kind: FailureKind; readonly detail: string }[]
}

/** Who did what, and how long it took. */
export interface BlobsReport {
  readonly sources: readonly SourceShare[]
  /** In which form the verified blobs came; several where parts came in different ways. */
  readonly via: readonly BlobsVia[]
  /** Milliseconds: to know the header; to know its commitments, or that they are slow to come; to have the blobs; in all. */
  readonly timings: {
    readonly headerMs: number
    readonly blockMs: number
    readonly blobsMs: number
    readonly totalMs: number
  }
  /** Bytes of all answers that were read whole. */
  readonly bytes: number
}

/** The result of `BlobSource.get`. */
export interface BlobsResult {
  readonly verdict: BlobsVerdict
  readonly reason: BlobsReason
  /** For people: what could not be had, and why; null where there is nothing to add. */
  readonly detail: string | null
  /** Verified blobs alone: in the block's order, for a transaction in the transaction's, for versioned hashes in the call's. */
  readonly blobs: readonly VerifiedBlob[]
  /** How many blobs were asked for: all of the block's, the transaction's, the hashes. Null where it is not known. */
  readonly wanted: number | null
  /** The beacon block; null where it is not known. */
  readonly block: {
    readonly slot: number
    /** 32 bytes as 0x hex. */
    readonly root: string
    /** All commitments of the block, 48 bytes each as 0x hex; null where they are not known. */
    readonly commitments: readonly string[] | null
  } | null
  /**
   * Of a block of Gloas: what became of its payload, as the next beacon block shows it. Where it is `unknown`, blobs that are here may turn out to be no part
   * of the chain, unless the `anchor` of the call vouches for the execution block. Null before Gloas, with `no-blobs`, and where it was not looked for.
   */
  readonly payload: PayloadReport | null
  /** The execution block; null where nothing asked for it. */
  readonly execution: {
    /** 32 bytes as 0x hex. */
    readonly hash: string
    readonly number: number
    /** Unix time in seconds. */
    readonly timestamp: number
  } | null
  /** The transaction that was asked for; null for other queries. */
  readonly transaction: {
    /** 32 bytes as 0x hex. */
    readonly hash: string
    /** Its place in its block. */
    readonly index: number
    /** Its versioned hashes, 32 bytes each as 0x hex. */
    readonly versionedHashes: readonly string[]
  } | null
  /** What was verified, and what was taken on trust: what all blobs of the answer have in common; where there are none, what is known of the block. */
  readonly links: BlobLinks
  readonly report: BlobsReport
}
