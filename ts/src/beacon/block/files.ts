/** Where the module that reads blocks lies in the package; apart from its glue, which only the thread that runs it needs. */
import type { WasmFiles } from '../../runtime/kernel/module.ts'

/** A method with a literal, as `WasmFiles` says why. There is one variant: relaxed SIMD has nothing for hashes. */
export const beaconFiles: Pick<WasmFiles, 'simd128' | 'own' | 'option'> = {
  own: 'readBlock',
  option: 'wasm',
  simd128() {
    return new URL('../../../wasm/beacon_simd128.wasm', import.meta.url)
  },
}
