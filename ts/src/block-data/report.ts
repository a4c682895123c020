/** What is told of a block's data, and of those who were asked for it: the words that several reports share. */
import type { FailureKind } from '../beacon/failure.ts'
import type { InvalidReason, MalformedReason } from '../verdict/reasons.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** Which block: the newest, the newest that is final, the one in a slot (as a number or in decimal digits), or a root as 0x hex. */
export type BlockId = 'head' | 'finalized' | number | string

/**
 * How one endpoint answered to a question for one column: it was `verified`; `false` (well formed or not, the verifier
 * refused it: `reason` says why); `not-delivered` (the answer was complete, and had no such column, or there was none: 404);
 * or there was no answer to use, for a reason of the transport.
 */
export type ColumnAttempt = { readonly endpoint: string } & (
  | { readonly outcome: 'verified' | 'not-delivered' }
  | { readonly outcome: 'false'; readonly reason: InvalidReason | MalformedReason }
  | { readonly outcome: Exclude<FailureKind, 'not-found'>; readonly detail: string }
)

/**
 * Why a column is missing, by the worst that is known: someone sent a `false` one and nobody a true one; it was
 * `not-delivered` by those who answered; nobody answered (`unreachable`); our own workers `crashed` on it.
 */
export type MissingReason = 'false' | 'not-delivered' | 'unreachable' | 'crashed'

/**
 * What one endpoint did for one block. An archive or a file has an entry, too; its lists are empty, since archives and files have
 * whole blobs, and the lists are about columns.
 */
export interface EndpointShare {
  /** The endpoint's name, as in reports of a light client: its origin, with `#2` and so on where several share one. */
  readonly endpoint: string
  /** How many requests were sent to it. */
  readonly requests: number
  /** The size in bytes of those of its answers that were read to their end. */
  readonly bytes: number
  /** The indices of the columns that it was asked for; none where the block turned out to have no blobs. */
  readonly asked: readonly number[]
  /** The indices of the columns that it delivered, and that were verified. */
  readonly verified: readonly number[]
  /** The indices of those of `asked` that a complete answer of it did not have. */
  readonly notDelivered: readonly number[]
  /** The indices of the columns that it delivered, and that are false or malformed, each with the reason. */
  readonly refused: readonly { readonly index: number; readonly reason: InvalidReason | MalformedReason }[]
  /** How many columns it delivered that it had not been asked for. They are ignored. */
  readonly unrequested: number
  /**
   * How many further copies of a column it delivered in one answer. Two of them are looked at where those before are refused: some nodes answer
   * for all blocks of a slot. The others are ignored.
   */
  readonly duplicates: number
  /** Requests that failed, and answers that could not be read, with what happened in words; the first 32. */
  readonly failures: readonly { readonly kind: FailureKind; readonly detail: string }[]
}

/**
 * What became of the payload that a block of Gloas promises in its bid, and how that is known. The block itself does not say: the next
 * block does, which builds on this payload or on an older one (get_parent_payload_status, specs/gloas/fork-choice.md).
 */
export interface PayloadReport {
  /**
   * `full`: revealed, and part of the chain. `empty`: not revealed, or not in time: the chain goes on without it. `unknown`: the next block
   * is not known yet, could not be had in time, or was not looked for, since the bid has no blobs.
   */
  readonly status: 'full' | 'empty' | 'unknown'
  /** `bid.block_hash`, the execution block that the payload would be: 32 bytes as 0x hex. */
  readonly blockHash: string
  /**
   * The next block of the chain, which is known by the same light client or source of headers: its slot and root, and the execution block that it builds on
   * (`bid.parent_block_hash`). That is `blockHash` where the payload was revealed. Null where the status is `unknown`.
   */
  readonly child: { readonly slot: number; readonly root: string; readonly parentBlockHash: string } | null
}

/** A blob that was rebuilt from verified columns. */
export interface RebuiltBlob {
  /** Its place in the block. */
  readonly index: number
  /** 131,072 bytes. */
  readonly blob: ByteArray
  /** Its KZG commitment: 48 bytes as 0x hex. */
  readonly commitment: string
}

/** What happens while sidecars are fetched. Before Fulu they are of blobs. */
export type SidecarEvent =
  /** A column arrived, and is not verified yet. */
  | {
      readonly kind: 'fetched'
      readonly column: number
      readonly endpoint: string
      readonly bytes: number
    }
  /** A column was refused; it is asked of another endpoint, if there is one. */
  | {
      readonly kind: 'refused'
      readonly column: number
      readonly endpoint: string
      readonly reason: InvalidReason | MalformedReason
    }
