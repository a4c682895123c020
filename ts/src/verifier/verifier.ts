/** The verifier as its users see it: its methods, which read their arguments and hand them to the steps. */
import { nativeHash } from '#platform'
import { disposeBy } from '../util/disposable.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { abortable, refuseNonSignal } from '../util/signals.ts'
import type { UncheckedItem, SidecarName } from './checks/protocol.ts'
import { CRASHED, type Crashed, DisposedError } from '../runtime/errors.ts'
import type { Hashing } from '../runtime/platform/platform.ts'
import type { Stats } from './stats.ts'
import type { Task } from '../runtime/pool/pool.ts'
import type { VerifierApi } from './worker/protocol.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import { crashed } from './assemble.ts'
import { type Call, readCall, readItems, readSidecarCall, readTransactionCall } from './call.ts'
import { CallItems } from './call-items.ts'
import type {
  BlobItem,
  CellItem,
  SidecarOptions,
  Sidecars,
  TransactionOptions,
  VerifyOptions,
} from './options.ts'
import { registerInternals, type VerifierInternals, verifyItems } from './pipeline.ts'
import { sidecarsOf } from './sidecar-list.ts'
import { SourcedSidecar } from './sourced-sidecar.ts'
import type { PlatformDisposable, PlatformSignal } from '../util/platform-types.ts'
import { has } from '../util/has.ts'

/**
 * Verifies blob data in worker threads; made by `createVerifier`.
 *
 * What is wrong with data is said by its verdict, never by an error. Every method that verifies rejects with `TypeError` for options or
 * arguments that make no sense and for arrays that are detached, with the signal's reason once its signal is aborted, with `DisposedError` after `dispose`, with `RangeError`
 * where there is no memory for a copy of an item, with what the platform throws where it does not let one be copied, and, of an anchor that is a
 * block, with `SszError`, `BlockMismatchError`, and `WasmUnavailableError` where the module that reads it cannot be loaded. Items are read while a call goes on, and must not be changed until it settles.
 */
export interface Verifier extends PlatformDisposable {
  /**
   * Verifies blobs against their commitments: `verify_blob_kzg_proof_batch` (EIP-4844, specs/deneb/polynomial-commitments.md), and for an
   * item with a `versionedHash` that it is the commitment's. Resolves with one verdict for each item, in order.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier()
   * const [verdict] = await verifier.verifyBlobs([{ blob, commitment, proof, source: 'peer 7' }], {
   *   anchor: { versionedHashes }, // hashes that you trust: those of a transaction, for example
   * })
   * if (verdict?.status === 'invalid') console.log(verdict.reason, verdict.sources) // for example proof-mismatch, ['peer 7']
   * ```
   */
  verifyBlobs(items: readonly BlobItem[], options?: VerifyOptions): Promise<Verdict[]>
  /**
   * Verifies cells against their commitments: `verify_cell_kzg_proof_batch` (EIP-7594, specs/fulu/polynomial-commitments-sampling.md).
   * Resolves with one verdict for each item, in order.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier()
   * const verdicts = await verifier.verifyCells([{ commitment, cellIndex: 5, cell, proof }], { anchor: { commitments } })
   * console.log(verdicts.every(({ status }) => status === 'valid'))
   * ```
   */
  verifyCells(items: readonly CellItem[], options?: VerifyOptions): Promise<Verdict[]>
  /**
   * Verifies blob sidecars (Deneb to Fulu): their KZG proofs and `verify_blob_sidecar_inclusion_proof` (specs/deneb/p2p-interface.md),
   * and whatever the anchor and `proposerKey` ask for. Resolves with one verdict for each sidecar, in order; an answer that cannot be
   * split into sidecars has one, `malformed`.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier({ network: 'mainnet' })
   * const response = await fetch(`${beacon}/eth/v1/beacon/blob_sidecars/12345678`)
   * const verdicts = await verifier.verifyBlobSidecars(await response.text(), { anchor: { header } })
   * for (const { status, links } of verdicts) console.log(status, links.inclusion, links.header)
   * ```
   */
  verifyBlobSidecars(sidecars: Sidecars, options?: SidecarOptions): Promise<Verdict[]>
  /**
   * Verifies data column sidecars (Fulu; and Gloas, where the anchor lists the commitments): `verify_data_column_sidecar`, `verify_data_column_sidecar_kzg_proofs` and
   * `verify_data_column_sidecar_inclusion_proof` (specs/fulu/p2p-interface.md), and whatever the anchor and `proposerKey` ask for.
   * Resolves with one verdict for each sidecar, in order; an answer that cannot be split into sidecars has one, `malformed`.
   *
   * @example
   * ```ts
   * import { createVerifier, fromSource } from 'blobcheck'
   *
   * await using verifier = await createVerifier()
   * const [verdict] = await verifier.verifyDataColumnSidecars([fromSource(sidecar, 'peer 7')], { anchor: { header } })
   * if (verdict?.status === 'malformed') console.log(verdict.reason, verdict.sources)
   * ```
   */
  verifyDataColumnSidecars(sidecars: Sidecars, options?: SidecarOptions): Promise<Verdict[]>
  /**
   * Verifies a blob transaction in network form: `0x03 ‖ rlp([body, blobs, commitments, proofs])` of EIP-4844, or the wrapper of EIP-7594
   * with a version and cell proofs, as bytes or `0x` hex. `fork` or `timestamp` decides which rules it must follow. The transaction's
   * own signature is not looked at. Resolves with a verdict on the transaction, and in `blobs` with one on each of its blobs.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier()
   * const verdict = await verifier.verifyBlobTransaction('0x03', { fork: 'osaka' })
   * console.log(verdict.status, verdict.blobs.length) // malformed 0
   * ```
   */
  verifyBlobTransaction(bytes: Uint8Array | string, options: TransactionOptions): Promise<TransactionVerdict>
  /**
   * Makes the first verification as quick as those that follow: has each worker compute on known data, so that its engine has compiled and
   * optimised the module. Changes no counter and no verdict. Rejects with the signal's reason and `DisposedError`. Workers do a part of it by
   * themselves for as long as nothing is asked of a new verifier: a hundred milliseconds do for the most.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * const verifier = await createVerifier()
   * await verifier.warmup() // while the page waits for data anyway
   * await verifier.dispose()
   * ```
   */
  warmup(options?: { readonly signal?: PlatformSignal | undefined }): Promise<void>
  /**
   * The counters of this verifier so far, as a copy.
   *
   * @example
   * ```ts
   * import { createVerifier } from 'blobcheck'
   *
   * await using verifier = await createVerifier()
   * await verifier.verifyBlobs([{ blob, commitment, proof }])
   * console.log(verifier.stats())
   * ```
   */
  stats(): Stats
  /** Which variant of the WebAssembly module computes. It changes once at most, from `relaxed-simd` to `simd128`, where that gave a wrong answer. */
  readonly kernel: KernelName
  /** Why this kernel was chosen, in words for a person. */
  readonly kernelReason: string
  /** Who hashes what is long: the platform where it can, else the module. */
  readonly hashing: Hashing
  /** How many worker threads there are; 0 means that everything runs in the calling thread. */
  readonly workers: number
  /** Why there are as many workers, or none, in words for a person. */
  readonly workersReason: string
  /**
   * Ends the workers and lets go of the cache. Calls that are under way reject with `DisposedError`, and so do later ones. May be called
   * more than once; `await using` calls it where the engine has `Symbol.asyncDispose`.
   */
  dispose(): Promise<void>
}

/**
 * The verifier over the steps of `pipeline.ts`.
 *
 * @internal
 */
export class PipelineVerifier implements Verifier {
  readonly #internals: VerifierInternals
  #disposed: Promise<void> | undefined

  constructor(internals: VerifierInternals) {
    this.#internals = internals
    registerInternals(this, internals)
    disposeBy(this, () => this.dispose())
  }

  declare readonly [Symbol.asyncDispose]: () => Promise<void>

  async verifyBlobs(items: readonly BlobItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#verifyItems('blob', items, options)
  }

  async verifyCells(items: readonly CellItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#verifyItems('cell', items, options)
  }

  async verifyBlobSidecars(sidecars: Sidecars, options: SidecarOptions = {}): Promise<Verdict[]> {
    return await this.#verifySidecars('blob-sidecar', sidecars, options)
  }

  async verifyDataColumnSidecars(sidecars: Sidecars, options: SidecarOptions = {}): Promise<Verdict[]> {
    return await this.#verifySidecars('data-column-sidecar', sidecars, options)
  }

  async verifyBlobTransaction(
    bytes: Uint8Array | string,
    options: TransactionOptions,
  ): Promise<TransactionVerdict> {
    const { source, ...call } = reading(() => readTransactionCall(options, this.#internals.network))
    const item = typeof source === 'string' ? new SourcedSidecar(bytes, source) : bytes
    const [verdict = crashed()] = await this.#verify('transaction', [item], call)
    return has(verdict, 'blobs') ? (verdict as TransactionVerdict) : { ...verdict, blobs: [] }
  }

  async warmup(options: { readonly signal?: PlatformSignal | undefined } = {}): Promise<void> {
    const signal = reading(() => {
      const { signal, ...unknown } = optionsOf(options)
      refuseUnknown(unknown)
      refuseNonSignal(signal)
      return signal
    })
    this.#refuseIfDisposed()
    const warm = (): Promise<void> => this.#internals.pool.runOnAll((api) => api.warmUp())
    await abortable(signal, warm)
  }

  stats(): Stats {
    return { ...this.#internals.counters }
  }

  get kernel(): KernelName {
    return this.#internals.kernel.current.name
  }

  get kernelReason(): string {
    return this.#internals.kernel.current.reason
  }

  get hashing(): Hashing {
    // Workers have the platform of the page that started them, secure context or not.
    return nativeHash()?.name ?? 'wasm'
  }

  get workers(): number {
    return this.#internals.pool.workers
  }

  get workersReason(): string {
    return this.#internals.workersReason
  }

  dispose(): Promise<void> {
    this.#disposed ??= (async () => {
      this.#internals.pool.dispose()
      this.#internals.signatures.dispose()
      this.#internals.blocks.dispose()
      this.#internals.pending.failAll(new DisposedError())
      await this.#internals.cache?.close()
    })()
    return this.#disposed
  }

  #refuseIfDisposed(): void {
    if (this.#disposed !== undefined) throw new DisposedError()
  }

  async #verifyItems(kind: 'blob' | 'cell', items: unknown, options: VerifyOptions): Promise<Verdict[]> {
    const read = reading(() => readItems(items))
    return await this.#verify(
      kind,
      read,
      reading(() => readCall(options, this.#internals.network)),
    )
  }

  async #verifySidecars(kind: SidecarName, sidecars: unknown, options: SidecarOptions): Promise<Verdict[]> {
    const call = reading(() => readSidecarCall(options, this.#internals.network))
    if (typeof sidecars !== 'string')
      return await this.#verify(
        kind,
        reading(() => readItems(sidecarsOf(kind, sidecars))),
        call,
      )
    this.#refuseIfDisposed()
    const { pool, trace, counters } = this.#internals
    const task: Task<unknown[], VerifierApi> = (api) => api.parse(kind, sidecars)
    const parse = (): Promise<unknown[] | Crashed> => {
      trace?.parse(task, call)
      return pool.attemptTwice(task)
    }
    const items = await abortable(call.signal, parse)
    if (items === CRASHED) {
      counters.items++
      counters.errors++
      return [crashed()]
    }
    // What a worker has parsed is ours already, and travels to the checks without being copied.
    return await this.#verify(kind, items, call, async () => {
      const again = await parse()
      return again === CRASHED ? [] : again
    })
  }

  /** `reload` has the items once more where memory of theirs was lost with a worker; with it, the items are taken over. */
  async #verify(
    kind: UncheckedItem['kind'],
    items: readonly unknown[],
    call: Call,
    reload?: () => Promise<readonly unknown[]>,
  ): Promise<Verdict[]> {
    this.#refuseIfDisposed()
    // Before anything is taken over: a call that is not made leaves the caller's memory alone.
    call.signal?.throwIfAborted()
    return await verifyItems(
      this.#internals,
      new CallItems(kind, items, call.transfer || reload !== undefined, reload),
      call,
    )
  }
}
