/** The verifier's modules, without the package around them. */
import type { KernelName } from 'blobcheck'
import { instance as relaxed } from '../../wasm/relaxed_simd.js'
import { instance as simd128 } from '../../wasm/simd128.js'
import { loadRelaxed } from './kernels.ts'
import { readKzgModule } from './modules.ts'

export type VerifierModule = typeof simd128

async function instance(glue: VerifierModule, kernel: KernelName): Promise<VerifierModule> {
  glue.initSync({ module: await WebAssembly.compile(await readKzgModule(kernel)) })
  return glue
}

/** The modules that can be tested here, by name; `loadRelaxed` knows whether the fast one must be among them. */
export async function verifierModules(): Promise<{ name: KernelName; module: VerifierModule }[]> {
  const baseline = { name: 'simd128', module: await instance(simd128, 'simd128') } as const
  if ((await loadRelaxed()) instanceof Error) return [baseline]
  const fast = await instance(relaxed as VerifierModule, 'relaxed-simd')
  return [baseline, { name: 'relaxed-simd', module: fast }]
}
