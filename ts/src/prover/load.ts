/** Loads the prover into the calling thread. */
import { WasmUnavailableError } from '../runtime/errors.ts'
import { chooseKernel, type KernelName } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel } from '../runtime/kernel/module.ts'
import { Engine, engineOf } from './engine/engine.ts'
import { proverFiles } from './engine/files.ts'
import { SetupUnavailableError } from './errors.ts'
import { type LoadProverOptions, optionsOf } from './options.ts'
import { readKeep, readPrecompute } from './precompute.ts'
import { type Prover, proverOf } from './prover.ts'
import { type HalfCount, Setup } from './setup/setup.ts'

/**
 * Loads module and setup, side by side, into the calling thread. There are only synchronous functions then: proofs of cells
 * take hundreds of milliseconds, for which a page should use `createProver`.
 *
 * Throws `WasmUnavailableError` and `SetupUnavailableError` where one of them cannot be had, and `TypeError` for options that
 * make no sense.
 */
export async function loadProver(options: LoadProverOptions = {}): Promise<Prover> {
  const { precompute, kernel = 'auto', wasm = {}, setup, proofs = 'cells' } = optionsOf(options)
  const tables = readPrecompute(precompute)
  if (readKeep(precompute) !== false)
    throw new TypeError('precompute: keep is for createProver; what loadProver computes with is worked out')
  if (proofs !== 'blobs' && proofs !== 'cells') throw new TypeError("proofs must be 'blobs' or 'cells'")
  const count: HalfCount = proofs === 'blobs' ? 1 : 2
  const load = async (name: KernelName): Promise<Engine> =>
    engineOf(name, await compileKernel(name, wasm, proverFiles))

  const wanted = kernel === 'auto' && bringsOnlyBaseline(wasm) ? 'simd128' : kernel
  const [chosen, halves] = await Promise.all([
    chooseKernel(wanted).then(({ name }) => load(name)),
    new Setup(setup).halves(count),
  ])
  const engine = chosen.isSound() ? chosen : await load(fallback(kernel))
  halves.forEach((half, at) => {
    if (!engine.give(at, half)) throw new SetupUnavailableError(`half ${at + 1} is not Ethereum's`)
  })
  const prover = proverOf(engine, tables)
  return proofs === 'cells' ? prover : withoutCellProofs(prover)
}

function fallback(kernel: 'auto' | KernelName): KernelName {
  if (kernel === 'auto') return 'simd128'
  throw new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')
}

/** The thread's engine may have what this prover did not ask for: what it can do must not depend on that. */
function withoutCellProofs(prover: Prover): Prover {
  const refuse = (): never => {
    throw new SetupUnavailableError("it was loaded for proofs of blobs; say proofs: 'cells'")
  }
  return { ...prover, computeCellsAndKzgProofs: refuse, recoverCellsAndKzgProofs: refuse }
}
