/** The specification's functions in the calling thread, over one or two instances of the module. Made by `loadKzg`. */
import { pack } from '../util/packed.ts'
import type { Bytes } from '../util/hex.ts'
import { type Given, inputError } from './input-words.ts'
import { indicesOf, readField, readFields, readRecovery, splitCells } from './inputs.ts'
import type { Hashing } from '../runtime/platform/platform.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'
import { giveCommitmentSetup, isTrap, outOfMemory } from './core.ts'
import { type Core, type Exports, instantiate } from './module.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import type { Warning } from '../runtime/warning.ts'
import { type KernelName, loadKernel, refuseUnknownKernel, unsoundHere } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, readSources, type WasmSources } from '../runtime/kernel/module.ts'
import { kzgFiles } from './files.ts'
import { commitmentSetupOf, type SetupHalf, SetupUnavailableError } from './setup.ts'
import { readSetupSource, type SetupSource } from './setup-source.ts'
import { blobBatch, cellBatch, verifyBareBlobs } from './batches.ts'
import { challengeHashes, hashing } from './challenge-hash.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** The options of `loadKzg`. */
export interface KzgOptions {
  /**
   * Which variant of the WebAssembly module computes. Default `auto`: the fastest that is sound in this engine. One that is asked for by
   * name and is not sound here is a `WasmUnavailableError`.
   */
  readonly kernel?: 'auto' | KernelName
  /** The WebAssembly modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /**
   * Whether to load the points that `verifyBlobCommitments` needs (`prover-setup.bin`, 262,176 bytes); or where they are, if not beside the
   * package's own files: their address or their bytes. Default false: the other functions need no setup.
   */
  readonly commitmentSetup?: boolean | SetupSource
  /** Called where the functions work, though not as they could; default: the console is told, once. What it throws is ignored. */
  readonly onWarning?: (warning: Warning) => void
}

/**
 * The verifying functions of specs/deneb/polynomial-commitments.md and specs/fulu/polynomial-commitments-sampling.md, by c-kzg's names,
 * in the calling thread; made by `loadKzg`.
 *
 * Blobs have 131,072 bytes, cells 2,048, commitments and proofs 48, field elements 32 (big-endian, below BLS_MODULUS). A proof that is well
 * formed and false is `false`; malformed input throws `KzgInputError`, and a module that runs out of memory `WasmUnavailableError`. The
 * functions need no `this`.
 */
export interface Kzg {
  /** Which variant of the WebAssembly module computes. */
  readonly kernel: KernelName
  /**
   * Who computes the SHA-256 of blobs: `node:crypto` in Node.js, else the module. (WebCrypto answers with promises, and these functions
   * at once.)
   */
  readonly hashing: Hashing
  /**
   * Whether p(z) = y, by a proof for the polynomial p that is committed to: `verify_kzg_proof`. `commitment` and `proof` are 48 bytes, `z`
   * and `y` field elements. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * const constant = `0xc0${'00'.repeat(47)}` // the commitment to the polynomial that is 0 everywhere, and its proof
   * const zero = new Uint8Array(32)
   * console.log(kzg.verifyKzgProof(constant, zero, zero, constant)) // true
   * ```
   */
  verifyKzgProof(commitment: Bytes, z: Bytes, y: Bytes, proof: Bytes): boolean
  /**
   * Whether a blob is what its commitment commits to, by EIP-4844's proof: `verify_blob_kzg_proof`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * console.log(kzg.verifyBlobKzgProof(blob, commitment, proof)) // true
   * ```
   */
  verifyBlobKzgProof(blob: Bytes, commitment: Bytes, proof: Bytes): boolean
  /**
   * Whether all of many blobs are what their commitments commit to: `verify_blob_kzg_proof_batch`. The arrays are equally long, and empty
   * ones are true. Any number of blobs runs in bounded memory. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * console.log(kzg.verifyBlobKzgProofBatch(blobs, commitments, proofs)) // true
   * ```
   */
  verifyBlobKzgProofBatch(
    blobs: readonly Bytes[],
    commitments: readonly Bytes[],
    proofs: readonly Bytes[],
  ): boolean
  /**
   * Whether all of many cells are of the blobs that their commitments commit to, by EIP-7594's proofs: `verify_cell_kzg_proof_batch`. The
   * arrays are equally long, with one entry for each cell, and empty ones are true; indices are from 0 to 127. Any number of cells runs
   * in bounded memory. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * console.log(kzg.verifyCellKzgProofBatch([commitment], [5], [cell], [proof])) // whether it is cell 5 of that blob
   * ```
   */
  verifyCellKzgProofBatch(
    commitments: readonly Bytes[],
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    proofs: readonly Bytes[],
  ): boolean
  /**
   * Whether all of many blobs are what their commitments commit to, without proofs: `blob_to_kzg_commitment(blob) == commitment` for each,
   * but for an error of 2⁻¹²⁸. The arrays are equally long, and empty ones are true. However many blobs there are, one multi-scalar
   * multiplication decides about all of them. Needs `commitmentSetup`. Throws `KzgInputError`, also for a commitment outside G1, and
   * `SetupUnavailableError` where the setup was not loaded.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg({ commitmentSetup: true })
   * console.log(kzg.verifyBlobCommitments(blobs, commitments)) // true
   * ```
   */
  verifyBlobCommitments(blobs: readonly Bytes[], commitments: readonly Bytes[]): boolean
  /**
   * The Fiat–Shamir challenge of a blob's proof, 32 bytes, big-endian: `compute_challenge`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * console.log(kzg.computeChallenge(blob, commitment).length) // 32
   * ```
   */
  computeChallenge(blob: Bytes, commitment: Bytes): ByteArray
  /**
   * The coefficient of a batch of cells, 32 bytes, big-endian: `compute_verify_cell_kzg_proof_batch_challenge`. `commitments` are the
   * distinct ones, of which `commitmentIndices` names one for each cell. Throws `KzgInputError`. (`verifyCellKzgProofBatch` draws
   * coefficients of its own at random.)
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * const challenge = kzg.computeVerifyCellKzgProofBatchChallenge([commitment], [0], [5], [cell], [proof])
   * console.log(challenge.length) // 32
   * ```
   */
  computeVerifyCellKzgProofBatchChallenge(
    commitments: readonly Bytes[],
    commitmentIndices: readonly number[],
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    proofs: readonly Bytes[],
  ): ByteArray
  /**
   * The 128 cells of the extended blob, 2,048 bytes each, of which the first 64 are the blob: `compute_cells`. Throws `KzgInputError`.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * const cells = kzg.computeCells(blob)
   * console.log(cells.length, cells[0]?.length) // 128 2048
   * ```
   */
  computeCells(blob: Bytes): ByteArray[]
  /**
   * All 128 cells of an extended blob from at least 64 of them, given in ascending order of their indices: `recover_cells_and_kzg_proofs`
   * without the proofs. Nothing is verified: 64 cells of which one is altered are those of another blob. Throws `KzgInputError`, also for more
   * than 64 cells that no single blob has.
   *
   * @example
   * ```ts
   * import { loadKzg } from 'blobcheck/kzg'
   *
   * const kzg = await loadKzg()
   * const all = kzg.recoverCells(cellIndices, cells)
   * console.log(all.length) // 128
   * ```
   */
  recoverCells(cellIndices: readonly number[], cells: readonly Bytes[]): ByteArray[]
}

/**
 * Loads the module into the calling thread. Rejects with `WasmUnavailableError` where WebAssembly with SIMD or the module cannot be had,
 * with `SetupUnavailableError` where `commitmentSetup` was asked for and cannot be had, and with `TypeError` for options that make no sense
 * or cannot be read. There is no trusted setup to load but for `verifyBlobCommitments`.
 *
 * @example
 * ```ts
 * import { loadKzg } from 'blobcheck/kzg'
 *
 * const kzg = await loadKzg()
 * const commitment = `0xc0${'00'.repeat(47)}` // of a blob of zeros, as is its proof
 * console.log(kzg.verifyBlobKzgProof(new Uint8Array(131_072), commitment, commitment)) // true
 * ```
 */
export async function loadKzg(options: KzgOptions = {}): Promise<Kzg> {
  const { kernel, wasm, setup, onWarning } = reading(() => {
    const { kernel = 'auto', wasm, commitmentSetup, onWarning, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    refuseUnknownKernel(kernel)
    refuseNonListener(onWarning, 'onWarning')
    return { kernel, wasm: readSources(wasm), setup: setupOf(commitmentSetup), onWarning }
  })
  const loadingSetup = setup?.load() ?? null
  loadingSetup?.catch(() => {})
  const compiled = new Map<KernelName, Promise<WebAssembly.Module>>()
  const compile = (name: KernelName): Promise<WebAssembly.Module> => {
    const compiling = compiled.get(name) ?? compileKernel(name, wasm, kzgFiles)
    compiled.set(name, compiling)
    return compiling
  }
  // Side by side with the fast one: nothing that the fast one refuses stands without it.
  const loadingBaseline = compile('simd128')
  loadingBaseline.catch(() => {})
  const chosen = await loadKernel(kernel, { compile, onlyBaseline: bringsOnlyBaseline(wasm), onWarning })
  const fast = instantiate(chosen.kernel.name, chosen.module)
  const points = await loadingSetup
  if (chosen.kernel.name === 'simd128') return createKzg(fast, fast, points)
  const baseline = instantiate('simd128', await loadingBaseline)
  if (run(fast, (exports) => exports.fused())) return createKzg(fast, baseline, points)
  if (kernel !== 'auto') throw unsoundHere()
  return createKzg(baseline, baseline, points)
}

function setupOf(option: boolean | SetupSource | undefined): SetupHalf | null {
  if (option === undefined || option === false) return null
  return commitmentSetupOf(option === true ? undefined : readSetupSource(option, 'commitmentSetup'))
}

/** `setup`: the points of commitments, or null where nobody asked for them. */
function createKzg(fast: Core, baseline: Core, setup: Uint8Array | null): Kzg {
  /** Runs on the fast kernel; anything but a plain yes is decided by the baseline. `given` is what an error is to speak of. */
  const ask = <T>(given: Given, task: (exports: Exports) => T, isFinal: (answer: T) => boolean): T => {
    if (fast === baseline) return run(baseline, task, given)
    try {
      const answer = run(fast, task)
      if (isFinal(answer)) return answer
    } catch {
      // The baseline throws the same, or knows better.
    }
    return run(baseline, task, given)
  }
  const decide = (given: Given, task: (exports: Exports) => boolean): boolean =>
    ask(given, task, (answer) => answer)
  // What the glue returns was copied out of the module's memory.
  const compute = (given: Given, task: (exports: Exports) => Uint8Array): ByteArray =>
    ask(given, task, () => true) as ByteArray

  return {
    kernel: fast.kernel,
    hashing,
    verifyKzgProof(commitment, z, y, proof) {
      const [c, p] = [readField('commitment', commitment), readField('proof', proof)]
      const [zBytes, yBytes] = [readField('z', z), readField('y', y, 1)]
      // What is wrong with y has the index 1.
      const given = { commitment: [c], z: [zBytes], y: [undefined, yBytes], proof: [p] }
      return decide(given, (exports) => exports.verifyKzgProof(c, zBytes, yBytes, p))
    },
    verifyBlobKzgProof(blob, commitment, proof) {
      const b = readField('blob', blob)
      const [c, p] = [readField('commitment', commitment), readField('proof', proof)]
      const hash = challengeHashes([b], [c])
      const given = { blob: [b], commitment: [c], proof: [p] }
      return decide(given, (exports) => exports.verifyBlobKzgProof(b, c, p, hash))
    },
    verifyBlobKzgProofBatch(blobs, commitments, proofs) {
      const b = readFields('blob', blobs)
      const [c, p] = [readFields('commitment', commitments), readFields('proof', proofs)]
      return decide({ blob: b, commitment: c, proof: p }, blobBatch(b, c, p))
    },
    verifyCellKzgProofBatch(commitments, cellIndices, cells, proofs) {
      const c = readFields('commitment', commitments)
      const i = indicesOf('cell-index', cellIndices)
      const [l, p] = [readFields('cell', cells), readFields('proof', proofs)]
      return decide({ commitment: c, 'cell-index': i, cell: l, proof: p }, cellBatch(c, i, l, p))
    },
    verifyBlobCommitments(blobs, commitments) {
      if (setup === null)
        throw new SetupUnavailableError('the functions were loaded without it; say commitmentSetup: true')
      const [b, c] = [readFields('blob', blobs), readFields('commitment', commitments)]
      return decide({ blob: b, commitment: c }, (exports) => {
        if (!giveCommitmentSetup(exports, setup)) throw new SetupUnavailableError('it is not Ethereum’s')
        return verifyBareBlobs(exports, b, c)
      })
    },
    computeChallenge(blob, commitment) {
      const [b, c] = [readField('blob', blob), readField('commitment', commitment)]
      return compute({ blob: [b], commitment: [c] }, (exports) => exports.computeChallenge(b, c))
    },
    computeVerifyCellKzgProofBatchChallenge(commitments, commitmentIndices, cellIndices, cells, proofs) {
      const commitment = readFields('commitment', commitments)
      const ci = indicesOf('commitment-index', commitmentIndices)
      const i = indicesOf('cell-index', cellIndices)
      const [cell, proof] = [readFields('cell', cells), readFields('proof', proofs)]
      const [c, l, p] = [pack(commitment), pack(cell), pack(proof)]
      const given = { commitment, 'commitment-index': ci, 'cell-index': i, cell, proof }
      return compute(given, (exports) =>
        exports.computeVerifyCellKzgProofBatchChallenge(
          ...([c.bytes, c.lengths, ci, i] as const),
          ...([l.bytes, l.lengths, p.bytes, p.lengths] as const),
        ),
      )
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
  }
}

/** Runs a task on an instance: its error numbers become a `KzgInputError` about what was given, and a trap does not outlive the call. */
function run<T>(core: Core, task: (exports: Exports) => T, given?: Given): T {
  try {
    return task(core.exports)
  } catch (error) {
    if (typeof error === 'number') {
      // code + 256 · index, as crates/wasm throws them.
      const reason = core.refusal(error % 256)?.reason ?? 'unit-layout'
      throw inputError(reason as KzgInputCode, Math.floor(error / 256), undefined, given)
    }
    if (!isTrap(error)) throw error
    core.revive()
    throw outOfMemory(error)
  }
}
