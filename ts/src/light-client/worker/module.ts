/** The light client's WASM module: its instances, its exports. */
import { instance as relaxedSimd } from '#wasm/light-client/relaxed-simd'
import { instance as simd128 } from '#wasm/light-client/simd128'
import { Instances } from '../../runtime/kernel/module.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

export const instances: Instances<typeof simd128> = new Instances({
  simd128,
  'relaxed-simd': relaxedSimd,
})
