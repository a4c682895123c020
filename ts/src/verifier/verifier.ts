/// <reference lib="esnext.disposable" preserve="true" />
/** The verifier as its users see it. */
import { platform } from '#platform'
import { optionsOf, reading } from '../util/options.ts'
import { abortable, refuseNonSignal } from '../util/signals.ts'
import type { UncheckedItem, SidecarName } from './checks/protocol.ts'
import { CRASHED, type Crashed, DisposedError } from '../runtime/errors.ts'
import type { Hashing } from '../runtime/platform/platform.ts'
import type { Stats } from './stats.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import { crashed } from './assemble.ts'
import { type Call, readCall, readItems, readSidecarCall, readTransactionCall } from './call.ts'
import { CallItems, sidecarsOf, SourcedSidecar } from './call-items.ts'
import type {
  BlobItem,
  CellItem,
  SidecarOptions,
  Sidecars,
  TransactionOptions,
  VerifyOptions,
} from './options.ts'
import { registerInternals, type VerifierInternals, verifyItems } from './pipeline.ts'

/** Verifies blob data off the calling thread. Made by `createVerifier`. */
export interface Verifier extends AsyncDisposable {
  /** EIP-4844 blobs against their commitments. One verdict for each item, in order. */
  verifyBlobs(items: readonly BlobItem[], options?: VerifyOptions): Promise<Verdict[]>
  /** EIP-7594 cells against their commitments. */
  verifyCells(items: readonly CellItem[], options?: VerifyOptions): Promise<Verdict[]>
  /** BlobSidecars (Deneb to Fulu). */
  verifyBlobSidecars(sidecars: Sidecars, options?: SidecarOptions): Promise<Verdict[]>
  /** DataColumnSidecars (Fulu). */
  verifyDataColumnSidecars(sidecars: Sidecars, options?: SidecarOptions): Promise<Verdict[]>
  /** A blob transaction in network form (`0x03 ‖ rlp([body, …, blobs, commitments, proofs])`), by its fork's rules. */
  verifyBlobTransaction(bytes: Uint8Array | string, options: TransactionOptions): Promise<TransactionVerdict>
  /** Makes the first verification as quick as the others: in every worker, on known data, changing no state. */
  warmup(options?: { readonly signal?: AbortSignal }): Promise<void>
  stats(): Stats
  /** The WASM module that computes. */
  readonly kernel: KernelName
  /** Why that one. */
  readonly kernelReason: string
  /** Who hashes what is long: the platform where it can, else the module. */
  readonly hashing: Hashing
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Ends the workers. Calls in pending reject with `DisposedError`, and so do later ones. May be called twice. */
  dispose(): Promise<void>
}

export class PipelineVerifier implements Verifier {
  readonly #internals: VerifierInternals
  #disposed: Promise<void> | undefined

  constructor(internals: VerifierInternals) {
    this.#internals = internals
    registerInternals(this, internals)
    // By hand: an engine without the symbol could not parse a class that has it as a key and no value for it.
    if (typeof Symbol.asyncDispose === 'symbol') {
      Object.defineProperty(this, Symbol.asyncDispose, { value: () => this.dispose() })
    }
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
    return 'blobs' in verdict ? (verdict as TransactionVerdict) : { ...verdict, blobs: [] }
  }

  async warmup(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const signal = reading(() => {
      const { signal } = optionsOf(options)
      refuseNonSignal(signal)
      return signal
    })
    this.#refuseIfDisposed()
    const warm = (): Promise<void> => this.#internals.pool.runOnAll((api) => api.warmUp())
    await abortable(signal, warm, () => {})
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
    return platform.nativeHash()?.name ?? 'wasm'
  }

  get workers(): number {
    return this.#internals.pool.workers
  }

  dispose(): Promise<void> {
    this.#disposed ??= (async () => {
      this.#internals.pool.dispose()
      this.#internals.signatures.dispose()
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
      reading(() => readCall(options, false, this.#internals.network)),
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
    const parse = (): Promise<unknown[] | Crashed> =>
      this.#internals.pool.attemptTwice((api) => api.parse(kind, sidecars))
    const items = await abortable(call.signal, parse, () => {})
    if (items === CRASHED) return [crashed()]
    // What a worker has parsed is ours already, and travels to the checks without being copied.
    return await this.#verify(kind, items, { ...call, transfer: true }, async () => {
      const again = await parse()
      return again === CRASHED ? [] : again
    })
  }

  /** `reload` has the items once more where memory of theirs was lost with a worker. */
  async #verify(
    kind: UncheckedItem['kind'],
    items: readonly unknown[],
    call: Call,
    reload?: () => Promise<readonly unknown[]>,
  ): Promise<Verdict[]> {
    this.#refuseIfDisposed()
    // Before anything is taken over: a call that is not made leaves the caller's memory alone.
    call.signal?.throwIfAborted()
    return await verifyItems(this.#internals, new CallItems(kind, items, call.transfer, reload), call)
  }
}
