/** The choice of the WASM module: as fast as is sound here. */
import { platform } from '#platform'
import { WasmUnavailableError } from '../errors.ts'
import { hasSimd, relaxedSimd } from './probe.ts'

/** The modules of the build matrix (wasm-pack.toml). `simd128` is the baseline, trusted over the other. */
export type KernelName = 'relaxed-simd' | 'simd128'

export interface Kernel {
  readonly name: KernelName
  /** Why this one, in words for a person. */
  readonly reason: string
}

/**
 * Chooses a kernel. Throws `WasmUnavailableError` where there is no 128-bit SIMD at all, and where relaxed SIMD was
 * asked for and is not sound: a wrong answer is worse than none.
 */
export async function chooseKernel(wanted: 'auto' | KernelName = 'auto'): Promise<Kernel> {
  if (wanted !== 'auto' && wanted !== 'relaxed-simd' && wanted !== 'simd128') {
    throw new TypeError(`unknown kernel ${String(wanted)}`)
  }
  if (!hasSimd()) throw new WasmUnavailableError('this engine has no WebAssembly with 128-bit SIMD')
  if (wanted === 'simd128') return { name: 'simd128', reason: 'asked for' }
  const distrust = platform.distrustsRelaxedSimd()
  const probe = distrust === null ? await relaxedSimd() : distrust
  if (probe === 'fused') {
    return { name: 'relaxed-simd', reason: wanted === 'auto' ? 'relaxed SIMD is fused here' : 'asked for' }
  }
  const reason = distrust ?? `relaxed SIMD is ${probe}`
  if (wanted === 'relaxed-simd')
    throw new WasmUnavailableError(`the relaxed-simd kernel is not sound here: ${reason}`)
  return { name: 'simd128', reason }
}
