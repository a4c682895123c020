/** Loads the prover into the calling thread. */
import { type KernelName, loadKernel, unsoundHere } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel } from '../runtime/kernel/module.ts'
import { engineOf } from './engine/engine.ts'
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
  const compile = (name: KernelName): Promise<WebAssembly.Module> => compileKernel(name, wasm, proverFiles)
  const [chosen, halves] = await Promise.all([
    loadKernel(kernel, { compile, onlyBaseline: bringsOnlyBaseline(wasm) }),
    new Setup(setup).halves(count),
  ])
  let engine = engineOf(chosen.kernel.name, chosen.module)
  if (!engine.isSound()) {
    if (kernel !== 'auto') throw unsoundHere()
    engine = engineOf('simd128', await compile('simd128'))
  }
  halves.forEach((half, at) => {
    if (!engine.give(at, half)) throw new SetupUnavailableError(`half ${at + 1} is not Ethereum's`)
  })
  const prover = proverOf(engine, tables)
  return proofs === 'cells' ? prover : withoutCellProofs(prover)
}

/** The thread's engine may have what this prover did not ask for: what it can do must not depend on that. */
function withoutCellProofs(prover: Prover): Prover {
  const refuse = (): never => {
    throw new SetupUnavailableError("it was loaded for proofs of blobs; say proofs: 'cells'")
  }
  return { ...prover, computeCellsAndKzgProofs: refuse, recoverCellsAndKzgProofs: refuse }
}
