/** Where the module of `blobcheck/kzg` lies in the package. Apart from its glue, which only those who compute load. */
import type { WasmFiles } from '../runtime/kernel/module.ts'

/** Methods with literals, as `WasmFiles` says why. */
export const kzgFiles: WasmFiles = {
  own: 'verifyBlobKzgProofBatch',
  option: 'wasm, or kzg: { wasm } of a verifier',
  simd128() {
    return new URL('../../wasm/blobcheck_simd128.wasm', import.meta.url)
  },
  'relaxed-simd'() {
    return new URL('../../wasm/blobcheck_relaxed_simd.wasm', import.meta.url)
  },
}
