/** The prover's functions off the calling thread, and how they make use of the pool. */
import { loadTasks, spawnWorker } from '#prover-worker'
import type { Field } from '../kzg/input-error.ts'
import type { Given } from '../kzg/input-words.ts'
import { boundedField, readRecovery, splitCells } from '../kzg/inputs.ts'
import { DisposedError } from '../runtime/errors.ts'
import { type KernelName, refuseUnknownKernel } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, type ReadSources, readSources } from '../runtime/kernel/module.ts'
import { countWorkers, type StartedPool, startPool } from '../runtime/pool/start.ts'
import type { WarningListener } from '../runtime/warning.ts'
import { disposeBy } from '../util/disposable.ts'
import type { Bytes } from '../util/hex.ts'
import { abortable } from '../util/signals.ts'
import { type Call, CallTasks, readCall } from './call.ts'
import { ownerOf, PARTS, PROOF_STEPS, proveCells } from './cell-proofs.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { readUrl } from '../util/url.ts'
import { type CreateProverOptions, type ProverCallOptions, readPrecompute, type Tables } from './options.ts'
import { type CellsAndKzgProofs, type KzgProof, readKzgProof, splitProofs } from './results.ts'
import { Setup } from './setup.ts'
import { type TablesReport, WorkerTables } from './tables/worker-tables.ts'
import { proverFiles } from './worker/files.ts'
import type { ProverApi, Question } from './worker/protocol.ts'
import type { ByteArray, PlatformDisposable } from '../util/platform-types.ts'

/**
 * The functions of `Prover`, computed by worker threads; made by `createProver`.
 *
 * Each function rejects with `KzgInputError` for malformed input; with the signal's reason as soon as its signal is aborted, upon which no
 * more work is begun for it; with `SetupUnavailableError` where it needs a setup that cannot be had; with `WorkerCrashed` where two
 * workers in a row ended during it; with `DisposedError`; and with `TypeError` for options that make no sense. Arrays are copied before a
 * call returns. The functions need no `this`.
 */
export interface AsyncProver extends PlatformDisposable {
  /**
   * The commitment to a blob of 131,072 bytes, 48 bytes: `blob_to_kzg_commitment`.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * console.log((await prover.blobToKzgCommitment(blob, { signal })).length) // 48
   * ```
   */
  readonly blobToKzgCommitment: (blob: Bytes, options?: ProverCallOptions) => Promise<ByteArray>
  /**
   * A proof of the value of a blob's polynomial at z, a field element of 32 bytes, and that value: `compute_kzg_proof`.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * const { proof, y } = await prover.computeKzgProof(blob, new Uint8Array(32)) // at z = 0
   * console.log(proof.length, y.length) // 48 32
   * ```
   */
  readonly computeKzgProof: (blob: Bytes, z: Bytes, options?: ProverCallOptions) => Promise<KzgProof>
  /**
   * The proof that EIP-4844 sends along with a blob, 48 bytes: `compute_blob_kzg_proof`. That the commitment is the blob's own is not
   * checked; otherwise the proof is of no use.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * const commitment = await prover.blobToKzgCommitment(blob)
   * console.log((await prover.computeBlobKzgProof(blob, commitment)).length) // 48
   * ```
   */
  readonly computeBlobKzgProof: (
    blob: Bytes,
    commitment: Bytes,
    options?: ProverCallOptions,
  ) => Promise<ByteArray>
  /**
   * The 128 cells of the extended blob, 2,048 bytes each, of which the first 64 are the blob: `compute_cells`. Needs no setup.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * console.log((await prover.computeCells(blob)).length) // 128
   * ```
   */
  readonly computeCells: (blob: Bytes, options?: ProverCallOptions) => Promise<ByteArray[]>
  /**
   * All 128 cells of an extended blob from at least 64 of them, given in ascending order of their indices: `recover_cells_and_kzg_proofs`
   * without the proofs. Nothing is verified: 64 cells of which one is altered are those of another blob. More than 64 that no single blob has are
   * a `KzgInputError`. Needs no setup.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * console.log((await prover.recoverCells(cellIndices, cells)).length) // 128
   * ```
   */
  readonly recoverCells: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    options?: ProverCallOptions,
  ) => Promise<ByteArray[]>
  /**
   * The 128 cells of the extended blob, and the 128 proofs that EIP-7594 sends along with it: `compute_cells_and_kzg_proofs`. The work is
   * shared out over all workers, and `onProgress` hears of 18 steps.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * const { proofs } = await prover.computeCellsAndKzgProofs(blob, {
   *   signal,
   *   onProgress: ({ done, total }) => console.log(`${done}/${total}`),
   * })
   * console.log(proofs.length) // 128
   * ```
   */
  readonly computeCellsAndKzgProofs: (blob: Bytes, options?: ProverCallOptions) => Promise<CellsAndKzgProofs>
  /**
   * All 128 cells of an extended blob and their proofs from at least 64 cells, given in ascending order of their indices:
   * `recover_cells_and_kzg_proofs`. Nothing is verified: 64 cells of which one is altered are those of another blob. More than 64 that no single
   * blob has are a `KzgInputError`. The work is shared out over all workers, and `onProgress` hears of 18 steps.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * const { proofs } = await prover.recoverCellsAndKzgProofs(cellIndices, cells, { signal })
   * console.log(proofs.length) // 128
   * ```
   */
  readonly recoverCellsAndKzgProofs: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    options?: ProverCallOptions,
  ) => Promise<CellsAndKzgProofs>
  /**
   * Gives all workers the setup and their tables, read back or worked out, so that no later call has to wait for them. `onProgress` hears
   * of each part of the tables, or where there are none, of each worker.
   *
   * @example
   * ```ts
   * import { createProver } from 'blobcheck/prover'
   *
   * await using prover = await createProver()
   * await prover.prepare({ signal }) // while the page waits for its user anyway
   * ```
   */
  readonly prepare: (options?: ProverCallOptions) => Promise<void>
  /** Which variant of the WebAssembly module computes. */
  readonly kernel: KernelName
  /** Why this kernel was chosen, in words for a person. */
  readonly kernelReason: string
  /** Where the tables come from that there are by now; null with `precompute: 'none'`. */
  readonly tables: TablesReport | null
  /** How many worker threads there are; 0 means that everything runs in the calling thread. */
  readonly workers: number
  /** Why there are as many workers, or none, in words for a person. */
  readonly workersReason: string
  /**
   * Ends the workers. Calls that are under way reject with `DisposedError`, and so do later ones. May be called more than once; `await
   * using` calls it where the engine has `Symbol.asyncDispose`.
   */
  readonly dispose: () => Promise<void>
}

/** A field that stays as it is while it waits for a worker, and can be sent to one: hex is parsed there. */
function copyField(field: Field, value: Bytes): Bytes {
  const bounded = boundedField(field, value)
  return typeof bounded === 'string' ? bounded : new Uint8Array(bounded)
}

/** What a question is about, as an error is to speak of it. */
function givenIn(question: Question): Given {
  if (question.kind === 'recovery') return { 'cell-index': question.cellIndices, cell: question.cells }
  return Object.fromEntries(Object.entries(question).map(([field, value]) => [field, [value]]))
}

function asyncProverOf(
  { pool, kernel, workersReason }: StartedPool<ProverApi>,
  setup: Setup,
  tables: WorkerTables | null,
): AsyncProver {
  const { workers } = pool
  const disposed = new AbortController()

  /** Begins a call with as much of the setup as it needs; it ends with the prover, be the setup there or not. */
  const begin = <T>(call: Call, halves: 0 | 1 | 2, work: (tasks: CallTasks) => Promise<T>): Promise<T> =>
    abortable(disposed.signal, () =>
      abortable(
        call.signal,
        async () =>
          await work(new CallTasks(pool, halves === 0 ? [] : await setup.halves(halves), call, tables)),
      ),
    ).finally(() => (call.isOver = true))
  const answerTo = (tasks: CallTasks, question: Question): Promise<Uint8Array<ArrayBuffer>> =>
    tasks.ask((api) => api.compute(question, tables?.shape ?? null), {}, givenIn(question))
  const ask = (
    options: ProverCallOptions | undefined,
    halves: 0 | 1,
    question: Question,
  ): Promise<Uint8Array<ArrayBuffer>> =>
    begin(readCall(options), halves, (tasks) => answerTo(tasks, question))
  const prove = (options: ProverCallOptions | undefined, question: Question): Promise<CellsAndKzgProofs> => {
    const call = readCall(options)
    return begin(call, 2, async (tasks) => {
      const cells = await answerTo(tasks, question)
      const proofs = await proveCells(tasks, cells, tables, workers, call.progress('prove', PROOF_STEPS))
      return { cells: splitCells(cells), proofs: splitProofs(proofs) }
    })
  }
  const recovery = (cellIndices: readonly number[], cells: readonly Bytes[]): Question => {
    const { indices, cells: fields } = readRecovery(cellIndices, cells)
    return { kind: 'recovery', cellIndices: indices, cells: fields.map((cell) => new Uint8Array(cell)) }
  }

  const prover = {
    kernel: kernel.name,
    kernelReason: kernel.reason,
    workers,
    workersReason,
    get tables() {
      return tables?.report ?? null
    },
    async blobToKzgCommitment(blob, options) {
      return await ask(options, 1, { kind: 'commitment', blob: copyField('blob', blob) })
    },
    async computeKzgProof(blob, z, options) {
      return readKzgProof(
        await ask(options, 1, { kind: 'proof', blob: copyField('blob', blob), z: copyField('z', z) }),
      )
    },
    async computeBlobKzgProof(blob, commitment, options) {
      const question = {
        kind: 'blob-proof',
        blob: copyField('blob', blob),
        commitment: copyField('commitment', commitment),
      } as const
      return await ask(options, 1, question)
    },
    async computeCells(blob, options) {
      return splitCells(await ask(options, 0, { kind: 'cells', blob: copyField('blob', blob) }))
    },
    async recoverCells(cellIndices, cells, options) {
      return splitCells(await ask(options, 0, recovery(cellIndices, cells)))
    },
    async computeCellsAndKzgProofs(blob, options) {
      return await prove(options, { kind: 'cells', blob: copyField('blob', blob) })
    },
    async recoverCellsAndKzgProofs(cellIndices, cells, options) {
      return await prove(options, recovery(cellIndices, cells))
    },
    async prepare(options) {
      const call = readCall(options)
      const count = tables === null ? Math.max(workers, 1) : PARTS
      const step = call.progress('prepare', count)
      await begin(call, 2, async (tasks) => {
        const steps = Array.from({ length: count }, async (_, at) => {
          if (tables === null) await tasks.run(async () => {}, { on: at })
          else await tasks.run((api) => tables.supply(api, at, at + 1), { on: ownerOf(at, workers) })
          step(1)
        })
        await Promise.all(steps)
      })
    },
    async dispose() {
      disposed.abort(new DisposedError())
      pool.dispose()
    },
  } satisfies Omit<AsyncProver, typeof Symbol.asyncDispose>
  disposeBy(prover, prover.dispose)
  return prover as AsyncProver
}

/**
 * Starts a prover in worker threads, so that a page is never held up. The setup is loaded when a call needs it, half by half.
 *
 * Rejects with `WasmUnavailableError` where WebAssembly with SIMD, the module or an explicit number of workers cannot be had, and with
 * `TypeError` for options that make no sense or cannot be read. With `workers: 'auto'`, a page whose policy forbids workers gets a prover in
 * the calling thread, which it yields between steps; `prover.workers` is then 0.
 *
 * @example
 * ```ts
 * import { createProver } from 'blobcheck/prover'
 *
 * const prover = await createProver()
 * const blob = new Uint8Array(131_072)
 * const commitment = await prover.blobToKzgCommitment(blob)
 * const { cells, proofs } = await prover.computeCellsAndKzgProofs(blob)
 * console.log(commitment.length, cells.length, proofs.length) // 48 128 128
 * await prover.dispose()
 * ```
 */
export async function createProver(options: CreateProverOptions = {}): Promise<AsyncProver> {
  const {
    tables,
    kernel: wanted,
    wasm,
    setup,
    workers,
    workerUrl,
    onWarning,
  } = reading(() => readOptions(options))
  const { pool, kernel, workersReason } = await startPool({
    host: {
      part: 'blobcheck/prover',
      spawn: () => spawnWorker(workerUrl),
      inline: loadTasks,
    },
    workers: countWorkers(workers),
    orInline: workers === 'auto',
    kernel: wanted,
    compile: (name) => compileKernel(name, wasm, proverFiles),
    onlyBaseline: bringsOnlyBaseline(wasm),
    onWarning,
  })
  const kept = tables === null ? null : new WorkerTables(tables.shape, tables.keep, onWarning)
  return asyncProverOf({ pool, kernel, workersReason }, setup, kept)
}

/** The options of `createProver`, read. */
interface ReadOptions {
  readonly tables: Tables | null
  readonly kernel: 'auto' | KernelName | undefined
  readonly wasm: ReadSources
  readonly setup: Setup
  readonly workers: 'auto' | number
  readonly workerUrl: URL | undefined
  readonly onWarning: WarningListener | undefined
}

/** Reads the options, each property once. Throws `TypeError` where they make no sense, and whatever the caller's getters throw. */
function readOptions(options: CreateProverOptions): ReadOptions {
  const {
    precompute,
    kernel,
    wasm,
    setup,
    workers = 'auto',
    workerUrl,
    onWarning,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  countWorkers(workers)
  refuseUnknownKernel(kernel)
  refuseNonListener(onWarning, 'onWarning')
  return {
    tables: readPrecompute(precompute),
    kernel,
    wasm: readSources(wasm),
    setup: new Setup(setup),
    workers,
    workerUrl: readUrl(workerUrl, 'workerUrl'),
    onWarning,
  }
}
