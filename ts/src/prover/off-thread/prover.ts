/// <reference lib="esnext.disposable" preserve="true" />
/** The prover's functions off the calling thread, and how they make use of the pool. Made by `createProver`. */
import { abortable } from '../../util/signals.ts'
import type { Bytes } from '../../util/hex.ts'
import { indicesOf, splitCells } from '../../kzg/inputs.ts'
import type { Pool } from '../../runtime/pool/pool.ts'
import type { Kernel, KernelName } from '../../runtime/kernel/kernel.ts'
import type { ProverCallOptions } from '../options.ts'
import { type CellsAndKzgProofs, type KzgProof, readKzgProof, splitProofs } from '../results.ts'
import type { Setup } from '../setup/setup.ts'
import type { ProverApi, Question } from '../worker/protocol.ts'
import { type Call, own, ownList, readCall } from './call.ts'
import { Job } from './job.ts'
import { PROOF_STEPS, proveCells } from './prove-cells.ts'
import { ownerOf, PARTS } from './shares.ts'
import type { TablesReport, WorkersTables } from './tables.ts'

/**
 * `Prover`'s functions, computed by worker threads. Each rejects with what its twin throws; with the signal's reason as soon as its
 * signal is aborted, upon which no more work is begun for it; with `SetupUnavailableError`; with `DisposedError`; and with
 * `WorkerCrashed` if two workers in a row died of it. Arrays are copied before a call returns.
 */
export interface AsyncProver extends AsyncDisposable {
  readonly blobToKzgCommitment: (blob: Bytes, options?: ProverCallOptions) => Promise<Uint8Array>
  readonly computeKzgProof: (blob: Bytes, z: Bytes, options?: ProverCallOptions) => Promise<KzgProof>
  readonly computeBlobKzgProof: (
    blob: Bytes,
    commitment: Bytes,
    options?: ProverCallOptions,
  ) => Promise<Uint8Array>
  readonly computeCells: (blob: Bytes, options?: ProverCallOptions) => Promise<Uint8Array[]>
  readonly recoverCells: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    options?: ProverCallOptions,
  ) => Promise<Uint8Array[]>
  /** Shared out over all workers. */
  readonly computeCellsAndKzgProofs: (blob: Bytes, options?: ProverCallOptions) => Promise<CellsAndKzgProofs>
  /** Shared out over all workers. */
  readonly recoverCellsAndKzgProofs: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    options?: ProverCallOptions,
  ) => Promise<CellsAndKzgProofs>
  /** Hands the setup to all workers and sees to their tables, kept or worked out, so that no call has to wait for them. */
  readonly prepare: (options?: ProverCallOptions) => Promise<void>
  /** The WASM module that computes. */
  readonly kernel: KernelName
  /** Why that one. */
  readonly kernelReason: string
  /** The tables so far; null with `precompute: 'none'`. */
  readonly tables: TablesReport | null
  /** Worker threads; 0 means the calling thread. */
  readonly workers: number
  /** Ends the workers. Calls in flight reject with `DisposedError`, and so do later ones. May be called twice. */
  readonly dispose: () => Promise<void>
}

export function asyncProverOf(
  pool: Pool<ProverApi>,
  kernel: Kernel,
  setup: Setup,
  tables: WorkersTables | null,
): AsyncProver {
  const { workers } = pool

  /** Begins a call with as much of the setup as it needs. */
  const begin = <T>(call: Call, halves: 0 | 1 | 2, work: (job: Job) => Promise<T>): Promise<T> =>
    abortable(
      call.signal,
      async () => await work(new Job(pool, halves === 0 ? [] : await setup.halves(halves), call.signal)),
      () => {},
    )
  const ask = (
    options: ProverCallOptions | undefined,
    halves: 0 | 1,
    question: Question,
  ): Promise<Uint8Array<ArrayBuffer>> =>
    begin(readCall(options), halves, (job) => job.ask((api) => api.compute(question)))
  const prove = (options: ProverCallOptions | undefined, question: Question): Promise<CellsAndKzgProofs> => {
    const call = readCall(options)
    return begin(call, 2, async (job) => {
      const cells = await job.ask((api) => api.compute(question))
      const proofs = await proveCells(job, cells, tables, workers, call.progress(PROOF_STEPS))
      return { cells: splitCells(cells), proofs: splitProofs(proofs) }
    })
  }
  const recovery = (cellIndices: readonly number[], cells: readonly Bytes[]): Question => ({
    kind: 'recovery',
    cellIndices: Array.from(indicesOf(cellIndices, 'cell-index')),
    cells: ownList(cells),
  })

  const prover = {
    kernel: kernel.name,
    kernelReason: kernel.reason,
    workers,
    get tables() {
      return tables?.report ?? null
    },
    async blobToKzgCommitment(blob, options) {
      return await ask(options, 1, { kind: 'commitment', blob: own(blob) })
    },
    async computeKzgProof(blob, z, options) {
      return readKzgProof(await ask(options, 1, { kind: 'proof', blob: own(blob), z: own(z) }))
    },
    async computeBlobKzgProof(blob, commitment, options) {
      const question = { kind: 'blob-proof', blob: own(blob), commitment: own(commitment) } as const
      return await ask(options, 1, question)
    },
    async computeCells(blob, options) {
      return splitCells(await ask(options, 0, { kind: 'cells', blob: own(blob) }))
    },
    async recoverCells(cellIndices, cells, options) {
      return splitCells(await ask(options, 0, recovery(cellIndices, cells)))
    },
    async computeCellsAndKzgProofs(blob, options) {
      return await prove(options, { kind: 'cells', blob: own(blob) })
    },
    async recoverCellsAndKzgProofs(cellIndices, cells, options) {
      return await prove(options, recovery(cellIndices, cells))
    },
    async prepare(options) {
      const call = readCall(options)
      const places = tables === null ? Math.max(workers, 1) : PARTS
      const step = call.progress(places)
      await begin(call, 2, async (job) => {
        const tasks = Array.from({ length: places }, async (_, at) => {
          if (tables === null) await job.run(async () => {}, { on: at })
          else await job.run((api) => tables.supply(api, at, at + 1), { on: ownerOf(at, workers) })
          step(1)
        })
        await Promise.all(tasks)
      })
    },
    async dispose() {
      pool.dispose()
    },
  } satisfies Omit<AsyncProver, typeof Symbol.asyncDispose>
  // By hand: an engine without the symbol would be given a method by the name of `undefined`.
  if (typeof Symbol.asyncDispose === 'symbol')
    Object.defineProperty(prover, Symbol.asyncDispose, { value: prover.dispose })
  return prover as AsyncProver
}
