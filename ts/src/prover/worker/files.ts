/** Where the prover's WASM module lies; apart from its glue, which only the thread that runs it needs. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/** Methods with literals, as `WasmFiles` says why. */
export const proverFiles: WasmFiles = {
  own: 'readSetup',
  option: 'wasm',
  simd128() {
    return new URL('../../../wasm/prover_simd128.wasm', import.meta.url)
  },
  'relaxed-simd'() {
    return new URL('../../../wasm/prover_relaxed_simd.wasm', import.meta.url)
  },
}
