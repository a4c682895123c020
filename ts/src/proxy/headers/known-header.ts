/** What the proxy asks for headers, and what it is told. */
import type { HeaderSource } from '../../block-data/options.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import type { HeaderLinks } from '../../verdict/provenance.ts'
import type { BlockId } from '../../block-data/report.ts'
import type { EndpointCounts } from './endpoint-counts.ts'

/** A header whole, as the proxy hands it out: a light client's own object, or what `--trust-endpoint` took on trust. */
export interface KnownHeader {
  /** `hash_tree_root` of the header: 32 bytes as 0x hex. */
  readonly root: string
  readonly slot: number
  /** In decimal digits. */
  readonly proposer_index: string
  /** 32 bytes as 0x hex, as the two after it. */
  readonly parent_root: string
  readonly state_root: string
  readonly body_root: string
  readonly finalized: boolean
  /** False where the endpoint whose word it is says that the block is none of the chain. */
  readonly canonical?: boolean
}

/**
 * Which block a name stands for. `no-block` is proven: the chain goes from a block before that slot to one after it. `unknown` is not an
 * answer about the chain; `reason` is one of a few words, `detail` is for people.
 */
export type KnownResolution =
  | { readonly status: 'found'; readonly header: KnownHeader }
  | { readonly status: 'no-block' }
  | {
      readonly status: 'unknown'
      readonly reason: UnknownReason
      readonly detail: string
      /** The header of a block that is none of the chain, by the word of an endpoint that gave it. */
      readonly header?: KnownHeader
    }

/**
 * - `starting`: the light client has no header yet. - `too-new`: the slot is after the newest header that is known.
 * - `too-old`: more slots before the finalized header than are followed back. - `following-back`: the headers on the way to it are being
 * fetched, and the next request finds more of them. - `unreachable`: no endpoint gives them. - `not-of-the-chain`: a block of that root
 * is none of the chain, or no endpoint knows it.
 */
export type UnknownReason =
  | 'starting'
  | 'too-new'
  | 'too-old'
  | 'following-back'
  | 'unreachable'
  | 'not-of-the-chain'

/** Reasons that are the same when the chain is followed better: no trouble of endpoints explains them. */
export const LASTING: ReadonlySet<UnknownReason> = new Set(['too-old', 'not-of-the-chain'] as const)

/** How far the source of headers is. */
export interface HeadersStatus {
  /** The slot that it is by the clock. */
  readonly currentSlot: number
  /** The newest header; null where none is known yet. */
  readonly head: KnownHeader | null
  /** The newest header that is final; null where none is known yet. */
  readonly finalized: KnownHeader | null
  /** What was verified to know the finalized header; null where none is known. */
  readonly links: HeaderLinks | null
  /** What keeps headers from being known, in words for people; null where nothing does. */
  readonly trouble: string | null
  /** What each endpoint did for the light client, and for those before it; none where there was none. */
  readonly endpoints: readonly EndpointCounts[]
  /** How often the light client's storage failed. */
  readonly storeFailures: number
}

/** Where the proxy has its headers from. A blob source takes it, too. */
export interface KnownHeaders extends HeaderSource {
  /** Which block is meant. Rejects with the signal's reason. */
  resolve(id: BlockId, options: { readonly signal?: PlatformSignal | undefined }): Promise<KnownResolution>
  /** How far it is. Nothing is asked for it. */
  status(): HeadersStatus
}
