/** What a sampler tells. Data alone: all of it can be cloned, and written as JSON (blobs, which are bytes, apart). */
import type {
  BlockId,
  ColumnAttempt,
  EndpointShare,
  MissingReason,
  PayloadReport,
  RebuiltBlob,
  SidecarEvent,
} from '../block-data/report.ts'
import type { Links } from '../verdict/verdict.ts'
import type { StageProgress } from '../util/progress.ts'

/**
 * - `available`: everything that was chosen was delivered and verified (or as much of a larger sample as the error allows),
 *   or so much that the whole can be rebuilt. As certain as `confidence` says, and no more.
 * - `unavailable`: the block has blobs, and more than half of its 128 columns were denied by every endpoint, each in a complete answer (or were
 *   delivered, and false; columns of another block count neither way, unless their sender had others of this one), so that these endpoints cannot
 *   rebuild it; before Fulu, a blob was.
 * - `payload-not-revealed`: a block of Gloas promised a payload, and the next block builds on an older one: the payload with its blobs never
 *   became part of the chain, and its columns may never have existed. Nobody is accused of it. `payload` has the evidence.
 * - `no-blobs`: the block has none, by its proven header, or by its own list of commitments, which from Gloas on is in its bid.
 * - `no-block`: there is no block in that slot.
 * - `unknown`: nothing can be concluded: nobody could be asked, or it is not known whether the block has blobs.
 */
export type SampleVerdict =
  | 'available'
  | 'unavailable'
  | 'payload-not-revealed'
  | 'no-blobs'
  | 'no-block'
  | 'unknown'

/**
 * Why that verdict.
 * - `sampled`: the sample is as large as the target asks for. `reconstructible`: half of all columns or more were
 *   verified, from which the whole follows. `complete`: all blobs were verified, whole.
 * - `columns-missing`: more columns of the sample than may be missing, and 65 of all 128 (before Fulu: a blob), were denied by every endpoint.
 *   `count-mismatch`: the commitments are not as many as the proven execution header's blob gas says.
 * - `payload-not-revealed`: as the verdict says.
 * - `proven-empty`: `blob_gas_used` is 0, or the block (from Gloas on the bid in it) has no commitments. `before-deneb`: there were no blobs yet.
 *   `empty-slot`: the slot has no block.
 * - `no-header`: it is not known which block that is. `unreachable`: no endpoint gave an answer that could be used. `may-have-no-blobs`: nothing
 *   was delivered, and whether there is anything is not proven, since no execution header says it and no endpoint gave the block. `expired`: columns are missing of a block so old that nodes
 *   need not keep them. `no-commitments`: no endpoint gave the block, without which nothing says what the columns of Gloas are of.
 *   `may-have-no-payload`: columns are missing, and it is not known yet whether the payload was revealed; the next block will
 *   show it. `not-all-answered`: columns are missing, and an endpoint that did not answer in time (or knew nothing of the
 *   block: 404, or answered with another one's columns) may have them; so it is where some columns were verified, and nobody answered for the others. One that does not serve the route (`no-route`) does not count as long as another one is there. `crashed`: our own workers crashed. `unsupported-fork`: of a fork that this version does not know, or that by
 *   the network's config has not begun in that slot; or a number of blobs that no block of its time can have.
 */
export type SampleReason =
  | 'sampled'
  | 'reconstructible'
  | 'complete'
  | 'columns-missing'
  | 'count-mismatch'
  | 'payload-not-revealed'
  | 'proven-empty'
  | 'before-deneb'
  | 'empty-slot'
  | 'no-header'
  | 'unreachable'
  | 'not-all-answered'
  | 'may-have-no-blobs'
  | 'may-have-no-payload'
  | 'no-commitments'
  | 'expired'
  | 'crashed'
  | 'unsupported-fork'

/**
 * In which form the data came: columns, blob sidecars with their proofs, or bare blobs; `header` where the header, its block or
 * the next one said it all. Anything but columns is a fallback.
 */
export type SampleVia = 'data-columns' | 'blob-sidecars' | 'blobs' | 'header'

/**
 * Whose it was that came by a fallback: of the endpoints themselves (whole blobs in the place of columns), of an archive, or of
 * files that were at hand. That an archive or a file has the data says nothing of who else can get it.
 */
export interface SampleFallback {
  readonly from: 'endpoints' | 'archives' | 'files'
  /** Names of those that gave what was verified. */
  readonly sources: readonly string[]
}

/** What became of one chosen column. */
export interface ColumnOutcome {
  /** 0 to 127. */
  readonly index: number
  /**
   * Whether it was added because others were missing: to the sample, or beyond it. The first `confidence.samples` outcomes of a report are of the
   * sample. Those after it were asked for when the sample had failed, to know whether the endpoints can rebuild the block.
   */
  readonly added: boolean
  /** `verified`: here, or before, as the verifier's cache says: then the report's `links.kzg` is `trusted`. */
  readonly status: 'verified' | 'missing'
  /** Null where it is verified. */
  readonly reason: MissingReason | null
  /** The name of the endpoint that delivered it, verified; else null. */
  readonly source: string | null
  /** Whom it was asked of, in order, and what came of it. Capped at 64. */
  readonly attempts: readonly ColumnAttempt[]
}

/**
 * How likely it is that a block whose data is not available would have passed as this one did. Data is available where at least 64 of
 * its 128 columns were published, since all others can be rebuilt from any 64 (EIP-7594).
 */
export interface Confidence {
  /** How many columns were drawn for the sample. All of them are distinct. Those that were asked for beyond it do not count. */
  readonly samples: number
  /** How many columns of the sample nobody delivered. */
  readonly missing: number
  /**
   * An upper bound of the probability, from 0 to 1, that a block of which at most 63 columns were published passes a sample of this
   * size with this many columns missing. It is exact but for rounding. It is 0 where `certain`, and 1 where nothing was shown.
   */
  readonly maxError: number
  /** `maxError` as a number of bits, −log₂(maxError); null where `certain`. */
  readonly bits: number | null
  /**
   * Whether the data itself is here, or can be rebuilt from what is here, so that no probability is left. Where `links.kzg` is `trusted`, it
   * takes a cache that is right, as `assumption` says.
   */
  readonly certain: boolean
  /** How many different servers delivered what was verified. */
  readonly servers: number
  /**
   * The same bound for the case that one of these servers sent data to us only, and to nobody else, as the block's maker may who published too little.
   * It is computed for each server, with that server's columns counted as missing; this is the largest value. 1 where there is one server, where whole blobs
   * came instead of columns, and where nothing was shown.
   */
  readonly maxErrorIfOneLies: number
  /** Verified columns, by index, that a complete answer of one server lacked and exactly one other server delivered. */
  readonly contested: readonly number[]
  /**
   * Whether the error is at most the target's even if one server lies (`maxErrorIfOneLies`), and nothing is contested. Otherwise all
   * that is shown is that these servers have them. It takes more than a small sample: half of all columns without those of any
   * one server, for example 128 columns of two servers, or 96 of three.
   */
  readonly independent: boolean
  /** What the number rests on, in a sentence. It is to be printed wherever the number is. */
  readonly assumption: string
}

/**
 * Something that nobody checked, of what a reader of the report might take for checked.
 * - `kzg`: of some of the data it was not verified here that it belongs to its commitments: the verifier's cache says that it does.
 * - `header`, `sync-committee`, `checkpoint`: the header is on trust, or what leads to it is.
 * - `proposer-signature`: nobody verified who proposed the block.
 * - `blob-count`: that the block has as many blobs as that is not proven by its execution header.
 * - `columns-not-sampled`: some columns were not drawn, and are known by the sample's odds alone.
 * - `independence-of-endpoints`: one server could be showing its data to this client alone (`Confidence.independent`).
 */
export type NotVerified =
  | 'kzg'
  | 'header'
  | 'sync-committee'
  | 'checkpoint'
  | 'proposer-signature'
  | 'blob-count'
  | 'columns-not-sampled'
  | 'independence-of-endpoints'

/** What is known of a block's data, by what evidence, and who gave it: the result of `Sampler.sampleBlock`. */
export interface SampleReport {
  /** The block as it was named in the call. */
  readonly id: BlockId
  /** Null where it is not known which block is meant. */
  readonly block: { readonly slot: number; readonly root: string } | null
  /** Whether the data is there. */
  readonly verdict: SampleVerdict
  /** Why that is the verdict. */
  readonly reason: SampleReason
  /**
   * For people, by `reason`; else null.
   * - `no-header`: why it is not known which block is meant.
   * - `unsupported-fork`: the epoch in which the fork began that is not supported, or why what an endpoint gave could not be read, or how many
   *   blobs the block has; null where only the header or the bid shows it.
   * - `no-commitments`: why the block could not be had.
   * - others: why whole blobs, where they were asked for, could not be verified (`setup-unavailable`, for example).
   */
  readonly detail: string | null
  /** In which form the data came. */
  readonly via: SampleVia
  /** Null where the verdict rests on the endpoints' columns, or on the header alone. */
  readonly fallback: SampleFallback | null
  /** How sure the verdict is. */
  readonly confidence: Confidence
  /** In the order in which they were drawn. Empty where none were, for whole blobs, and where the block turned out to have no blobs. */
  readonly columns: readonly ColumnOutcome[]
  /** In the order of the options; then archives and files, as far as they were asked. */
  readonly endpoints: readonly EndpointShare[]
  /** What was verified and what was taken on trust, for what was delivered, or all `absent`. */
  readonly links: Links
  /** What nobody checked; empty where everything was. */
  readonly notVerified: readonly NotVerified[]
  /** Of a block of Gloas or later: what became of its payload. Null before Gloas, and where the block could not be had. */
  readonly payload: PayloadReport | null
  /**
   * How many blobs the block has: `proven` by its execution header (`blob_gas_used`), or from Gloas on by the bid in the block, where a light
   * client verified its header; `committed` where the list of commitments, which belongs to the header, says so: that of verified data, or of the block; else not known.
   */
  readonly blobCount: { readonly count: number | null; readonly by: 'proven' | 'committed' | 'unproven' }
  /** The block's commitments, 0x hex, in its order: of verified data, or of the block; empty where there is none. */
  readonly commitments: readonly string[]
  /** Milliseconds: to know the header; to fetch; to verify; in all. Fetching and verifying may take turns. */
  readonly timings: {
    readonly headerMs: number
    readonly fetchMs: number
    readonly verifyMs: number
    readonly totalMs: number
  }
  /** Bytes of all answers that were read whole. */
  readonly bytes: number
  /** All blobs, rebuilt from verified columns; null where that was not asked for, or there are not enough of them. */
  readonly blobs: readonly RebuiltBlob[] | null
}

/** What happens while a block is sampled, before it is counted. */
export type SampleEvent =
  /** The block is known; `blobs` where its header tells, or from Gloas on its bid. */
  | {
      readonly kind: 'block'
      readonly slot: number
      readonly root: string
      readonly blobs: number | null
    }
  /** Columns were drawn; `added` because others are missing, to the sample or beyond it. They are fixed from now on. */
  | { readonly kind: 'chosen'; readonly columns: readonly number[]; readonly added: boolean }
  | SidecarEvent
  /** What became of a column. Nothing follows on it. */
  | { readonly kind: 'column'; readonly outcome: ColumnOutcome }
  /** The report, which the call returns next. */
  | { readonly kind: 'done'; readonly report: SampleReport }

type EventOf<Kind extends SampleEvent['kind']> = Extract<SampleEvent, { readonly kind: Kind }>

/**
 * What happens while a block is sampled: what `onProgress` is called with. Beside the stage and how far it is, `kind` names the event, and
 * says which fields come with it. The stages are `block` (which block it is), `columns` and `report`. The steps of `columns` are those that
 * were chosen, and a step is done when nothing more will become of it; `total` grows where more are chosen, and is 0 before Fulu, where
 * blocks have no columns.
 */
export type SampleProgress =
  | (StageProgress<'block'> & EventOf<'block'>)
  | (StageProgress<'columns'> & EventOf<'chosen' | 'fetched' | 'refused' | 'column'>)
  | (StageProgress<'report'> & EventOf<'done'>)

/**
 * What became of a slot; `missed`: it was not sampled, since it went by too fast, its header could not be had in time, or for what `onError` was
 * told.
 */
export type SlotOutcome = SampleVerdict | 'missed'

/**
 * A slot that was followed. Or several in a row, from `slot` to `lastSlot`, where there are too many to report one by one; nothing was sampled there. A slot
 * comes again where a reorganisation has put something else in the place of what was reported, or may have, and where the next block tells
 * what could not be told before.
 */
export interface SlotReport {
  readonly slot: number
  /** The last slot of the run: `slot` itself, but for one of several. */
  readonly lastSlot: number
  readonly outcome: SlotOutcome
  /**
   * Whether this slot was reported before. It comes again where another block took the place of its block, or of the next one (`payload.child`), and where
   * what became of its payload was `unknown` (`payload.status`), and the next block now shows it. What was `available` comes again only where that shows
   * that the payload was not revealed.
   */
  readonly again: boolean
  /** Null where nothing was asked: the slot went by, or the next block's header shows that it is empty. */
  readonly report: SampleReport | null
}

/** Slots since `follow` was called, by outcome: `slots` is the sum of all others. Those that come again count again. */
export interface SlotCounters {
  readonly slots: number
  readonly available: number
  readonly unavailable: number
  readonly payloadNotRevealed: number
  readonly noBlobs: number
  readonly noBlock: number
  readonly unknown: number
  readonly missed: number
}
