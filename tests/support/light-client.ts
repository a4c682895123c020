/** The light client's modules, without the package around them. */
import type { KernelName } from 'blobcheck'
import { instance as relaxed } from '../../wasm/light_client_relaxed_simd.js'
import { instance as simd128 } from '../../wasm/light_client_simd128.js'
import { inBrowser } from './files.ts'
import { loadRelaxed } from './kernels.ts'

export type Module = typeof simd128

const here: string = import.meta.url

/** A module's bytes. */
export async function readLightClientModule(kernel: KernelName): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(`../../wasm/light_client_${kernel.replace('-', '_')}.wasm`, here)
  return inBrowser
    ? new Uint8Array(await (await fetch(url)).arrayBuffer())
    : new Uint8Array(await (await import('node:fs/promises')).readFile(url))
}

async function instance(glue: Module, kernel: KernelName): Promise<Module> {
  glue.initSync({ module: await WebAssembly.compile(await readLightClientModule(kernel)) })
  return glue
}

/** The modules that can be tested here, by name; `loadRelaxed` knows whether the fast one must be among them. */
export async function lightClientModules(): Promise<{ name: string; module: Module }[]> {
  const baseline = { name: 'simd128', module: await instance(simd128, 'simd128') }
  if ((await loadRelaxed()) instanceof Error) return [baseline]
  return [baseline, { name: 'relaxed-simd', module: await instance(relaxed as Module, 'relaxed-simd') }]
}
