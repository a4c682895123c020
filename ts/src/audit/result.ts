/** What an audit finds out, as data alone: it can be written as JSON, and sent from one machine to another. */
import type { FailureKind } from '../beacon/failure.ts'
import type { StageProgress } from '../util/progress.ts'

/** What one server has of the blobs of one block. */
export type ServerOutcome =
  /** It gave all of them, and nothing that is false. */
  | 'complete'
  /** It answered, and lacks some of them. */
  | 'missing'
  /** It gave something that is false, whatever else it gave. */
  | 'wrong'
  /** It gave an answer that cannot be read: cut short, too long, or not what was asked for. */
  | 'unreadable'
  /** It could not be found out: no connection, no answer in time, an error of its own or of ours. */
  | 'unknown'

/**
 * What is known of one slot. With blobs it is the worst of what the audited servers have: `wrong`, then `missing`, `unreadable`, `unknown`,
 * `complete`. Else `no-blobs` (the block has none, or its payload of Gloas was never revealed), `no-block` (the slot is empty), or
 * `unknown`, where the block or what it commits to could not be had.
 */
export type SlotOutcome = ServerOutcome | 'no-blobs' | 'no-block'

/** All outcomes of a slot, the worst first. */
export const slotOutcomes: readonly SlotOutcome[] = [
  'wrong',
  'missing',
  'unreadable',
  'unknown',
  'complete',
  'no-blobs',
  'no-block',
]

/** All outcomes of a server, the worst first. */
export const serverOutcomes: readonly ServerOutcome[] = [
  'wrong',
  'missing',
  'unreadable',
  'unknown',
  'complete',
]

/** What one server gave of one block, and what it did not. */
export interface ServerResult {
  /** Its name: an origin, with `#2` and so on where several share one. */
  readonly server: string
  readonly outcome: ServerOutcome
  /**
   * The places in the block of the blobs that it did not give, or that could not be verified. Where the outcome is `unknown`, it may have them all the
   * same.
   */
  readonly lacks: readonly number[]
  /** What it gave that is false: which thing, and why. */
  readonly refused: readonly { readonly what: string; readonly reason: string }[]
  /** Requests that failed, and answers that could not be read, each with what happened in words. */
  readonly failures: readonly { readonly kind: FailureKind; readonly detail: string }[]
}

/** What was found out of one slot. */
export interface SlotResult {
  readonly slot: number
  /** The root of the slot's block: 32 bytes as 0x hex; null where there is none, or it is not known. */
  readonly root: string | null
  /**
   * What the root, or that there is no block, rests on: `verified`, by a light client from its checkpoint; `trusted`, on somebody's word;
   * null where nothing is known.
   */
  readonly header: 'verified' | 'trusted' | null
  readonly outcome: SlotOutcome
  /** Why that outcome, where no server says so: a word for programs; else null. */
  readonly reason: string | null
  /** For people: what could not be had, and why; else null. */
  readonly detail: string | null
  readonly blobs: {
    /** How many blobs the block has; null where it is not known. */
    readonly wanted: number | null
    /** How many of them at least one server gave, verified. */
    readonly valid: number
  }
  /** What each server has; none where nothing was asked of them. */
  readonly servers: readonly ServerResult[]
  /** The size in bytes of what servers answered, as far as it was read to its end. */
  readonly bytes: number
}

/** Slots from one to another, both included: the unit in which an audit is done, passed on, and done again. */
export interface SlotRange {
  readonly from: number
  readonly to: number
}

/** What was found out of a range: one result for each slot, in their order. */
export interface RangeResult extends SlotRange {
  readonly slots: readonly SlotResult[]
}

/** How many slots had which outcome. */
export type SlotCounts = { readonly [outcome in SlotOutcome]: number }

/** How many blocks with blobs of one server had which outcome. */
export type ServerCounts = { readonly [outcome in ServerOutcome]: number }

/** What an audit came to. */
export interface AuditSummary extends SlotRange {
  /** Slots with a result; all of the range, once the audit is whole. */
  readonly slots: number
  readonly counts: SlotCounts
  readonly servers: { readonly [server: string]: ServerCounts }
  /** Of the blobs of all blocks with results: how many there are, and how many at least one server gave, verified. */
  readonly blobs: { readonly wanted: number; readonly valid: number }
  /** Slots of which some server lacks a blob, gave what is false, gave what cannot be read, or of which something is not known. */
  readonly missing: readonly SlotRange[]
  readonly wrong: readonly SlotRange[]
  readonly unreadable: readonly SlotRange[]
  readonly unknown: readonly SlotRange[]
  /** Slots with a blob that no server gave. */
  readonly nowhere: readonly SlotRange[]
  readonly bytes: number
}

/** Where an audit is: `headers` (how many slots of the way are known), `slots` (how many of those asked for have a result). */
export type AuditProgress = StageProgress<'headers' | 'slots'>
