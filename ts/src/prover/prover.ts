/** The prover's functions, synchronous, in the calling thread. */
import { KzgInputError } from '../kzg/input-error.ts'
import { type Given, inputError } from '../kzg/input-words.ts'
import { readField, readRecovery, splitCells } from '../kzg/inputs.ts'
import { type KernelName, loadKernel, refuseUnknownKernel, unsoundHere } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, type ReadSources, readSources } from '../runtime/kernel/module.ts'
import { pack } from '../util/packed.ts'
import type { Bytes } from '../util/hex.ts'
import type { WarningListener } from '../runtime/warning.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { type LoadProverOptions, readPrecompute, type TableShape } from './options.ts'
import { type CellsAndKzgProofs, type KzgProof, readCellsAndKzgProofs, readKzgProof } from './results.ts'
import { type HalfCount, Setup, SetupUnavailableError } from './setup.ts'
import { rememberSynchronous } from './synchronous.ts'
import { proverFiles } from './worker/files.ts'
import { type Exports, instantiateProver, type ProverInstance } from './worker/module.ts'
import type { ByteArray } from '../util/platform-types.ts'

/**
 * The proving functions of specs/deneb/polynomial-commitments.md and specs/fulu/polynomial-commitments-sampling.md, by c-kzg's names,
 * in the calling thread; made by `loadProver`.
 *
 * Blobs have 131,072 bytes, cells 2,048, commitments and proofs 48, field elements 32 (big-endian, below BLS_MODULUS). Malformed input
 * throws `KzgInputError`, wherever the official vectors say `null`, and for more than 64 cells of no single blob; a module that runs out of
 * memory `WasmUnavailableError`. The functions need no `this`: they may be taken off the object.
 */
export interface Prover {
  /** Which variant of the WebAssembly module computes. */
  readonly kernel: KernelName
  /**
   * The commitment to a blob, 48 bytes: `blob_to_kzg_commitment`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver({ proofs: 'blobs' })
   * console.log(prover.blobToKzgCommitment(blob).length) // 48
   * ```
   */
  readonly blobToKzgCommitment: (blob: Bytes) => ByteArray
  /**
   * A proof of the value of a blob's polynomial at z, a field element, and that value: `compute_kzg_proof`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver({ proofs: 'blobs' })
   * const { proof, y } = prover.computeKzgProof(blob, new Uint8Array(32)) // at z = 0
   * console.log(proof.length, y.length) // 48 32
   * ```
   */
  readonly computeKzgProof: (blob: Bytes, z: Bytes) => KzgProof
  /**
   * The proof that EIP-4844 sends along with a blob, 48 bytes: `compute_blob_kzg_proof`. That the commitment is the blob's own is not
   * checked; otherwise the proof is of no use. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver({ proofs: 'blobs' })
   * const commitment = prover.blobToKzgCommitment(blob)
   * console.log(prover.computeBlobKzgProof(blob, commitment).length) // 48
   * ```
   */
  readonly computeBlobKzgProof: (blob: Bytes, commitment: Bytes) => ByteArray
  /**
   * The 128 cells of the extended blob, 2,048 bytes each, of which the first 64 are the blob: `compute_cells`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver({ proofs: 'blobs' })
   * console.log(prover.computeCells(blob).length) // 128
   * ```
   */
  readonly computeCells: (blob: Bytes) => ByteArray[]
  /**
   * All 128 cells of an extended blob from at least 64 of them, given in ascending order of their indices: `recover_cells_and_kzg_proofs`
   * without the proofs. Nothing is verified: 64 cells of which one is altered are those of another blob. Throws `KzgInputError`, also for more
   * than 64 cells that no single blob has.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver({ proofs: 'blobs' })
   * console.log(prover.recoverCells(cellIndices, cells).length) // 128
   * ```
   */
  readonly recoverCells: (cellIndices: readonly number[], cells: readonly Bytes[]) => ByteArray[]
  /**
   * The 128 cells of the extended blob, and the 128 proofs that EIP-7594 sends along with it: `compute_cells_and_kzg_proofs`. Throws
   * `KzgInputError`, and `SetupUnavailableError` where the prover was loaded with `proofs: 'blobs'`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver()
   * const { cells, proofs } = prover.computeCellsAndKzgProofs(blob)
   * console.log(cells.length, proofs.length) // 128 128
   * ```
   */
  readonly computeCellsAndKzgProofs: (blob: Bytes) => CellsAndKzgProofs
  /**
   * All 128 cells of an extended blob and their proofs from at least 64 cells, given in ascending order of their indices:
   * `recover_cells_and_kzg_proofs`. Nothing is verified: 64 cells of which one is altered are those of another blob. Throws `KzgInputError`, also
   * for more than 64 cells that no single blob has, and `SetupUnavailableError` where the prover was loaded with `proofs: 'blobs'`.
   *
   * @example
   * ```ts
   * import { loadProver } from 'blobcheck/prover'
   *
   * const prover = await loadProver()
   * const { proofs } = prover.recoverCellsAndKzgProofs(cellIndices, cells)
   * console.log(proofs.length) // 128
   * ```
   */
  readonly recoverCellsAndKzgProofs: (
    cellIndices: readonly number[],
    cells: readonly Bytes[],
  ) => CellsAndKzgProofs
}

function proverOf(instance: ProverInstance, tables: TableShape | null): Prover {
  /** Runs a task; what is wrong with the input is put into words about what was given. */
  const run = (given: Given, shape: TableShape | null, task: (exports: Exports) => Uint8Array): ByteArray => {
    try {
      // What the glue returns was copied out of the module's memory.
      return instance.run(shape, task) as ByteArray
    } catch (error) {
      if (!(error instanceof KzgInputError)) throw error
      throw inputError(error.code, error.index, error.field, given)
    }
  }
  // Tables of any shape will do, and none are asked for: another prover of this thread, which wants none, would have to work them out for
  // its proofs.
  const compute = (given: Given, task: (exports: Exports) => Uint8Array): ByteArray => run(given, null, task)
  return {
    kernel: instance.kernel,
    blobToKzgCommitment(blob) {
      const b = readField('blob', blob)
      return compute({ blob: [b] }, (exports) => exports.blobToKzgCommitment(b))
    },
    computeKzgProof(blob, z) {
      const [b, zBytes] = [readField('blob', blob), readField('z', z)]
      return readKzgProof(
        compute({ blob: [b], z: [zBytes] }, (exports) => exports.computeKzgProof(b, zBytes)),
      )
    },
    computeBlobKzgProof(blob, commitment) {
      const [b, c] = [readField('blob', blob), readField('commitment', commitment)]
      return compute({ blob: [b], commitment: [c] }, (exports) => exports.computeBlobKzgProof(b, c))
    },
    computeCells(blob) {
      const b = readField('blob', blob)
      return splitCells(compute({ blob: [b] }, (exports) => exports.computeCells(b)))
    },
    recoverCells(cellIndices, cells) {
      const { indices, cells: fields } = readRecovery(cellIndices, cells)
      const { bytes, lengths } = pack(fields)
      const given = { 'cell-index': indices, cell: fields }
      return splitCells(compute(given, (exports) => exports.recoverCells(indices, bytes, lengths)))
    },
    computeCellsAndKzgProofs(blob) {
      const b = readField('blob', blob)
      return readCellsAndKzgProofs(
        run({ blob: [b] }, tables, (exports) => exports.computeCellsAndKzgProofs(b)),
      )
    },
    recoverCellsAndKzgProofs(cellIndices, cells) {
      const { indices, cells: fields } = readRecovery(cellIndices, cells)
      const { bytes, lengths } = pack(fields)
      const given = { 'cell-index': indices, cell: fields }
      return readCellsAndKzgProofs(
        run(given, tables, (exports) => exports.recoverCellsAndKzgProofs(indices, bytes, lengths)),
      )
    },
  }
}

/**
 * Loads the prover's module and setup, side by side, into the calling thread. There are only synchronous functions then: proofs of cells
 * take hundreds of milliseconds, for which a page should use `createProver`.
 *
 * Rejects with `WasmUnavailableError` or `SetupUnavailableError` where one of them cannot be had, and with `TypeError` for options that
 * make no sense or cannot be read.
 *
 * @example
 * ```ts
 * import { loadProver } from 'blobcheck/prover'
 *
 * const prover = await loadProver({ proofs: 'blobs' })
 * const blob = new Uint8Array(131_072)
 * const commitment = prover.blobToKzgCommitment(blob)
 * console.log(prover.computeBlobKzgProof(blob, commitment).length) // 48
 * ```
 */
export async function loadProver(options: LoadProverOptions = {}): Promise<Prover> {
  const { tables, kernel, wasm, setup, proofs, onWarning } = reading(() => readOptions(options))
  const count: HalfCount = proofs === 'blobs' ? 1 : 2
  const compile = (name: KernelName): Promise<WebAssembly.Module> => compileKernel(name, wasm, proverFiles)
  const [chosen, halves] = await Promise.all([
    loadKernel(kernel, { compile, onlyBaseline: bringsOnlyBaseline(wasm), onWarning }),
    setup.halves(count),
  ])
  let instance = instantiateProver(chosen.kernel.name, chosen.module)
  if (!instance.isSound()) {
    if (kernel !== 'auto') throw unsoundHere()
    instance = instantiateProver('simd128', await compile('simd128'))
  }
  halves.forEach((half, at) => {
    if (!instance.give(at, half)) throw new SetupUnavailableError(`half ${at + 1} is not Ethereum's`)
  })
  const all = proverOf(instance, tables)
  const prover = proofs === 'cells' ? all : withoutCellProofs(all)
  rememberSynchronous(prover)
  return prover
}

/** The options of `loadProver`, read. */
interface ReadOptions {
  readonly tables: TableShape | null
  readonly kernel: 'auto' | KernelName
  readonly wasm: ReadSources
  readonly setup: Setup
  readonly proofs: 'blobs' | 'cells'
  readonly onWarning: WarningListener | undefined
}

/** Reads the options, each property once. Throws `TypeError` where they make no sense, and whatever the caller's getters throw. */
function readOptions(options: LoadProverOptions): ReadOptions {
  const {
    precompute,
    kernel = 'auto',
    wasm,
    setup,
    proofs = 'cells',
    onWarning,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  const tables = readPrecompute(precompute)
  if (tables !== null && tables.keep !== false)
    throw new TypeError('precompute: keep is for createProver; what loadProver computes with is worked out')
  if (proofs !== 'blobs' && proofs !== 'cells') throw new TypeError("proofs must be 'blobs' or 'cells'")
  refuseUnknownKernel(kernel)
  refuseNonListener(onWarning, 'onWarning')
  return {
    tables: tables?.shape ?? null,
    kernel,
    wasm: readSources(wasm),
    setup: new Setup(setup),
    proofs,
    onWarning,
  }
}

/** The thread's instance may have what this prover did not ask for: what it can do must not depend on that. */
function withoutCellProofs(prover: Prover): Prover {
  const refuse = (): never => {
    throw new SetupUnavailableError("it was loaded for proofs of blobs; say proofs: 'cells'")
  }
  return { ...prover, computeCellsAndKzgProofs: refuse, recoverCellsAndKzgProofs: refuse }
}
