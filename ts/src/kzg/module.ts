/** The module of `blobcheck/kzg`: all that crates/wasm exports. The verifier's own is the part of it that its workers call. */
import { instance as relaxedSimd } from '#wasm/relaxed-simd'
import { instance as simd128 } from '#wasm/simd128'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import { type CoreOf, Cores } from './core.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

/** One instance of the module on this thread. */
export type Core = CoreOf<Exports>

const cores = new Cores<typeof simd128>({ simd128, 'relaxed-simd': relaxedSimd })

/** Instantiates a kernel on this thread. There is one instance of each on a thread: asking again gives the same. */
export const instantiate = (kernel: KernelName, module: WebAssembly.Module): Core =>
  cores.instantiate(kernel, module)
