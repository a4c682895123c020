/**
 * `blobcheck/kzg`: the spec's functions, synchronous, by c-kzg's names. They answer with booleans; malformed input
 * throws `KzgInputError`, exactly where the official vectors say `null`. Bytes are `Uint8Array` or `0x` hex.
 */
import { pack } from '../util/bytes.ts'
import type { Bytes } from '../util/hex.ts'
import { WasmUnavailableError } from '../runtime/errors.ts'
import { KzgInputError } from './errors.ts'
import type { Hashing } from '../runtime/platform/platform.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'
import { type Core, type Exports, instantiate, isTrap, revive } from './module.ts'
import { type KernelName, loadKernel, unsoundHere } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, type WasmSources } from '../runtime/kernel/module.ts'
import { freshSeed } from '../runtime/platform/web-apis.ts'
import { kzgFiles } from './files.ts'
import { blobArguments } from './arguments.ts'
import { challengeHashes, hashing } from './challenge-hash.ts'
import {
  BLOBS_AT_ONCE,
  CELLS_AT_ONCE,
  needsParts,
  verifyBlobsInParts,
  verifyCellsInParts,
} from './in-parts.ts'
import { bytesOf, elementsOf, indicesOf, listOf, splitCells } from './inputs.ts'

export { WasmUnavailableError } from '../runtime/errors.ts'
export { KzgInputError } from './errors.ts'
export type { Bytes } from '../util/hex.ts'
export type { KzgInputCode } from '../verdict/reasons.ts'
export type { Hashing } from '../runtime/platform/platform.ts'
export type { KernelName } from '../runtime/kernel/kernel.ts'

export interface KzgOptions {
  /** Default: the fastest that is sound here. */
  readonly kernel?: 'auto' | KernelName
  /** The WASM modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
}

/** The functions of specs/deneb/polynomial-commitments.md and specs/fulu/polynomial-commitments-sampling.md. */
export interface Kzg {
  readonly kernel: KernelName
  /** Who computes the SHA-256 of blobs: `node:crypto`, or the module. (WebCrypto answers later; these functions at once.) */
  readonly hashing: Hashing
  /** p(z) = y for the polynomial that is committed to. `z`, `y`: 32 bytes, big-endian, canonical. */
  verifyKzgProof(commitment: Bytes, z: Bytes, y: Bytes, proof: Bytes): boolean
  verifyBlobKzgProof(blob: Bytes, commitment: Bytes, proof: Bytes): boolean
  /** Arrays of equal length; true for empty ones. */
  verifyBlobKzgProofBatch(
    blobs: readonly Bytes[],
    commitments: readonly Bytes[],
    proofs: readonly Bytes[],
  ): boolean
  /** Arrays of equal length, one entry for each cell; true for empty ones. */
  verifyCellKzgProofBatch(
    commitments: readonly Bytes[],
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    proofs: readonly Bytes[],
  ): boolean
  /** The Fiat–Shamir challenge of a blob proof: 32 bytes, big-endian. */
  computeChallenge(blob: Bytes, commitment: Bytes): Uint8Array
  /** The spec's coefficient of a cell batch: 32 bytes, big-endian. `commitments` are the distinct ones. */
  computeVerifyCellKzgProofBatchChallenge(
    commitments: readonly Bytes[],
    commitmentIndices: readonly number[],
    cellIndices: readonly number[],
    cells: readonly Bytes[],
    proofs: readonly Bytes[],
  ): Uint8Array
  /** The 128 cells of 2,048 bytes of the extended blob. */
  computeCells(blob: Bytes): Uint8Array[]
  /** All 128 cells from at least 64 of them, given in ascending order of their indices. */
  recoverCells(cellIndices: readonly number[], cells: readonly Bytes[]): Uint8Array[]
}

/** Loads the module into the calling thread. Throws `WasmUnavailableError` where that cannot be done. */
export async function loadKzg({ kernel = 'auto', wasm = {} }: KzgOptions = {}): Promise<Kzg> {
  const compiled = new Map<KernelName, Promise<WebAssembly.Module>>()
  const compile = (name: KernelName): Promise<WebAssembly.Module> => {
    const compiling = compiled.get(name) ?? compileKernel(name, wasm, kzgFiles)
    compiled.set(name, compiling)
    return compiling
  }
  // Side by side with the fast one: nothing that the fast one refuses stands without it.
  const loadingBaseline = compile('simd128')
  loadingBaseline.catch(() => {})
  const chosen = await loadKernel(kernel, { compile, onlyBaseline: bringsOnlyBaseline(wasm) })
  const fast = instantiate(chosen.kernel.name, chosen.module)
  if (chosen.kernel.name === 'simd128') return createKzg(fast, fast)
  const baseline = instantiate('simd128', await loadingBaseline)
  if (fast.exports.fused()) return createKzg(fast, baseline)
  if (kernel !== 'auto') throw unsoundHere()
  return createKzg(baseline, baseline)
}

function createKzg(fast: Core, baseline: Core): Kzg {
  /** Runs on the fast kernel; anything but a plain yes is decided by the baseline. */
  const ask = <T>(task: (exports: Exports) => T, isFinal: (answer: T) => boolean): T => {
    if (fast === baseline) return run(baseline, task)
    try {
      const answer = run(fast, task)
      if (isFinal(answer)) return answer
    } catch {
      // The baseline throws the same, or knows better.
    }
    return run(baseline, task)
  }
  const decide = (task: (exports: Exports) => boolean): boolean => ask(task, (answer) => answer)
  const compute = (task: (exports: Exports) => Uint8Array): Uint8Array => ask(task, () => true)

  return {
    kernel: fast.kernel,
    hashing,
    verifyKzgProof(commitment, z, y, proof) {
      const [c, zBytes, yBytes, p] = [bytesOf(commitment), bytesOf(z), bytesOf(y), bytesOf(proof)]
      return decide((exports) => exports.verifyKzgProof(c, zBytes, yBytes, p))
    },
    verifyBlobKzgProof(blob, commitment, proof) {
      const [b, c, p] = [bytesOf(blob), bytesOf(commitment), bytesOf(proof)]
      const hash = challengeHashes([b], [c])
      return decide((exports) => exports.verifyBlobKzgProof(b, c, p, hash))
    },
    verifyBlobKzgProofBatch(blobs, commitments, proofs) {
      const [blobList, commitmentList, proofList] = [
        elementsOf(blobs, bytesOf),
        elementsOf(commitments, bytesOf),
        elementsOf(proofs, bytesOf),
      ]
      if (needsParts(blobList.length, BLOBS_AT_ONCE))
        return decide((exports) => verifyBlobsInParts(exports, blobList, commitmentList, proofList))
      const given = blobArguments(blobList, commitmentList, proofList)
      return decide((exports) => exports.verifyBlobKzgProofBatch(...given, freshSeed()))
    },
    verifyCellKzgProofBatch(commitments, cellIndices, cells, proofs) {
      const commitmentList = elementsOf(commitments, bytesOf)
      const i = indicesOf(cellIndices, 'cell-index')
      const [cellList, proofList] = [elementsOf(cells, bytesOf), elementsOf(proofs, bytesOf)]
      if (needsParts(cellList.length, CELLS_AT_ONCE))
        return decide((exports) => verifyCellsInParts(exports, commitmentList, i, cellList, proofList))
      const [c, l, p] = [pack(commitmentList), pack(cellList), pack(proofList)]
      return decide((exports) =>
        exports.verifyCellKzgProofBatch(
          c.bytes,
          c.lengths,
          i,
          l.bytes,
          l.lengths,
          p.bytes,
          p.lengths,
          freshSeed(),
        ),
      )
    },
    computeChallenge(blob, commitment) {
      const [b, c] = [bytesOf(blob), bytesOf(commitment)]
      return compute((exports) => exports.computeChallenge(b, c))
    },
    computeVerifyCellKzgProofBatchChallenge(commitments, commitmentIndices, cellIndices, cells, proofs) {
      const [c, ci] = [listOf(commitments), indicesOf(commitmentIndices, 'commitment-index')]
      const [i, l, p] = [indicesOf(cellIndices, 'cell-index'), listOf(cells), listOf(proofs)]
      return compute((exports) =>
        exports.computeVerifyCellKzgProofBatchChallenge(
          c.bytes,
          c.lengths,
          ci,
          i,
          l.bytes,
          l.lengths,
          p.bytes,
          p.lengths,
        ),
      )
    },
    computeCells(blob) {
      const b = bytesOf(blob)
      return splitCells(compute((exports) => exports.computeCells(b)))
    },
    recoverCells(cellIndices, cells) {
      const [i, l] = [indicesOf(cellIndices, 'cell-index'), listOf(cells)]
      return splitCells(compute((exports) => exports.recoverCells(i, l.bytes, l.lengths)))
    },
  }
}

/** Runs a task on an instance: its error numbers become `KzgInputError`, and a trap does not outlive the call. */
function run<T>(core: Core, task: (exports: Exports) => T): T {
  try {
    return task(core.exports)
  } catch (error) {
    if (typeof error === 'number') {
      // code + 256 · index, as crates/wasm throws them.
      const reason = core.refusal(error % 256)?.reason ?? 'unit-layout'
      throw new KzgInputError(reason as KzgInputCode, Math.floor(error / 256))
    }
    if (!isTrap(error)) throw error
    revive(core)
    throw new WasmUnavailableError('the module ran out of memory', { cause: error })
  }
}
