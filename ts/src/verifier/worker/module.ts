/** The verifier's WASM module: its instances. */
import { instance as relaxedSimd } from '#wasm/verifier/relaxed-simd'
import { instance as simd128 } from '#wasm/verifier/simd128'
import { type CoreOf, Cores } from '../../kzg/core.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'
import type { Exports } from '../checks/core.ts'

/** One instance of the module on this thread. */
export type VerifierCore = CoreOf<Exports>

const cores = new Cores<typeof simd128>({ simd128, 'relaxed-simd': relaxedSimd })

/** Instantiates a kernel on this thread. There is one instance of each on a thread: asking again gives the same. */
export const instantiate = (kernel: KernelName, module: WebAssembly.Module): VerifierCore =>
  cores.instantiate(kernel, module)
