/** From options to a pool that has answered at least once, with a kernel that passed its probe where it runs. */
import { platform } from '#platform'
import { messageOf, WasmUnavailableError } from '../errors.ts'
import {
  type Kernel,
  type KernelModule,
  type KernelModules,
  type KernelName,
  loadKernel,
  unsoundHere,
} from '../kernel/kernel.ts'
import { warn } from '../warning.ts'
import { earlyHost } from './early-threads.ts'
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

/** What a pool is started with. */
export interface StartOptions<A extends WorkerBase> extends KernelModules {
  readonly host: Host<A>
  readonly workers: number
  /** Whether the calling thread is to do where no worker starts. */
  readonly orInline: boolean
  /** The option by which this part has no workers. */
  readonly none?: string
  readonly kernel: 'auto' | KernelName | undefined
}

/** A pool that has answered. */
export interface StartedPool<A extends WorkerBase> {
  readonly pool: Pool<A>
  readonly kernel: Kernel
  /** Why it has as many workers as it has, or none, in words for a person. */
  readonly workersReason: string
}

/** Throws `WasmUnavailableError` where there is no module, no worker, or no sound kernel of the name asked for. */
export async function startPool<A extends WorkerBase>(options: StartOptions<A>): Promise<StartedPool<A>> {
  const { compile, kernel: wanted = 'auto' } = options
  const host = earlyHost(options.host)
  const { kernel, module } = await platform
    .lasting(() => {
      host.startEarly(options.workers)
      return loadKernel(wanted, options)
    })
    .catch((error: unknown) => {
      host.startEarly(0)
      throw error
    })
  const { pool, sound, workersReason } = await startAny({ ...options, host }, { kernel: kernel.name, module })
  pool.onFirstCrash = (cause) => {
    const what = pool.workers > 0 ? 'a worker crashed' : 'the calling thread could not do a task'
    const then = pool.workers > 0 ? 'another one takes its place' : 'it tries again'
    warn(options.onWarning, { code: 'worker-crashed', message: `${what}: ${messageOf(cause)}; ${then}` })
  }
  if (sound) return { pool, kernel, workersReason }
  try {
    if (wanted === 'relaxed-simd') throw unsoundHere()
    pool.replaceKernel({ kernel: 'simd128', module: await compile('simd128') })
  } catch (error) {
    pool.dispose()
    throw error
  }
  const reason = "the relaxed-simd kernel's own probe failed"
  return { pool, kernel: { name: 'simd128', reason }, workersReason }
}

async function startAny<A extends WorkerBase>(
  { host, workers, orInline, none = 'workers: 0', onWarning }: StartOptions<A>,
  kernel: KernelModule,
): Promise<{ pool: Pool<A>; sound: boolean; workersReason: string }> {
  if (workers === 0) return { ...(await startInline(host, kernel)), workersReason: 'asked for' }
  const pool = new Pool(host, kernel, workers)
  try {
    const sound = await pool.start()
    return {
      pool,
      sound,
      workersReason: orInline ? `one for each core, up to ${MAX_AUTO_WORKERS}` : 'asked for',
    }
  } catch (cause) {
    pool.dispose()
    const reason = `no worker could be started: ${messageOf(cause)}`
    if (!orInline) throw new WasmUnavailableError(reason, { cause })
    const inline = await startInline(host, kernel)
    // No script is missing where there is nothing that could start it, and trusted types refuse each. Firefox has words of its own.
    const where = /Trusted|Sink/.test(reason)
      ? "Add a trusted types policy 'default'"
      : 'Say where the script is with workerUrl'
    const remedy = platform.hasWorkers() ? `${where}, or ask` : 'Ask'
    const message = `${reason}; the calling thread computes. ${remedy} for no workers (${none})`
    warn(onWarning, { code: 'no-workers', message })
    return { ...inline, workersReason: reason }
  }
}

async function startInline<A extends WorkerBase>(
  host: Host<A>,
  kernel: KernelModule,
): Promise<{ pool: Pool<A>; sound: boolean }> {
  const pool = new Pool(host, kernel, 0)
  try {
    return { pool, sound: await pool.start() }
  } catch (cause) {
    pool.dispose()
    throw new WasmUnavailableError(`the calling thread cannot compute: ${messageOf(cause)}`, { cause })
  }
}
