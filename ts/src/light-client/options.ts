/** What a light client is told, and what it tells. */
import type { Bytes } from '../util/hex.ts'
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import type { HeaderLinks } from '../verdict/provenance.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { WasmSources } from '../runtime/kernel/module.ts'
import type { EndpointReport } from '../beacon/endpoint.ts'
import type { Fetch } from '../beacon/request.ts'
import type { Warning } from '../runtime/warning.ts'
import type { StoreOption } from './store/record-store.ts'
import type { TrustedHeader } from './trusted-header.ts'
import type { StageProgress } from '../util/progress.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'

/** Options of `LightClient.fromCheckpoint`. */
export interface LightClientOptions {
  /** Default mainnet. A config of your own needs `signing`. */
  readonly network?: NetworkName | NetworkConfig
  /** The root of a finalized block that you trust, 32 bytes: everything rests on it. */
  readonly checkpoint: Bytes
  /** URLs of Beacon API endpoints, up to 16. None is trusted; with several, none can stop the client. */
  readonly beacon: string | PlatformUrl | readonly (string | PlatformUrl)[]
  /** Where what was verified is kept (what takes more than 3 s is done without); default IndexedDB where there is one, memory elsewhere. */
  readonly store?: StoreOption
  /**
   * Whether to believe what was kept; default false: it is verified again, from the checkpoint. Other scripts of the same
   * origin can write to IndexedDB. Where it is believed, links say `trusted`, until an endpoint contradicts it: then it is verified
   * after all, or fetched anew, unless the checkpoint is too old for that. A record that is dated later than the clock is not
   * believed at all, nor is one that is older than the weak-subjectivity period.
   */
  readonly trustCache?: boolean
  /**
   * Whether to stand on what is older than the weak-subjectivity period all the same, be it the checkpoint or, after a long
   * sleep, the header that was final last; default false.
   */
  readonly allowStale?: boolean
  /**
   * The weak-subjectivity period, in epochs; default 3,532, and 1,348 from Gloas on (EIP-8061): what 8.4 million staked ETH allow
   * (`compute_weak_subjectivity_period`, specs/electra and specs/gloas/weak-subjectivity.md). Networks with less at stake have a shorter one.
   */
  readonly weakSubjectivityEpochs?: number
  /**
   * Whether to follow the spec's forced update when nothing was finalized for a whole period: it takes the best header that
   * more than half of the committee signed for final. Default false: the client waits instead. It is done only once every
   * endpoint has been asked, none has anything that two thirds signed, and each that serves light clients said so. From then
   * on nothing leads to the checkpoint: links `header` and `checkpoint` are `trusted` (your word), as is `sync-committee` of
   * the forced header, which is not called `finalized`. Newest headers are taken from two thirds, always. Nothing is kept from
   * there on: the next start stands where this one stood before.
   */
  readonly forceUpdate?: boolean
  /** A verifier whose kernel is to be used here, too. */
  readonly verifier?: { readonly kernel: KernelName }
  /** Whether to compute in a worker; default: where one can be started. */
  readonly worker?: 'auto' | boolean
  /** Default: the verifier's, or the fastest that is sound here. */
  readonly kernel?: 'auto' | KernelName
  /** The WASM modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /** The worker script (`blobcheck/light-client/worker`), where a bundler does not follow `new URL`. */
  readonly workerUrl?: PlatformUrl | string
  /** How long an endpoint may take to answer, in milliseconds, whatever `fetch` does; default 10,000. */
  readonly timeoutMs?: number
  /** The `fetch` that requests are made with; default: the platform's. */
  readonly fetch?: Fetch
  /** Milliseconds of Unix time; default `Date.now`. */
  readonly now?: () => number
  /** Ends the start, which then rejects with the signal's reason. It has no effect on the client once that has started. */
  readonly signal?: PlatformSignal | undefined
  /** Called where the client works, though not as it could; default: the console is told, once. What it throws is ignored. */
  readonly onWarning?: (warning: Warning) => void
}

/**
 * How far a synchronisation is: an event of `SyncOptions.onProgress`. Sync committee periods come first, each of which is a step; then the
 * newest finalized header, and then the newest header of all, which are one step each.
 */
export type SyncProgress = StageProgress<'periods' | 'finality' | 'optimistic'>

/** Options of `LightClient.sync`. */
export interface SyncOptions {
  /** Ends the call, which rejects with the signal's reason. What was verified until then is kept. */
  readonly signal?: PlatformSignal | undefined
  /** Called with each step. What it throws, or rejects with, is ignored. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
}

/** Options of `LightClient.headers`. */
export interface FollowOptions {
  /** Ends the iteration, which throws the signal's reason. */
  readonly signal?: PlatformSignal | undefined
  /** Which headers; default `optimistic`, the newest that the sync committee signed. */
  readonly finality?: 'optimistic' | 'finalized'
  /**
   * Called with the `BeaconUnavailableError` of each poll that failed. The iteration goes on, at longer intervals: up to four slots, or until
   * the first endpoint wants to be asked again (`Retry-After`).
   */
  readonly onError?: (error: Error) => void
}

/**
 * Endpoints whose verified answers contradict each other, or what the client stood on before: two thirds of the sync committee signed two
 * blocks for one slot, or two headers by which two blocks of one slot are final. No endpoint is at fault for that; it is evidence against the
 * committee.
 */
export interface Disagreement {
  /** The slot for which two blocks were signed. */
  readonly slot: number
  /** When that was noticed, in milliseconds of Unix time. */
  readonly at: number
  /** Each endpoint's name, or `this client` for what it stood on, and the root of the block that it gave: 32 bytes as 0x hex. */
  readonly answers: readonly { readonly endpoint: string; readonly root: string }[]
}

/** What a light client knows of the chain, of itself and of its endpoints: the result of `LightClient.sync` and `LightClient.report`. */
export interface LightClientReport {
  /** The root of the checkpoint's block: 32 bytes as 0x hex. */
  readonly checkpoint: string
  /** The slot that it is by the clock (`now`), whether or not it has a block. */
  readonly currentSlot: number
  /** The newest header that is final. */
  readonly finalized: TrustedHeader
  /** The newest header that two thirds of the sync committee signed. It may yet be reorganised away. */
  readonly optimistic: TrustedHeader
  /** What was verified to know the finalized header. */
  readonly links: HeaderLinks
  /** How many forced updates led here, which only the option `forceUpdate` allows. */
  readonly forcedUpdates: number
  /** How many of the committee signed the newest update, or null where there was none yet. */
  readonly participation: { readonly signed: number; readonly of: number } | null
  /** What each endpoint did, in the order of the option `beacon`. */
  readonly endpoints: readonly EndpointReport[]
  /** The last 16 contradictions between verified answers, oldest first. */
  readonly disagreements: readonly Disagreement[]
  /** Failures of the storage; each costs a download at the next start at most. */
  readonly storeFailures: number
  /** The kernel that computes: `relaxed-simd` until the baseline contradicts it, or `simd128`. */
  readonly kernel: KernelName
}

/** Why a block is not tied to a trusted header. */
export type Unanchored = {
  readonly status: 'unanchored'
  /**
   * - `too-new`: after every header that is trusted.
   * - `beyond-limit`: `MAX_FETCHED_ANCESTORS` headers were fetched in this call, and it is still further back. The next call goes on from there.
   * - `no-block`: there was no block in that slot.
   * - `unavailable`: no endpoint gave the headers between.
   */
  readonly reason: 'too-new' | 'beyond-limit' | 'no-block' | 'unavailable'
}

/** A header tied to a trusted one by parents, or why not. */
export type Anchored = { readonly status: 'anchored'; readonly header: TrustedHeader } | Unanchored
