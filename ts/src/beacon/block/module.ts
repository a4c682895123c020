/** The WASM module that reads blocks: its one instance on this thread. */
import { instance } from '#wasm/beacon/simd128'
import { Instances } from '../../runtime/kernel/module.ts'
import { SszError, type SszErrorReason } from './errors.ts'

/** What the module exports, as wasm-bindgen types it. */
export type Exports = Omit<typeof instance, 'initSync' | '__wbg_reset_state'>

/** There is one variant of it, which is the baseline. */
const instances = new Instances<typeof instance>({ simd128: instance, 'relaxed-simd': instance })

/** The module's exports, instantiated if they have not been. Throws `WasmUnavailableError` where there is no memory for them. */
export const instantiate = (module: WebAssembly.Module): Exports => instances.instantiate('simd128', module)

/**
 * Runs what calls functions of the module: what these throw becomes an `SszError`; a trap, and a lack of memory on the way to them, becomes
 * `WasmUnavailableError`, after which the next call finds fresh memory.
 */
export function run<T>(task: () => T): T {
  try {
    return instances.run('simd128', task)
  } catch (error) {
    // The fault's name, a space, the path: crates/wasm-beacon.
    if (typeof error !== 'string') throw error
    const [reason = '', path = ''] = error.split(' ')
    throw new SszError(reason as SszErrorReason, path)
  }
}
