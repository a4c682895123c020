/** From a kernel's name to its compiled module. */
import { platform } from '#platform'
import { WasmUnavailableError } from '../errors.ts'
import type { KernelName } from './kernel.ts'

/** Where a module comes from, if not from the package's own files: some hosts bundle, inline or forbid. */
export type WasmSource = URL | BufferSource | WebAssembly.Module
export type WasmSources = { readonly [kernel in KernelName]?: WasmSource }

/** The package's own files of one module, in each kernel. */
export type WasmFiles = Readonly<Record<KernelName, () => URL>>

/** A caller who brings the baseline module and no other wants that one. */
export function bringsOnlyBaseline(wasm: WasmSources): boolean {
  return wasm.simd128 !== undefined && wasm['relaxed-simd'] === undefined
}

/** Loads and compiles a kernel's module, once for all workers. */
export async function compileKernel(
  kernel: KernelName,
  sources: WasmSources,
  files: WasmFiles,
): Promise<WebAssembly.Module> {
  const source = sources[kernel] ?? files[kernel]()
  try {
    if (source instanceof WebAssembly.Module) return source
    return await (source instanceof URL ? platform.compile(source) : WebAssembly.compile(source))
  } catch (cause) {
    throw new WasmUnavailableError(`the ${kernel} module could not be loaded`, { cause })
  }
}
