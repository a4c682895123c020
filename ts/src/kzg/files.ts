/** Where the module of `blobcheck/kzg` lies in the package. Apart from its glue, which only those who compute load. */
import type { WasmFiles } from '../runtime/kernel/module.ts'

/**
 * In this form, with literals, bundlers find the files and copy them. Methods: where a `URL` is all that an arrow function has, those who trace the
 * files of a server (@vercel/nft, for Next.js, Nitro and Vercel) do not see it.
 */
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
