/**
 * The conductor. Data takes one way: bytes → checks → dedup and cache → batch → pool → wasm → verdict. This file holds
 * the order of the stations, and what is true of a whole call: its signal, its progress, its counters.
 */
import type { Batcher } from '../batch/batcher.ts'
import type { Judge } from '../batch/judge.ts'
import type { VerdictCache } from '../cache/cache.ts'
import type { Boarding, Flights } from '../dedup/flights.ts'
import { abortError, DisposedError } from '../errors.ts'
import { executionForks, forkAtTimestamp, type NetworkConfig, networkWords } from '../networks.ts'
import { WorkerCrashed } from '../pool/crash.ts'
import type { Pool } from '../pool/pool.ts'
import type { Anchor, Checked, CheckRequest, Delivery } from '../pool/protocol.ts'
import { crashed, landed, ofTransaction, refused, unchecked } from '../verdict/assemble.ts'
import type { Counters, Stats } from '../verdict/stats.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import type { KernelName } from '../wasm/kernel.ts'
import { readAnchor } from './anchor.ts'
import { consign, type Consignment, sidecarsOf } from './deliveries.ts'
import { inspect } from './inspect.ts'
import type { BlobItem, CellItem, Progress, Sidecars, TransactionOptions, VerifyOptions } from './options.ts'

/** Verifies blob data off the calling thread. Made by `createVerifier`. */
export interface Verifier extends AsyncDisposable {
  /** EIP-4844 blobs against their commitments. One verdict for each item, in order. */
  verifyBlobs(items: readonly BlobItem[], options?: VerifyOptions): Promise<Verdict[]>
  /** EIP-7594 cells against their commitments. */
  verifyCells(items: readonly CellItem[], options?: VerifyOptions): Promise<Verdict[]>
  /** BlobSidecars (Deneb to Fulu). */
  verifyBlobSidecars(sidecars: Sidecars, options?: VerifyOptions): Promise<Verdict[]>
  /** DataColumnSidecars (Fulu). */
  verifyDataColumnSidecars(sidecars: Sidecars, options?: VerifyOptions): Promise<Verdict[]>
  /** A blob transaction in network form (`0x03 ‖ rlp([body, …, blobs, commitments, proofs])`), by its fork's rules. */
  verifyBlobTransaction(bytes: Uint8Array | string, options: TransactionOptions): Promise<TransactionVerdict>
  /** Makes the first verification as quick as the others: in every worker, on known data, changing no state. */
  warmup(options?: { readonly signal?: AbortSignal }): Promise<void>
  stats(): Stats
  /** The WASM module that computes. */
  readonly kernel: KernelName
  /** Why that one. */
  readonly kernelReason: string
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Ends the workers. Calls in flight reject with `DisposedError`, and so do later ones. May be called twice. */
  dispose(): Promise<void>
}

/** The parts that `createVerifier` puts together. */
export interface Stations {
  readonly network: NetworkConfig
  readonly pool: Pool
  readonly flights: Flights
  readonly batcher: Batcher
  readonly judge: Judge
  readonly cache: VerdictCache | null
  readonly counters: Counters
}

/** A call's options once they are known to make sense. */
interface Call {
  readonly anchor: Anchor
  readonly fork: 0 | 1 | 2
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: Progress) => void
  readonly cheap: boolean
  readonly transfer: boolean
}

export class PipelineVerifier implements Verifier {
  readonly #stations: Stations
  readonly #network: BigUint64Array<ArrayBuffer>
  #disposed: Promise<void> | undefined

  constructor(stations: Stations) {
    this.#stations = stations
    this.#network = networkWords(stations.network)
    // By hand: an engine without the symbol could not parse a class that has it as a key and no value for it.
    if (typeof Symbol.asyncDispose === 'symbol') {
      Object.defineProperty(this, Symbol.asyncDispose, { value: () => this.dispose() })
    }
  }

  declare readonly [Symbol.asyncDispose]: () => Promise<void>

  async verifyBlobs(items: readonly BlobItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#run('blob', arrayOf(items, 'items'), readCall(options, false))
  }

  async verifyCells(items: readonly CellItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#run('cell', arrayOf(items, 'items'), readCall(options, false))
  }

  async verifyBlobSidecars(sidecars: Sidecars, options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#verifySidecars('blob-sidecar', sidecars, readCall(options, true))
  }

  async verifyDataColumnSidecars(sidecars: Sidecars, options: VerifyOptions = {}): Promise<Verdict[]> {
    return await this.#verifySidecars('data-column-sidecar', sidecars, readCall(options, true))
  }

  async verifyBlobTransaction(
    bytes: Uint8Array | string,
    options: TransactionOptions,
  ): Promise<TransactionVerdict> {
    const { fork, timestamp, source, ...rest } = optionsOf(options)
    const call = { ...readCall(rest as VerifyOptions, false), fork: this.#fork(fork, timestamp) }
    const [verdict] = await this.#run('transaction', [{ transaction: bytes, source }], call)
    return verdict === undefined
      ? { ...crashed(), blobs: [] }
      : 'blobs' in verdict
        ? verdict
        : { ...verdict, blobs: [] }
  }

  async warmup({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#refuseIfDisposed()
    await abortable(
      signal,
      () => this.#stations.pool.runOnAll((api) => api.warmUp()),
      () => {},
    )
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

  get workers(): number {
    return this.#stations.pool.workers
  }

  dispose(): Promise<void> {
    this.#disposed ??= (async () => {
      this.#stations.pool.dispose()
      this.#stations.flights.failAll(new DisposedError())
      await this.#stations.cache?.close?.()
    })()
    return this.#disposed
  }

  #refuseIfDisposed(): void {
    if (this.#disposed !== undefined) throw new DisposedError()
  }

  #fork(fork: unknown, timestamp: unknown): 0 | 1 | 2 {
    if (fork !== undefined) {
      if (typeof fork === 'string' && Object.hasOwn(executionForks, fork))
        return executionForks[fork as keyof typeof executionForks]
      throw new TypeError(`unknown fork ${String(fork)}`)
    }
    const seconds = typeof timestamp === 'bigint' ? Number(timestamp) : timestamp
    if (typeof seconds !== 'number' || !Number.isFinite(seconds)) {
      throw new TypeError('a blob transaction is checked by the rules of a fork: give fork or timestamp')
    }
    const found = forkAtTimestamp(this.#stations.network, seconds)
    if (found === undefined)
      throw new TypeError(`there were no blob transactions on this network at ${seconds}`)
    return executionForks[found]
  }

  async #verifySidecars(kind: Delivery['kind'], sidecars: unknown, call: Call): Promise<Verdict[]> {
    this.#refuseIfDisposed()
    if (typeof sidecars !== 'string') return await this.#run(kind, sidecarsOf(kind, sidecars), call)
    const parse = () => this.#stations.pool.run((api) => api.parse(kind, sidecars))
    const items = await abortable(call.signal, parse, () => {}).catch((error: unknown) => {
      if (error instanceof WorkerCrashed) return null
      throw error
    })
    if (items === null) return [crashed()]
    // They are ours already: no copies.
    return await this.#run(kind, items, { ...call, transfer: true })
  }

  /** One call from beginning to end. Rejects with `AbortError` as soon as the signal says so. */
  async #run(
    kind: Delivery['kind'],
    items: readonly unknown[],
    call: Call,
  ): Promise<(Verdict | TransactionVerdict)[]> {
    this.#refuseIfDisposed()
    const boardings: Boarding[] = []
    const leave = (): void => boardings.splice(0).forEach(({ flight }) => flight.unsubscribe())
    return await abortable(call.signal, () => this.#pipeline(kind, items, call, boardings), leave)
  }

  async #pipeline(
    kind: Delivery['kind'],
    items: readonly unknown[],
    call: Call,
    boardings: Boarding[],
  ): Promise<(Verdict | TransactionVerdict)[]> {
    const { counters, flights, pool } = this.#stations
    const total = items.length
    const report = progressReporter(call, total)
    const consignments = await consign(kind, items, call.transfer)
    counters.items += total

    const request: CheckRequest = {
      deliveries: consignments.map(({ delivery }) => delivery),
      anchor: call.anchor,
      network: this.#network,
      fork: call.fork,
    }
    const checked = await inspect(pool, request, counters, call.signal, (count) => report('check', count))
    // The promise that the caller sees is rejected by now; nothing may board a flight for a caller who has left.
    if (call.signal?.aborted) return []

    const units = call.cheap ? [] : unitsOf(checked, consignments)
    // One by one: a call has no room for as many arguments as there may be items.
    for (const boarding of flights.board(units)) boardings.push(boarding)
    const tickets = boardings[Symbol.iterator]()
    const verdicts = checked.map(async (entry, at) => {
      const verdict = await this.#judgeEntry(entry, consignments[at]?.source, call.cheap, tickets)
      count(counters, verdict)
      report('kzg', 1)
      return verdict
    })
    return await Promise.all(verdicts)
  }

  /** The verdict on one delivery. Tickets are taken, in order, before the first wait. */
  async #judgeEntry(
    entry: Checked | null,
    source: string | undefined,
    cheap: boolean,
    tickets: Iterator<Boarding>,
  ): Promise<Verdict | TransactionVerdict> {
    const { counters } = this.#stations
    const sources = source === undefined ? [] : [source]
    if (entry === null) return crashed()
    if ('refusal' in entry) {
      counters.refusedByChecks++
      return refused(entry.refusal, entry.links, sources)
    }
    if ('blobs' in entry) {
      const blobs = await Promise.all(
        entry.blobs.map((blob) => this.#judgeEntry(blob, source, cheap, tickets)),
      )
      return ofTransaction(blobs, entry.digest)
    }
    if (cheap) return unchecked(entry.links)
    const ticket = tickets.next()
    if (ticket.done === true) return crashed()
    const { flight, first } = ticket.value
    const landing = await flight.landing
    if (landing.via === 'cache') counters.cacheHits++
    else if (!first) counters.duplicates++
    return landed({ landing, first, digest: entry.unit.digest, sources: [...flight.sources] }, entry.links)
  }
}

function unitsOf(
  checked: readonly (Checked | null)[],
  consignments: readonly Consignment[],
): Parameters<Flights['board']>[0] {
  const visit = (
    entry: Checked | null,
    source: string | undefined,
  ): { unit: import('../pool/protocol.ts').Unit; source: string | undefined }[] => {
    if (entry === null || 'refusal' in entry) return []
    return 'blobs' in entry
      ? entry.blobs.flatMap((blob) => visit(blob, source))
      : [{ unit: entry.unit, source }]
  }
  return checked.flatMap((entry, at) => visit(entry, consignments[at]?.source))
}

function count(counters: Counters, { status }: Verdict): void {
  if (status === 'error') counters.errors++
  else if (status !== 'unchecked') counters[status]++
}

/** Rejects when the signal is aborted, after `leave`; otherwise follows the work, which is not begun if it is already. */
async function abortable<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<T>,
  leave: () => void,
): Promise<T> {
  if (signal === undefined) return await begin()
  if (signal.aborted) throw abortError(signal)
  const work = begin()
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      leave()
      reject(abortError(signal))
    }
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function progressReporter(call: Call, total: number): (stage: Progress['stage'], more: number) => void {
  const done = { check: 0, kzg: 0 }
  return (stage, more) => {
    done[stage] += more
    if (call.signal?.aborted) return
    try {
      call.onProgress({ stage, done: done[stage], total })
    } catch {
      // The listener's fault is not the data's.
    }
  }
}

function arrayOf(items: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(items)) throw new TypeError(`${name} must be an array`)
  return items
}

function optionsOf<T extends object>(options: T): T {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  return options
}

function readCall(options: VerifyOptions, mayHaveHeader: boolean): Call {
  const { anchor, signal, onProgress = () => {}, mode = 'full', transfer = false } = optionsOf(options)
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('signal must be an AbortSignal')
  if (typeof onProgress !== 'function') throw new TypeError('onProgress must be a function')
  if (mode !== 'full' && mode !== 'cheap') throw new TypeError("mode must be 'full' or 'cheap'")
  const read = readAnchor(anchor)
  if (read.kind === 'header' && !mayHaveHeader) {
    throw new TypeError(
      'without an inclusion branch nothing leads to a header: use versionedHashes or commitments, or verify sidecars',
    )
  }
  return { anchor: read, fork: 2, signal, onProgress, cheap: mode === 'cheap', transfer: transfer === true }
}
