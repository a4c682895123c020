/** The options of a blob source, what it can be asked for, and its interface. What it answers is in `result.ts`. */
import type { Fetch } from '../beacon/request.ts'
import type { LightClient } from '../light-client/light-client.ts'
import type { HeaderSource, SidecarFile } from '../block-data/options.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'
import type { StageProgress } from '../util/progress.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { BlobsResult } from './result.ts'

/** URLs of servers, up to 16. */
export type Urls = string | PlatformUrl | readonly (string | PlatformUrl)[]

/**
 * Where blobs are kept between calls, by versioned hash. Nothing in it is trusted: what it gives is verified like what an endpoint gives. A
 * cache that fails is passed over, and counted in the report.
 */
export interface BlobCache {
  /** The blob of a versioned hash (32 bytes as lower-case 0x hex): 131,072 bytes; null where it has none. */
  get(versionedHash: string): Promise<Uint8Array | null>
  /** Keeps a blob that was verified. The bytes are a copy, which is the cache's own. */
  put(versionedHash: string, blob: Uint8Array): Promise<void>
}

/** Options of `createBlobSource`. */
export interface BlobSourceOptions {
  /**
   * Verifies what is fetched; its network is the source's. The source does not dispose of it. It must be the very object that `createVerifier`
   * of `blobcheck` made: what only has the same methods, as a fake or a proxy, is a `TypeError`, since more than these is used.
   */
  readonly verifier: Verifier
  /** Says which header a block has: a light client, or a source that you trust. The source does not dispose of it. */
  readonly headers: LightClient | HeaderSource
  /** URLs of Beacon API endpoints, up to 16. None is trusted. */
  readonly beacon: Urls
  /** URLs of JSON-RPC endpoints of the execution layer, up to 16. None is trusted. Needed for `transaction` and `blockHash` alone. */
  readonly execution?: Urls
  /** URLs of blob archives, up to 16: whoever keeps blobs for longer than nodes do, and answers as a node does. None is trusted. */
  readonly archives?: Urls
  /** Sidecars that you have at hand. */
  readonly files?: readonly SidecarFile[]
  /** Where blobs are looked up first, and kept. By default nowhere. */
  readonly cache?: BlobCache
  /** How long an endpoint may take for one answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** How long a call may take, in milliseconds; default 30,000. What is not there by then is missing. */
  readonly deadlineMs?: number
  /** Requests that one endpoint gets at the same time, of all calls together, 1 to 16; default 4. Those beyond wait for their turn. */
  readonly requestsPerEndpoint?: number
  /** The `fetch` that requests are made with; default: the platform's. */
  readonly fetch?: Fetch
  /** Milliseconds of Unix time; default `Date.now`. */
  readonly now?: () => number
}

/**
 * An execution block's header that you trust: of Helios, Colibri, or a node of your own. `rlp` is the header as `debug_getRawHeader` gives
 * it; `hash` alone will do where an execution endpoint has the rest. Your word counts where the source of headers does not have the beacon block's
 * header; where it has it, that decides.
 */
export type ExecutionHeaderAnchor = { readonly hash: string } | { readonly rlp: string | Uint8Array }

/** Which blobs: all of one block, those of one transaction, or those of versioned hashes. */
export type BlobQuery =
  /** All blobs of the block in a slot, of the newest block, or of the newest that is final. */
  | (Only<'slot'> & { readonly slot: number | 'head' | 'finalized' })
  /** All blobs of the beacon block with this root: 32 bytes as 0x hex. */
  | (Only<'root'> & { readonly root: string })
  /** All blobs of the execution block with this hash: 32 bytes as 0x hex. */
  | (Only<'blockHash' | 'anchor'> & { readonly blockHash: string } & Anchored)
  /** The blobs of a transaction, by its hash: 32 bytes as 0x hex. */
  | (Only<'transaction' | 'anchor'> & { readonly transaction: string } & Anchored)
  /**
   * Blobs by their versioned hashes, 32 bytes each as 0x hex, in this order: of the block in a slot, or of a root. Without either they are
   * looked up in the cache and in the files, since the Beacon API finds no block by a versioned hash.
   */
  | (Only<'versionedHashes' | 'slot'> & {
      readonly versionedHashes: readonly string[]
      readonly slot?: number
    })
  | (Only<'versionedHashes' | 'root'> & {
      readonly versionedHashes: readonly string[]
      readonly root: string
    })

/** The fields of a query but for these, none of which may be given beside them. */
type Only<Name extends QueryField> = { readonly [Other in Exclude<QueryField, Name>]?: undefined }
type QueryField = 'slot' | 'root' | 'blockHash' | 'transaction' | 'versionedHashes' | 'anchor'

/** What may stand beside the hash of a transaction or of an execution block, and is a `TypeError` beside another query. */
interface Anchored {
  /** A header of the execution layer that you trust, of the very block, or of the one after it. */
  readonly anchor?: { readonly executionHeader: ExecutionHeaderAnchor }
}

/** Where a call is: `header` (which block), `block` (what it commits to), `blobs` (of those that are wanted, how many are verified). */
export type BlobsProgress = StageProgress<'header' | 'block' | 'blobs'>

/** What is wanted, and how. */
export type GetBlobsOptions = BlobQuery & {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: PlatformSignal | undefined
  /** Called with how far the call is. */
  readonly onProgress?: ((progress: BlobsProgress) => void) | undefined
  /** How long this call may take, in milliseconds, instead of the source's own deadline. */
  readonly deadlineMs?: number
}

/** Finds blobs and verifies them. `createBlobSource` makes one. It holds nothing that would have to be released. */
export interface BlobSource {
  /**
   * The blobs that are asked for, each verified, with what that rests on and who did what. Bytes are in it only if they were verified. What
   * could not be had is told by `verdict` and `reason`, and is no error. Rejects with the signal's reason, with `TypeError` for a query that
   * makes no sense, with `DisposedError` (of verifier or light client), and with what a `HeaderSource` of your own throws.
   *
   * @example
   * ```ts
   * const { verdict, reason, blobs, links, report } = await source.get({ slot: 'finalized', signal })
   * for (const { index, blob, versionedHash } of blobs) console.log(index, versionedHash, blob.length)
   * console.log(verdict, reason, links.inclusion, links['sync-committee'])
   * for (const { source, gave, refused } of report.sources) console.log(source, gave, refused)
   * ```
   */
  get(query: GetBlobsOptions): Promise<BlobsResult>
}
