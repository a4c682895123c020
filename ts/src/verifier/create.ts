/** Puts a verifier together: kernel, workers, cache, and the stations between them. */
import { platform } from '#platform'
import { Batcher } from '../batch/batcher.ts'
import { Judge } from '../batch/judge.ts'
import { openCache } from '../cache/open.ts'
import { Flights } from '../dedup/flights.ts'
import { WasmUnavailableError } from '../errors.ts'
import { networkWords, resolveNetwork } from '../networks.ts'
import { Pool } from '../pool/pool.ts'
import type { KernelModule } from '../pool/slot.ts'
import { newCounters } from '../verdict/stats.ts'
import { chooseKernel, type Kernel } from '../wasm/kernel.ts'
import { compileKernel, type WasmSources } from '../wasm/module.ts'
import type { VerifierOptions } from './options.ts'
import { PipelineVerifier, type Verifier } from './verifier.ts'

/** More workers than this gain little on a block's worth of data, and each holds an instance in memory. */
const MAX_AUTO_WORKERS = 8

/**
 * Creates a verifier: chooses the fastest sound kernel, starts workers, opens the cache.
 *
 * Throws `WasmUnavailableError` where WebAssembly with SIMD, a module or an explicit number of workers cannot be had,
 * and `TypeError` for options that make no sense. With `workers: 'auto'`, a page whose policy forbids workers gets a
 * verifier in the calling thread; `verifier.workers` is then 0.
 */
export async function createVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  const { workers = 'auto', cache = 'auto', trustCache = true, wasm = {} } = options
  const network = resolveNetwork(options.network)
  const counters = newCounters()
  const opened = openCache(cache, trustCache, () => counters.cacheFailures++)
  const { pool, kernel } = await startPool(options, countWorkers(workers), wasm)

  const judge = new Judge(pool, kernel, () => compileKernel('simd128', wasm), counters)
  const batcher = new Batcher(pool, judge, counters)
  const flights = new Flights(opened, (unknown) => batcher.enqueue(unknown))
  batcher.flights = flights
  pool.onCrash = () => counters.crashes++
  return new PipelineVerifier({
    network,
    networkWords: networkWords(network),
    pool,
    flights,
    judge,
    cache: opened,
    counters,
  })
}

function countWorkers(workers: unknown): number {
  if (workers === 'auto') return Math.min(Math.max(platform.cores(), 1), MAX_AUTO_WORKERS)
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= 0 && workers <= 256)
    return workers
  throw new TypeError("workers must be 'auto' or an integer from 0 to 256")
}

/** A pool that has answered at least once, with a kernel that passed its probe in a worker. */
async function startPool(
  options: VerifierOptions,
  workers: number,
  wasm: WasmSources,
): Promise<{ pool: Pool; kernel: Kernel }> {
  const wanted = options.kernel ?? 'auto'
  const url = typeof options.workerUrl === 'string' ? new URL(options.workerUrl) : options.workerUrl
  const onlyBaseline = wanted === 'auto' && wasm.simd128 !== undefined && wasm['relaxed-simd'] === undefined
  const chosen = onlyBaseline ? await chooseKernel('simd128') : await chooseKernel(wanted)
  const kernel = onlyBaseline ? { ...chosen, reason: 'the only module given' } : chosen

  const module = await compileKernel(kernel.name, wasm)
  const { pool, sound } = await startAny(
    { kernel: kernel.name, module },
    workers,
    url,
    options.workers ?? 'auto',
  )
  if (sound) return { pool, kernel }
  // The probe module was fused where the engine had optimised it; the kernel's own, in a worker, was not.
  if (wanted === 'relaxed-simd') {
    pool.dispose()
    throw new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')
  }
  pool.replaceKernel({ kernel: 'simd128', module: await compileKernel('simd128', wasm) })
  return { pool, kernel: { name: 'simd128', reason: "the relaxed-simd kernel's own probe failed" } }
}

async function startAny(
  kernel: KernelModule,
  workers: number,
  url: URL | undefined,
  wanted: 'auto' | number,
): Promise<{ pool: Pool; sound: boolean }> {
  const pool = new Pool(kernel, workers, url)
  try {
    return { pool, sound: await pool.start() }
  } catch (cause) {
    pool.dispose()
    if (wanted !== 'auto') throw new WasmUnavailableError('no worker could be started', { cause })
    const inline = new Pool(kernel, 0, undefined)
    try {
      return { pool: inline, sound: await inline.start() }
    } catch (cause) {
      throw new WasmUnavailableError('the module could not be instantiated', { cause })
    }
  }
}
