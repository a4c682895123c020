/**
 * The kernels that are to be tested here. The baseline is everywhere; the fast one needs an engine with sound relaxed
 * SIMD. Where one is known to be present, its absence fails: else its tests could vanish without anyone noticing.
 */
import { type KernelName, type Kzg, KzgInputError, loadKzg, WasmUnavailableError } from 'blobcheck/kzg'
import { pack } from '../../dist/util/packed.js'
import { freshSeed } from '../../dist/runtime/platform/seed.js'
import { verifyBareBlobs } from '../../dist/kzg/batches.js'
import { giveCommitmentSetup } from '../../dist/kzg/core.js'
import { instance as relaxed } from '../../wasm/relaxed_simd.js'
import { inBrowser } from './files.ts'
import { readAssetBytes } from './modules.ts'

/** The second run, for what the oldest Node lacks: it has tested the baseline, which is the same module everywhere, already. */
const relaxedOnly: boolean = !inBrowser && process.env['BLOBCHECK_EXPECT_RELAXED'] === '1'

/** Whether the relaxed kernel has to be here: in Chromium and Firefox always, in WebKit not yet; in Node where the runner says so. */
export const mustHaveRelaxed: boolean = inBrowser
  ? /(?:Chrome|Firefox)\//.test(navigator.userAgent)
  : relaxedOnly

/** What is to be tested here, of all that can be: in the second run only what is not the `baseline`. */
export const besides = <T>(baseline: T, relaxed: readonly T[]): T[] =>
  relaxedOnly ? [...relaxed] : [baseline, ...relaxed]

export interface KernelUnderTest {
  readonly name: string
  readonly kzg: Kzg
}

/** The fast kernel as users get it, or why it cannot be had. */
export async function loadRelaxed(): Promise<Kzg | WasmUnavailableError> {
  try {
    return await loadKzg({ kernel: 'relaxed-simd', commitmentSetup: true })
  } catch (error) {
    if (error instanceof WasmUnavailableError) return error
    throw error
  }
}

/**
 * The kernels, by name. `relaxed-simd alone` is the fast module without the baseline that confirms what it refuses:
 * as users get it, a module that refused everything would still pass every vector.
 */
export async function kernelsHere(): Promise<KernelUnderTest[]> {
  const baseline = { name: 'simd128', kzg: await loadKzg({ kernel: 'simd128', commitmentSetup: true }) }
  const fast = await loadRelaxed()
  if (fast instanceof Error) {
    if (mustHaveRelaxed)
      throw new Error('the relaxed-simd kernel must be tested here, and is not to be had', { cause: fast })
    return [baseline]
  }
  return besides(baseline, [
    { name: 'relaxed-simd', kzg: fast },
    { name: 'relaxed-simd alone', kzg: relaxedAlone(fast.kernel, await readAssetBytes('prover-setup.bin')) },
  ])
}

/** The exports of the fast module, which `loadKzg` has initialised, behind the public interface. */
function relaxedAlone(kernel: KernelName, setup: Uint8Array): Kzg {
  const ask = <T>(task: () => T): T => {
    try {
      return task()
    } catch (error) {
      if (typeof error !== 'number') throw error
      throw new KzgInputError(
        relaxed.reasonName(error % 256) as KzgInputError['code'],
        Math.floor(error / 256),
      )
    }
  }
  /** No hashes: the module's own code is what is tested here. */
  const none = new Uint8Array(0)
  const one = (value: Uint8Array | string): Uint8Array => {
    if (typeof value === 'string') throw new TypeError('bytes only')
    return value
  }
  const list = (values: readonly (Uint8Array | string)[]): [Uint8Array, Uint32Array] => {
    const { bytes, lengths } = pack(values.map(one))
    return [bytes, lengths]
  }
  // The glue copies out of the module's memory.
  const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>
  const split = (bytes: Uint8Array): Uint8Array<ArrayBuffer>[] =>
    Array.from({ length: bytes.length / 2048 }, (_, at) => bytes.slice(at * 2048, (at + 1) * 2048))
  const words = (values: readonly number[]): Uint32Array => Uint32Array.from(values)
  return {
    kernel,
    hashing: 'wasm',
    verifyKzgProof: (c, z, y, p) => ask(() => relaxed.verifyKzgProof(one(c), one(z), one(y), one(p))),
    verifyBlobKzgProof: (b, c, p) => ask(() => relaxed.verifyBlobKzgProof(one(b), one(c), one(p), none)),
    verifyBlobKzgProofBatch: (b, c, p) =>
      ask(() => relaxed.verifyBlobKzgProofBatch(...list(b), ...list(c), ...list(p), none, freshSeed())),
    verifyCellKzgProofBatch: (c, i, l, p) =>
      ask(() => relaxed.verifyCellKzgProofBatch(...list(c), words(i), ...list(l), ...list(p), freshSeed())),
    verifyBlobCommitments: (b, c) =>
      ask(() => {
        if (!giveCommitmentSetup(relaxed, setup)) throw new Error('not the setup')
        return verifyBareBlobs(relaxed, b.map(one), c.map(one))
      }),
    computeChallenge: (b, c) => owned(ask(() => relaxed.computeChallenge(one(b), one(c)))),
    computeVerifyCellKzgProofBatchChallenge: (c, ci, i, l, p) =>
      owned(
        ask(() =>
          relaxed.computeVerifyCellKzgProofBatchChallenge(
            ...list(c),
            words(ci),
            words(i),
            ...list(l),
            ...list(p),
          ),
        ),
      ),
    computeCells: (b) => split(ask(() => relaxed.computeCells(one(b)))),
    recoverCells: (i, l) => split(ask(() => relaxed.recoverCells(words(i), ...list(l)))),
  }
}
