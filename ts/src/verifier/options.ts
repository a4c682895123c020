/** The options of a verifier and of its calls, and what its calls take. */
import type { Bytes } from '../util/hex.ts'
import type { SourcedSidecar } from './sourced-sidecar.ts'
import type { CacheOption } from './cache/layered.ts'
import type { BlockSource } from '../beacon/block/source.ts'
import type { Header } from '../beacon/header.ts'
import type { ForkName } from '../beacon/execution-forks.ts'
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { SetupSource } from '../kzg/setup-source.ts'
import type { WasmSource, WasmSources } from '../runtime/kernel/module.ts'
import type { Warning } from '../runtime/warning.ts'
import type { TraceEvent } from './trace.ts'
import type { JsonObject } from '../util/json-object.ts'
import type { StageProgress } from '../util/progress.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'

/**
 * The options of `createVerifier`. Each is read once, before anything is begun; what makes no sense in them, or cannot be read, is a
 * `TypeError`.
 */
export interface VerifierOptions {
  /**
   * The network whose forks and blob schedule apply: its name, or a `NetworkConfig`, which is copied and vetted as a whole. Default
   * `mainnet`.
   */
  readonly network?: NetworkName | NetworkConfig
  /**
   * How many worker threads to start, from 0 to 256. Default `auto`: one for each core, up to eight, and none where none can be started.
   * With 0 everything runs in the calling thread.
   */
  readonly workers?: 'auto' | number
  /**
   * Where digests of valid items are remembered beyond the memory of this verifier. Default `auto`: in IndexedDB where there is one, else
   * nowhere. `false`: nothing is remembered at all, so that the same bytes are verified anew in each call. In a content script of an
   * extension IndexedDB is the page's: there it is to be `false`, but for `blobcheck/inline`, whose default is memory there.
   */
  readonly cache?: CacheOption
  /**
   * Whether to believe what the cache remembers beyond what this verifier found itself; default true. The link `kzg` of such a verdict is
   * `trusted`, since other scripts of the same origin can write to IndexedDB. With false everything is verified once in each session.
   */
  readonly trustCache?: boolean
  /**
   * Which variant of the WebAssembly module computes. Default `auto`: the fastest that is sound in this engine. One that is asked for by
   * name and is not sound here is a `WasmUnavailableError`.
   */
  readonly kernel?: 'auto' | KernelName
  /** The verifier's WebAssembly modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /**
   * The points that commitments are computed with (`prover-setup.bin`, 262,176 bytes), where they cannot be fetched from beside the
   * package's own files. They are loaded when the first blob without a proof comes. Nothing but Ethereum's setup is taken.
   */
  readonly commitmentSetup?: SetupSource
  /**
   * The WebAssembly modules of `blobcheck/kzg`, where they cannot be fetched from beside the package's own files. They are loaded when the
   * first blob without a proof comes, which they verify.
   */
  readonly kzg?: { readonly wasm?: WasmSources }
  /**
   * The address of the worker script (`blobcheck/worker`), where a bundler does not follow `new URL(…, import.meta.url)`. Text is relative
   * to the page. A script of another origin is taken where that origin allows it (CORS), and the page's policy `worker-src` both `blob:` and
   * that origin.
   */
  readonly workerUrl?: PlatformUrl | string
  /**
   * The WebAssembly modules and the worker script (`blobcheck/light-client/worker`) of the light client, where they cannot be had from
   * beside the package's own files. They are loaded for `proposerKey` alone.
   */
  readonly lightClient?: { readonly wasm?: WasmSources; readonly workerUrl?: PlatformUrl | string }
  /**
   * The WebAssembly module and the worker script (`blobcheck/beacon/worker`) of `blobcheck/beacon`, where they cannot be had from beside
   * the package's own files. They are loaded for `anchor: { block }` alone.
   */
  readonly beacon?: {
    readonly wasm?: { readonly simd128?: WasmSource }
    readonly workerUrl?: PlatformUrl | string
  }
  /**
   * Called where a verifier works, though not as it could: without worker threads, with a slower module than is sound here, without
   * what blobs without proofs are verified with (once for each cause: what could not be loaded, and why), or where a worker crashed (the first
   * time). Default: the console is told, once for each message. What it throws or rejects with is ignored.
   */
  readonly onWarning?: (warning: Warning) => void
  /**
   * Called when a step of the verifier has ended: what it was, for which items, on which worker, and when; so that a page can draw a lane
   * for each worker. Without it nothing is measured. What it throws or rejects with is ignored.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier({
   *   onTrace: ({ stage, items, worker, start, end }) =>
   *     console.log(worker ?? '-', stage, items.length, `${(end - start).toFixed(1)} ms`),
   * })
   * await verifier.verifyBlobs([{ blob, commitment, proof }])
   * ```
   */
  readonly onTrace?: (event: TraceEvent) => void
}

/**
 * What the data is checked against: something that the caller trusts. `none` (the default) proves only that the parts of the data agree
 * with each other: a sidecar that brings its own header proves nothing about the chain.
 *
 * - `{ header }`: a header, for sidecars, whose branch must lead to its body root, and whose own header must be this one. The object that
 *   a light client handed out makes its links `verified`; any other header, and a copy of such an object, is the caller's word.
 * - `{ versionedHashes }`: of a transaction or a block, 32 bytes each. A blob or a blob sidecar must have one of them; a transaction or a
 *   column must have all of them, in their order.
 * - `{ commitments }`: 48 bytes each, in the same way. For columns it is the block's whole list in its order.
 * - `{ header, commitments }`: the list of the block that the header is of, on the caller's word: the link `inclusion` is `trusted` for what
 *   brings no branch of its own, and the others are those of the header.
 * - `{ block, header }`: a whole block, as `readBlock` of `blobcheck/beacon` takes it. It is decoded and hashed in a worker; if its root is
 *   the header's, the commitments in it are the header's block's, and `inclusion` is `verified` without any branch. Without `header` the
 *   block is the caller's word, as a header would be. A block that is malformed rejects the call with `SszError`, and one that is not
 *   the header's with `BlockMismatchError`: neither is the fault of who delivered the data.
 */
export type AnchorOption =
  | 'none'
  | { readonly header: Header }
  | { readonly versionedHashes: readonly Bytes[] }
  | { readonly commitments: readonly Bytes[] }
  | { readonly header: Header; readonly commitments: readonly Bytes[] }
  | { readonly block: BlockSource; readonly header?: Header }

/**
 * How far a call has come: what `onProgress` is called with. The steps are items. An item is through the stage `check` after everything
 * that is cheap, before KZG, and through `kzg` when it has its verdict.
 */
export type Progress = StageProgress<'check' | 'kzg'>

/** The options of `verifyBlobs` and `verifyCells`, and those that all calls of a verifier have in common. */
export interface VerifyOptions {
  /**
   * What the data is checked against; default `none`. For blobs and cells `{ header }` alone is a `TypeError`, since nothing leads
   * from them to it; with `commitments` or `block` beside it, it is taken.
   */
  readonly anchor?: AnchorOption | undefined
  /**
   * Ends the call, which rejects with the signal's reason at once. Work that another call waits for as well goes on; the rest is not begun.
   */
  readonly signal?: PlatformSignal | undefined
  /** Called as items pass each stage, until the signal is aborted. What it throws or rejects with is ignored. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** `cheap` stops before KZG: what passes the checks has the status `unchecked`. Default `full`. */
  readonly mode?: 'full' | 'cheap'
  /**
   * Whether to take over (detach) the caller's arrays rather than copy them; default false. Buffers that one item uses travel to a worker
   * and are never copied; what several items share is copied in pieces. Where a worker crashes, what it was given cannot be tried again:
   * such items are `error`. An array that is detached already rejects the call with `TypeError`, with this option or without.
   */
  readonly transfer?: boolean
}

/** The options of `verifyBlobSidecars` and `verifyDataColumnSidecars`. */
export interface SidecarOptions extends VerifyOptions {
  /**
   * The BLS public key of the validator who proposed the block that the sidecars are of: 48 bytes. A beacon state has it under the
   * header's `proposer_index`. Where it is given, the signature under each sidecar's header is verified with it, and the link `signature`
   * says so; otherwise nobody looks at signatures. The light client's module is loaded for it. What is no public key is a `TypeError`.
   * Columns of Gloas bring no header, and nothing that is signed: their link `signature` stays `absent`.
   */
  readonly proposerKey?: Bytes
}

/** The options of `verifyBlobTransaction`, of which `fork` or `timestamp` is needed. */
export interface TransactionOptions extends Omit<VerifyOptions, 'anchor'> {
  /** What the transaction is checked against; default `none`. Nothing leads from a transaction to a header. */
  readonly anchor?:
    | 'none'
    | { readonly versionedHashes: readonly Bytes[] }
    | { readonly commitments: readonly Bytes[] }
    | undefined
  /** The fork whose rules the transaction must follow, by the name of either layer. It is preferred over `timestamp`. */
  readonly fork?: ForkName
  /**
   * The time that decides about the fork, in seconds of Unix time: of the block that the transaction is in, or now. From a fork on that
   * this version does not know, the transaction is `malformed`, with the reason `unsupported-fork`.
   */
  readonly timestamp?: number | bigint
  /** Who delivered the transaction, in the caller's words: the name comes back in `sources` of a verdict on a bad one. */
  readonly source?: string
}

/**
 * A blob, with its commitment and proof: the arguments of `verify_blob_kzg_proof` (specs/deneb/polynomial-commitments.md). Since Fulu nodes
 * serve blobs without proofs: then `proof` is left out, and the blob is held against its commitment itself.
 *
 * The commitment is that of the item, if it has one. Otherwise it is known by the item's `versionedHash`, or by the anchor: it is the
 * entry of `anchor.commitments` or `anchor.versionedHashes` at the item's place where that list is as long as the call's, which is the order
 * of `/eth/v1/beacon/blobs`; or any of its entries where it is longer or shorter. All blobs with a known commitment cost one
 * multi-scalar multiplication together; each blob of which only a versioned hash is known costs one by itself.
 */
export interface BlobItem {
  /** 131,072 bytes: 4,096 field elements, big-endian. */
  readonly blob: Bytes
  /** The KZG commitment, 48 bytes. An item with a proof needs it. */
  readonly commitment?: Bytes
  /** The KZG proof of EIP-4844, 48 bytes; left out where there is none. */
  readonly proof?: Bytes
  /** The versioned hash that the commitment must have, 32 bytes; where it is left out, nobody compares it. */
  readonly versionedHash?: Bytes
  /** Who delivered the blob, in the caller's words: the name comes back in `sources` of a verdict on a bad one. */
  readonly source?: string
}

/** A cell with its commitment and proof: a row of the arguments of `verify_cell_kzg_proof_batch` (specs/fulu/polynomial-commitments-sampling.md). */
export interface CellItem {
  /** The KZG commitment of the blob, 48 bytes. */
  readonly commitment: Bytes
  /** Which cell of the extended blob it is, from 0 to 127; in a column, the column's index. */
  readonly cellIndex: number
  /** 2,048 bytes: 64 field elements, big-endian. */
  readonly cell: Bytes
  /** The KZG proof of EIP-7594, 48 bytes. */
  readonly proof: Bytes
  /** Who delivered the cell, in the caller's words: the name comes back in `sources` of a verdict on a bad one. */
  readonly source?: string
}

/**
 * Sidecars, in any form in which they are had: the text of a Beacon API answer, which is parsed in a worker so that a page is not held up;
 * the answer's JSON, parsed; its SSZ bytes; or an array of sidecars. What cannot be split into sidecars is one malformed item.
 */
export type Sidecars = string | Uint8Array | { readonly data: readonly JsonObject[] } | readonly SidecarItem[]

/**
 * A sidecar as Beacon API JSON (an entry of `data`) or SSZ bytes; or one of these with who delivered it, as `fromSource(sidecar, source)`.
 * Only the caller can make such a value: what an answer's entries say of their source is data, and names nobody.
 */
export type SidecarItem = Bytes | JsonObject | SourcedSidecar
