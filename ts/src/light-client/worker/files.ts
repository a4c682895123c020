/** Where the light client's WASM module lies; apart from its glue, which only the thread that runs it needs. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/**
 * In this form, with literals, bundlers find the files and copy them. Methods: where a `URL` is all that an arrow function has, those who trace the
 * files of a server (@vercel/nft, for Next.js, Nitro and Vercel) do not see it.
 */
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
