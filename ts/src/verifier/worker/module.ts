/** The verifier's WASM module: its instances, its exports. */
import { instance as relaxedSimd } from '#wasm/verifier/relaxed-simd'
import { instance as simd128 } from '#wasm/verifier/simd128'
import { type CoreOf, Cores } from '../../kzg/core.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

/** One instance of the module on this thread. */
export type VerifierCore = CoreOf<Exports>

/** One of it, or of the module of `blobcheck/kzg`, which has all of its functions but the one that rebuilds blobs. */
export type Core = CoreOf<Omit<Exports, 'rebuildBlob'>>

const cores = new Cores<typeof simd128>({ simd128, 'relaxed-simd': relaxedSimd })

/** Instantiates a kernel on this thread. There is one instance of each on a thread: asking again gives the same. */
export const instantiate = (kernel: KernelName, module: WebAssembly.Module): VerifierCore =>
  cores.instantiate(kernel, module)
