/** The options of a sampler, and its interface. What it reports is in `report.ts`. */
import type { Fetch } from '../beacon/request.ts'
import type { LightClient } from '../light-client/light-client.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { HeaderSource, SidecarFile } from '../block-data/options.ts'
import type { BlockId } from '../block-data/report.ts'
import type { SampleProgress, SampleReport, SlotCounters, SlotReport } from './report.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'

/**
 * How much is to be sampled. `maxError`, 0 < p < 1: as many columns as keep the probability that a block that is not available
 * is taken for available to p at most, those included that are added because others are missing. `columns`, 1 to 128: the size
 * of the first sample; what that is worth, `confidence.maxError` says.
 */
export type SampleTarget = { readonly columns: number } | { readonly maxError: number }

/** Options of `createSampler`. */
export interface SamplerOptions {
  /**
   * Verifies what is fetched; its network is the sampler's. The sampler does not dispose of it. It must be the very object that `createVerifier`
   * of `blobcheck` made: what only has the same methods, as a fake or a proxy, is a `TypeError`, since more than these is used.
   */
  readonly verifier: Verifier
  /** Says which block is meant, and what its header is: a light client, or a source that you trust. The sampler does not dispose of it. */
  readonly headers: LightClient | HeaderSource
  /** URLs of Beacon API endpoints, up to 16. None is trusted; the more there are, and the less they know of each other, the better. */
  readonly beacon: string | PlatformUrl | readonly (string | PlatformUrl)[]
  /** Default `{ maxError: 2 ** -30 }`, which is 26 columns. */
  readonly target?: SampleTarget
  /**
   * How many of the chosen columns may be missing, at most, 0 to 64; default 8, as in the specification's table. For each that is missing, more
   * columns are drawn: with `target.maxError` so many that the whole procedure, with all its steps, keeps that error; with `target.columns` as many
   * as the specification's table says. 0: the first that is missing decides.
   */
  readonly allowMissing?: number
  /** Where whole blobs may come from when columns are missing. By default they come from nowhere. */
  readonly fallbacks?: {
    /**
     * Whether to take whole blobs of the endpoints where columns (before Fulu, sidecars) are missing: bare blobs
     * (`/eth/v1/beacon/blobs`), which are held against the commitments of a verified column or of the block; the points for it (262 KB) are
     * loaded then. Where that comes to nothing, blob sidecars (`/eth/v1/beacon/blob_sidecars`) with their proofs. Default false.
     */
    readonly blobs?: boolean
    /**
     * URLs of blob archives, up to 16: whoever keeps blobs for longer than nodes do, and answers as a node does to
     * `/eth/v1/beacon/blob_sidecars` or `/eth/v1/beacon/blobs`. They are asked for whole blobs alone, where the endpoints'
     * columns (before Fulu, sidecars) are missing; that they have none accuses nobody.
     */
    readonly archives?: string | PlatformUrl | readonly (string | PlatformUrl)[]
    /** Sidecars that you have at hand. They are looked at where the endpoints' are missing, before anybody else is asked. */
    readonly files?: readonly SidecarFile[]
  }
  /** How long an endpoint may take for one answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** How long a block may take, in milliseconds; default 30,000. What was not delivered by then is missing. */
  readonly deadlineMs?: number
  /** Requests that one endpoint gets at the same time, 1 to 16; default 2. */
  readonly requestsPerEndpoint?: number
  /** The `fetch` that requests are made with; default: the platform's. */
  readonly fetch?: Fetch
  /** Milliseconds of Unix time; default `Date.now`. */
  readonly now?: () => number
}

/** Options of `Sampler.sampleBlock`. */
export interface SampleOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: PlatformSignal | undefined
  /** Told of what happens while the block is sampled. */
  readonly onProgress?: ((event: SampleProgress) => void) | undefined
  /** How much is to be sampled of this block, instead of the sampler's own target. */
  readonly target?: SampleTarget
  /** How long this block may take, in milliseconds, instead of the sampler's own deadline. */
  readonly deadlineMs?: number
  /** Whether to rebuild the blobs where 64 columns or more were verified: `report.blobs`. Default false. */
  readonly reconstruct?: boolean
}

/** Options of `Sampler.follow`. */
export interface FollowSlotsOptions {
  /** Ends the iteration, gracefully: it is done, and throws nothing. */
  readonly signal?: PlatformSignal | undefined
  /** How long a slot may take, in milliseconds; default: a slot's length, and five seconds at least. */
  readonly deadlineMs?: number
  /** Slots that are sampled at the same time, 1 to 16; default 2. While nobody asks for the next report, no more are begun. */
  readonly concurrency?: number
  /**
   * How far back slots are made up for that went by meanwhile; those before are one report: `missed`, or `no-block` where the next block's header
   * shows that they were empty. Default 32.
   */
  readonly catchUpSlots?: number
  /** What happens within a slot, one after the other for each, several slots at a time. */
  readonly onProgress?: ((event: SampleProgress & { readonly slot: number }) => void) | undefined
  /**
   * Called for a header whose slot is more than one ahead of the clock (`now`), which is passed over: either the source or the clock is wrong. And
   * called with the reason why a slot is `missed`, where no endpoint is to blame: what `HeaderSource.resolve` threw, for example. Of a light client, with
   * the `BeaconUnavailableError` of each poll for headers that failed: no slot comes meanwhile.
   */
  readonly onError?: (error: Error) => void
  /** Whether to rebuild the blobs of blocks of which 64 columns or more were verified. Default false. */
  readonly reconstruct?: boolean
}

/** Slots as they are sampled, in the order of slots; with counters that can be read at any time. To be iterated once. */
export interface Following extends AsyncIterableIterator<SlotReport> {
  /** How many slots had which outcome so far; a copy. */
  readonly counters: SlotCounters
}

/** Samples blocks. `createSampler` makes one. */
export interface Sampler {
  /**
   * Samples a block: draws columns, requests them, verifies them. What endpoints do, and what they fail to do, is in the
   * report. Rejects with the signal's reason, `DisposedError` (of verifier or light client), `TypeError` for misuse, what a
   * `HeaderSource` of your own throws, and `WasmUnavailableError` where files of the package are missing.
   *
   * @example
   * ```ts
   * const report = await sampler.sampleBlock('finalized', { target: { columns: 64 }, reconstruct: true })
   * if (report.verdict === 'available') console.log(report.blobs?.length, report.confidence.assumption)
   * else console.log(report.verdict, report.reason, report.endpoints)
   * ```
   */
  sampleBlock(id: BlockId, options?: SampleOptions): Promise<SampleReport>
  /**
   * Samples slot by slot, from the present head on, until the signal is aborted, the loop is left, or the source of headers
   * ends. Throws `TypeError` for options that make no sense, and for a source without `headers`. The iteration rejects with what
   * `headers()` of the source throws, once the slots under way are reported, `DisposedError`, `TypeError` where that gives what is no header, and
   * `WasmUnavailableError` where files of the package are missing. What `resolve()` of the source throws passes: `onError` is told.
   *
   * @example
   * ```ts
   * for await (const { slot, outcome, again } of sampler.follow({ signal })) {
   *   console.log(slot, outcome, again ? '(again: more is known)' : '')
   * }
   * ```
   */
  follow(options?: FollowSlotsOptions): Following
  /** What follows from the target: how many columns the first sample has, and the error where none of them is missing. */
  readonly plan: { readonly columns: number; readonly maxError: number }
}
