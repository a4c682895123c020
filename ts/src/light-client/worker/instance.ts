/** The light client's WASM module: its files, its instances, its exports. */
import * as relaxedSimd from '#wasm/light-client/relaxed-simd'
import * as simd128 from '#wasm/light-client/simd128'
import { Instances } from '../../wasm/instances.ts'
import type { WasmFiles } from '../../wasm/module.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'default' | 'initSync' | '__wbg_reset_state'>

export const instances: Instances<typeof simd128> = new Instances({
  simd128,
  'relaxed-simd': relaxedSimd as typeof simd128,
})

/** In this form, with literals, bundlers find the files and copy them. */
export const lightClientFiles: WasmFiles = {
  simd128: () => new URL('../../../wasm/light_client_simd128.wasm', import.meta.url),
  'relaxed-simd': () => new URL('../../../wasm/light_client_relaxed_simd.wasm', import.meta.url),
}
