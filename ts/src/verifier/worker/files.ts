/** Where the verifier's module lies in the package. Apart from its glue, which only those who compute load. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/**
 * In this form, with literals, bundlers find the files and copy them. Methods: where a `URL` is all that an arrow function has, those who trace the
 * files of a server (@vercel/nft, for Next.js, Nitro and Vercel) do not see it.
 */
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
