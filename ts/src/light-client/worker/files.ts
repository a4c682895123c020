/** Where the light client's WASM module lies; apart from its glue, which only the thread that runs it needs. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/** In this form, with literals, bundlers find the files and copy them. */
export const lightClientFiles: WasmFiles = {
  own: 'storeView',
  option: 'wasm',
  simd128: () => new URL('../../../wasm/light_client_simd128.wasm', import.meta.url),
  'relaxed-simd': () => new URL('../../../wasm/light_client_relaxed_simd.wasm', import.meta.url),
}
