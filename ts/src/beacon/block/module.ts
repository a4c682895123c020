/** The WASM module that reads blocks: its one instance on this thread. */
import { instance } from '#wasm/beacon/simd128'
import { isTrap, outOfMemory } from '../../runtime/kernel/module.ts'
import { SszError, type SszErrorReason } from './errors.ts'

/** What the module exports, as wasm-bindgen types it. */
export type Exports = Omit<typeof instance, 'initSync' | '__wbg_reset_state'>

let isMade = false

/** The module's exports, instantiated if they have not been. Throws `WasmUnavailableError` where there is no memory for them. */
export function instantiate(module: WebAssembly.Module): Exports {
  try {
    if (!isMade) instance.initSync({ module })
  } catch (error) {
    throw isTrap(error) ? outOfMemory(error) : error
  }
  isMade = true
  return instance
}

/**
 * Runs a function of the module: what it throws becomes an `SszError`; a trap becomes `WasmUnavailableError`, after which the next call finds
 * fresh memory.
 */
export function run<T>(task: () => T): T {
  try {
    return task()
  } catch (error) {
    if (isTrap(error)) {
      instance.__wbg_reset_state()
      throw outOfMemory(error)
    }
    // The fault's name, a space, the path: crates/wasm-beacon.
    if (typeof error !== 'string') throw error
    const [reason = '', path = ''] = error.split(' ')
    throw new SszError(reason as SszErrorReason, path)
  }
}
