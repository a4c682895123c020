/** What a verifier and its calls are told. */
import type { Bytes } from '../util/hex.ts'
import type { SourcedSidecar } from './call-items.ts'
import type { CacheOption } from './cache/layered.ts'
import type { Header } from '../beacon/header.ts'
import type { ForkName, NetworkConfig, NetworkName } from '../beacon/networks.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { WasmSources } from '../runtime/kernel/module.ts'

export interface VerifierOptions {
  /** Whose forks and blob schedule apply; default mainnet. */
  readonly network?: NetworkName | NetworkConfig
  /** Worker threads; default one for each core, up to eight. 0: everything in the calling thread. */
  readonly workers?: 'auto' | number
  /** Where digests of valid items are remembered; default IndexedDB where there is one, memory elsewhere. */
  readonly cache?: CacheOption
  /**
   * Whether to believe what the cache remembers beyond what this verifier found itself; default true. The link `kzg` of such a verdict is
   * `trusted`, since other scripts of the same origin can write to IndexedDB. With false everything is verified once in each session.
   */
  readonly trustCache?: boolean
  /** Default: the fastest that is sound here. */
  readonly kernel?: 'auto' | KernelName
  /** The WASM modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /** The worker script (`blobcheck/worker`), where a bundler does not follow `new URL`. */
  readonly workerUrl?: URL | string
  /** The light client's modules and worker script, likewise; they are loaded for `proposerKey` alone. */
  readonly lightClient?: { readonly wasm?: WasmSources; readonly workerUrl?: URL | string }
}

/**
 * What the data is checked *against*. `none` (the default) proves only that its parts agree with each other: a sidecar
 * that brings its own header proves nothing about the chain.
 */
export type AnchorOption =
  | 'none'
  /** A header that the caller trusts: for sidecars, whose branch must lead to its body root. */
  | { readonly header: Header }
  /** Versioned hashes that the caller trusts: of a transaction, or of a block. */
  | { readonly versionedHashes: readonly Bytes[] }
  /** Commitments that the caller trusts. For columns, the block's whole list in its order. */
  | { readonly commitments: readonly Bytes[] }

export interface Progress {
  readonly stage: 'check' | 'kzg'
  /** Items that have passed the stage. */
  readonly done: number
  readonly total: number
}

export interface VerifyOptions {
  readonly anchor?: AnchorOption
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** `cheap` stops before KZG: what passes is `unchecked`. Default `full`. */
  readonly mode?: 'full' | 'cheap'
  /**
   * Take over (detach) the caller's arrays rather than copy them; default false. Buffers that one item uses travel to a worker and are
   * never copied; what several items share is copied in pieces. Where a worker crashes, what it was given cannot be tried again: such
   * items are `error`.
   */
  readonly transfer?: boolean
}

export interface SidecarOptions extends VerifyOptions {
  /**
   * The public key of the validator who proposed the block that the sidecars are of (48 bytes; a beacon state has it under
   * the header's `proposer_index`). The signature under each sidecar's header is held against it, and the link `signature`
   * is `verified`; otherwise nobody looks at it. Loads the light client's module. What is no key is a `TypeError`.
   */
  readonly proposerKey?: Bytes
}

export interface TransactionOptions extends Omit<VerifyOptions, 'anchor'> {
  readonly anchor?: Exclude<AnchorOption, { readonly header: Header }>
  /** The fork whose rules the transaction must follow, */
  readonly fork?: ForkName
  /** or the time, in seconds of Unix time, that decides it. One of the two is needed. */
  readonly timestamp?: number | bigint
  /** Who delivered it. */
  readonly source?: string
}

/** verify_blob_kzg_proof's arguments, and who delivered them. */
export interface BlobItem {
  readonly blob: Bytes
  readonly commitment: Bytes
  readonly proof: Bytes
  readonly versionedHash?: Bytes
  readonly source?: string
}

/** One row of verify_cell_kzg_proof_batch's arguments, and who delivered it. */
export interface CellItem {
  readonly commitment: Bytes
  readonly cellIndex: number
  readonly cell: Bytes
  readonly proof: Bytes
  readonly source?: string
}

/**
 * An answer of the Beacon API: its text (parsed in a worker: the pleasant way for a page), its JSON or its SSZ bytes; or
 * an array of sidecars.
 */
export type Sidecars = string | Uint8Array | { readonly data: readonly object[] } | readonly SidecarItem[]

/**
 * A sidecar as Beacon API JSON (an entry of `data`) or SSZ bytes; or one of these with who delivered it, as `fromSource(sidecar, source)`.
 * Only the caller can make such a value: what an answer's entries say of their source is data, and names nobody.
 */
export type SidecarItem = Bytes | object | SourcedSidecar
