/** The instance of the WASM module that the checks are made with. Types alone. */
import type { instance as simd128 } from '#wasm/verifier/simd128'
import type { CoreOf } from '../../kzg/core.ts'

/** The exports that both kernels of the verifier's module have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

/** An instance of it, or of the module of `blobcheck/kzg`, which has all of its functions but the one that rebuilds blobs. */
export type Core = CoreOf<Omit<Exports, 'rebuildBlob'>>
