/// <reference lib="esnext.disposable" preserve="true" />
/** The verifier as its users see it. */
import { platform } from '#platform'
import { abortable } from '../util/signals.ts'
import type { Delivery, SidecarName } from './checks/delivery.ts'
import { CRASHED, type Crashed, DisposedError } from '../runtime/errors.ts'
import type { Hashing } from '../runtime/platform/platform.ts'
import type { Stats } from './stats.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import { crashed } from './assemble.ts'
import { type Call, readCall, readItems, readSidecarCall, readTransactionCall } from './call.ts'
import { bare, sidecarsOf } from './deliveries.ts'
import type {
  BlobItem,
  CellItem,
  SidecarOptions,
  Sidecars,
  TransactionOptions,
  VerifyOptions,
} from './options.ts'
import { carry, type Stations } from './pipeline.ts'
import { rememberStations } from './stations-of.ts'

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
  /** Ends the workers. Calls in flight reject with `DisposedError`, and so do later ones. May be called twice. */
  dispose(): Promise<void>
}

export class PipelineVerifier implements Verifier {
  readonly #stations: Stations
  #disposed: Promise<void> | undefined

  constructor(stations: Stations) {
    this.#stations = stations
    rememberStations(this, stations)
    // By hand: an engine without the symbol could not parse a class that has it as a key and no value for it.
    if (typeof Symbol.asyncDispose === 'symbol') {
      Object.defineProperty(this, Symbol.asyncDispose, { value: () => this.dispose() })
    }
  }

  declare readonly [Symbol.asyncDispose]: () => Promise<void>

  async verifyBlobs(items: readonly BlobItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#carry('blob', readItems(items), readCall(options, false, this.#stations.network))
  }

  async verifyCells(items: readonly CellItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#carry('cell', readItems(items), readCall(options, false, this.#stations.network))
  }

  async verifyBlobSidecars(sidecars: Sidecars, options: SidecarOptions = {}): Promise<Verdict[]> {
    const call = readSidecarCall(options, this.#stations.network)
    return await this.#carrySidecars('blob-sidecar', sidecars, call)
  }

  async verifyDataColumnSidecars(sidecars: Sidecars, options: SidecarOptions = {}): Promise<Verdict[]> {
    const call = readSidecarCall(options, this.#stations.network)
    return await this.#carrySidecars('data-column-sidecar', sidecars, call)
  }

  async verifyBlobTransaction(
    bytes: Uint8Array | string,
    options: TransactionOptions,
  ): Promise<TransactionVerdict> {
    const { source, ...call } = readTransactionCall(options, this.#stations.network)
    const [verdict = crashed()] = await this.#carry('transaction', [{ transaction: bytes, source }], call)
    return 'blobs' in verdict ? (verdict as TransactionVerdict) : { ...verdict, blobs: [] }
  }

  async warmup({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#refuseIfDisposed()
    const warm = (): Promise<void> => this.#stations.pool.runOnAll((api) => api.warmUp())
    await abortable(signal, warm, () => {})
  }

  stats(): Stats {
    return { ...this.#stations.counters }
  }

  get kernel(): KernelName {
    return this.#stations.judge.kernel.name
  }

  get kernelReason(): string {
    return this.#stations.judge.kernel.reason
  }

  get hashing(): Hashing {
    // Workers have the platform of the page that started them, secure context or not.
    return platform.nativeHash()?.name ?? 'wasm'
  }

  get workers(): number {
    return this.#stations.pool.workers
  }

  dispose(): Promise<void> {
    this.#disposed ??= (async () => {
      this.#stations.pool.dispose()
      this.#stations.signatures.dispose()
      this.#stations.flights.failAll(new DisposedError())
      await this.#stations.cache?.close?.()
    })()
    return this.#disposed
  }

  #refuseIfDisposed(): void {
    if (this.#disposed !== undefined) throw new DisposedError()
  }

  async #carrySidecars(kind: SidecarName, sidecars: unknown, call: Call): Promise<Verdict[]> {
    if (typeof sidecars !== 'string')
      return await this.#carry(kind, readItems(sidecarsOf(kind, sidecars)), call)
    this.#refuseIfDisposed()
    const parse = (): Promise<unknown[] | Crashed> =>
      this.#stations.pool.attemptTwice((api) => api.parse(kind, sidecars))
    const items = await abortable(call.signal, parse, () => {})
    // What a worker has parsed is ours already: no copies.
    return items === CRASHED ? [crashed()] : await this.#carry(kind, bare(items), { ...call, transfer: true })
  }

  async #carry(kind: Delivery['kind'], items: readonly unknown[], call: Call): Promise<Verdict[]> {
    this.#refuseIfDisposed()
    return await carry(this.#stations, kind, items, call)
  }
}
