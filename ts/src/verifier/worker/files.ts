/** Where the verifier's module lies in the package. Apart from its glue, which only those who compute load. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/** Methods with literals, as `WasmFiles` says why. */
export const verifierFiles: WasmFiles = {
  own: 'rebuildBlob',
  option: "wasm, or import 'blobcheck/inline'",
  simd128() {
    return new URL('../../../wasm/verifier_simd128.wasm', import.meta.url)
  },
  'relaxed-simd'() {
    return new URL('../../../wasm/verifier_relaxed_simd.wasm', import.meta.url)
  },
}
