/** From options to a pool that has answered at least once, with a kernel that passed its probe where it runs. */
import { WasmUnavailableError } from '../errors.ts'
import { chooseKernel, type Kernel, type KernelName } from '../kernel/kernel.ts'
import type { WorkerBase } from './protocol.ts'
import type { Host } from './host.ts'
import { Pool } from './pool.ts'
import type { KernelModule } from './slot.ts'

export interface StartOptions<A extends WorkerBase> {
  readonly host: Host<A>
  readonly workers: number
  /** Whether the calling thread is to do where no worker starts. */
  readonly orInline: boolean
  readonly kernel: 'auto' | KernelName | undefined
  readonly compile: (kernel: KernelName) => Promise<WebAssembly.Module>
  /** The caller brought the baseline module and no other. */
  readonly onlyBaseline: boolean
}

/** Throws `WasmUnavailableError` where there is no module, no worker, or no sound kernel of the name asked for. */
export async function startPool<A extends WorkerBase>(
  options: StartOptions<A>,
): Promise<{ pool: Pool<A>; kernel: Kernel }> {
  const { compile, kernel: wanted = 'auto' } = options
  const onlyBaseline = wanted === 'auto' && options.onlyBaseline
  const chosen = await chooseKernel(onlyBaseline ? 'simd128' : wanted)
  const kernel = onlyBaseline ? { ...chosen, reason: 'the only module given' } : chosen

  const { pool, sound } = await startAny(options, { kernel: kernel.name, module: await compile(kernel.name) })
  if (sound) return { pool, kernel }
  // The probe module was fused where the engine had optimised it; the kernel's own, in a worker, was not.
  try {
    if (wanted === 'relaxed-simd')
      throw new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')
    pool.replaceKernel({ kernel: 'simd128', module: await compile('simd128') })
  } catch (error) {
    pool.dispose()
    throw error
  }
  return { pool, kernel: { name: 'simd128', reason: "the relaxed-simd kernel's own probe failed" } }
}

async function startAny<A extends WorkerBase>(
  { host, workers, orInline }: StartOptions<A>,
  kernel: KernelModule,
): Promise<{ pool: Pool<A>; sound: boolean }> {
  const pool = new Pool(host, kernel, workers)
  try {
    return { pool, sound: await pool.start() }
  } catch (cause) {
    pool.dispose()
    if (!orInline) throw new WasmUnavailableError('no worker could be started', { cause })
    const inline = new Pool(host, kernel, 0)
    try {
      return { pool: inline, sound: await inline.start() }
    } catch (cause) {
      throw new WasmUnavailableError('the module could not be instantiated', { cause })
    }
  }
}
