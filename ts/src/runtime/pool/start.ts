/** From options to a pool that has answered at least once, with a kernel that passed its probe where it runs. */
import { platform } from '#platform'
import { WasmUnavailableError } from '../errors.ts'
import {
  type Kernel,
  type KernelModule,
  type KernelModules,
  type KernelName,
  loadKernel,
  unsoundHere,
} from '../kernel/kernel.ts'
import { Pool } from './pool.ts'
import type { Host, WorkerBase } from './protocol.ts'

/** More workers than this gain little on a block's worth of data, and each holds an instance in memory. */
const MAX_AUTO_WORKERS = 8

/** How many workers the option `workers` asks for. Throws `TypeError` for what is no number of them. */
export function countWorkers(workers: unknown): number {
  if (workers === 'auto') return Math.min(Math.max(platform.cores(), 1), MAX_AUTO_WORKERS)
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= 0 && workers <= 256)
    return workers
  throw new TypeError("workers must be 'auto' or an integer from 0 to 256")
}

/**
 * Reads the option `workerUrl`. Throws `TypeError` for what is neither a URL nor the text of an absolute one: a relative one would be
 * relative to who knows what.
 */
export function readWorkerUrl(url: URL | string | undefined): URL | undefined {
  if (url === undefined) return undefined
  // A copy, which nobody changes while workers are started; of whatever realm the caller's is.
  const address: unknown = typeof url === 'object' && url !== null ? url.href : url
  try {
    if (typeof address === 'string') return new URL(address)
  } catch {
    // Refused below, with the option's name.
  }
  throw new TypeError(
    `workerUrl must be a URL or the text of an absolute one, not ${typeof address === 'string' ? JSON.stringify(address) : typeof url}`,
  )
}

/** What a pool is started with. */
export interface StartOptions<A extends WorkerBase> extends KernelModules {
  readonly host: Host<A>
  readonly workers: number
  /** Whether the calling thread is to do where no worker starts. */
  readonly orInline: boolean
  readonly kernel: 'auto' | KernelName | undefined
}

/** Throws `WasmUnavailableError` where there is no module, no worker, or no sound kernel of the name asked for. */
export async function startPool<A extends WorkerBase>(
  options: StartOptions<A>,
): Promise<{ pool: Pool<A>; kernel: Kernel }> {
  const { compile, kernel: wanted = 'auto' } = options
  const { kernel, module } = await loadKernel(wanted, options)
  const { pool, sound } = await startAny(options, { kernel: kernel.name, module })
  if (sound) return { pool, kernel }
  try {
    if (wanted === 'relaxed-simd') throw unsoundHere()
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
