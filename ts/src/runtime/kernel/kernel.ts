/** The choice of the WASM module: as fast as is sound here, and to be had. */
import { platform } from '#platform'
import { messageOf, WasmUnavailableError } from '../errors.ts'
import { warn, type WarningListener } from '../warning.ts'
import { hasSimd, relaxedSimd } from './probe.ts'
import type { PlatformModule } from '../../util/platform-types.ts'

/**
 * The two variants of each WebAssembly module. `simd128` runs wherever there is 128-bit SIMD, and is trusted over the other.
 * `relaxed-simd` is faster, and is sound where the engine fuses multiplication and addition; what it refuses is confirmed by `simd128`
 * before anyone is named.
 */
export type KernelName = 'relaxed-simd' | 'simd128'

/** A kernel that was chosen. */
export interface Kernel {
  readonly name: KernelName
  /** Why this one, in words for a person. */
  readonly reason: string
}

/**
 * A kernel, compiled: what workers compute with.
 *
 * @internal
 */
export interface KernelModule {
  readonly kernel: KernelName
  readonly module: WebAssembly.Module
}

/** Throws `TypeError` for what names no kernel, and is neither `auto` nor undefined. */
export function refuseUnknownKernel(wanted: unknown): asserts wanted is 'auto' | KernelName | undefined {
  if (wanted === undefined || wanted === 'auto' || wanted === 'relaxed-simd' || wanted === 'simd128') return
  // Never the text of an object, which may be a Proxy.
  const what = typeof wanted === 'string' ? wanted : `of type ${typeof wanted}`
  throw new TypeError(`unknown kernel ${what}, not auto, simd128 or relaxed-simd`)
}

/**
 * Chooses a kernel. Throws `WasmUnavailableError` where there is no 128-bit SIMD at all, and where relaxed SIMD was
 * asked for and is not sound: a wrong answer is worse than none.
 */
export async function chooseKernel(wanted: 'auto' | KernelName = 'auto'): Promise<Kernel> {
  refuseUnknownKernel(wanted)
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

/** How a caller's modules are to be had. */
export interface KernelModules {
  /** Told where a module that is sound here could not be loaded. */
  readonly onWarning: WarningListener | undefined
  /** Loads and compiles a kernel's module; throws `WasmUnavailableError`. */
  readonly compile: (kernel: KernelName) => Promise<PlatformModule>
  /** Whether the caller brought the baseline module and no other, so that `auto` looks for no other. */
  readonly onlyBaseline: boolean
}

/**
 * Chooses a kernel and compiles its module. With `auto`, the baseline takes the place of a fast module that is not to be had (a
 * server that lacks the file, or bytes that do not compile). Throws as `chooseKernel` does, and `WasmUnavailableError` where no module
 * can be had.
 *
 * @internal
 */
export async function loadKernel(
  wanted: 'auto' | KernelName,
  { compile, onlyBaseline, onWarning }: KernelModules,
): Promise<{ readonly kernel: Kernel; readonly module: WebAssembly.Module }> {
  if (wanted === 'auto' && onlyBaseline) {
    const kernel = await chooseKernel('simd128')
    return { kernel: { ...kernel, reason: 'the only module given' }, module: await compile('simd128') }
  }
  const kernel = await chooseKernel(wanted)
  try {
    return { kernel, module: await compile(kernel.name) }
  } catch (error) {
    if (wanted !== 'auto' || kernel.name === 'simd128') throw error
    const module = await compile('simd128')
    const reason = `the ${kernel.name} module could not be loaded`
    warn(onWarning, { code: 'slower-kernel', message: `${messageOf(error)}; the simd128 module computes` })
    return { kernel: { name: 'simd128', reason }, module }
  }
}

/**
 * The error where relaxed SIMD was asked for and the module's own probe fails in the thread where it is to run. (The tiny module of
 * `probe.ts` was fused where the engine had optimised it.)
 */
export function unsoundHere(): WasmUnavailableError {
  return new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')
}
