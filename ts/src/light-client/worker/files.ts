/** Where the light client's WASM module lies; apart from its glue, which only the thread that runs it needs. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/** Methods with literals, as `WasmFiles` says why. */
export const lightClientFiles: WasmFiles = {
  own: 'storeView',
  option: 'wasm',
  simd128() {
    return new URL('../../../wasm/light_client_simd128.wasm', import.meta.url)
  },
  'relaxed-simd'() {
    return new URL('../../../wasm/light_client_relaxed_simd.wasm', import.meta.url)
  },
}
