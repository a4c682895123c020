/** Puts a verifier together: kernel, workers, cache, and the steps between them. */
import { spawnWorker } from '#verifier-worker'
import { kzgFiles } from '../kzg/files.ts'
import { Batcher } from './batch/batcher.ts'
import { openCache } from './cache/layered.ts'
import { PendingVerifications } from './dedup/pending-verifications.ts'
import { networkWords, resolveNetwork } from '../beacon/networks.ts'
import { countWorkers, readWorkerUrl, startPool } from '../runtime/pool/start.ts'
import { newCounters } from './stats.ts'
import { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import { bringsOnlyBaseline, compileKernel } from '../runtime/kernel/module.ts'
import { bufferPoolFor } from './check-items.ts'
import type { VerifierOptions } from './options.ts'
import { SignatureCheck } from './signatures.ts'
import { PipelineVerifier, type Verifier } from './verifier.ts'

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
  try {
    const url = readWorkerUrl(options.workerUrl)
    const { pool, kernel } = await startPool({
      host: {
        spawn: () => spawnWorker(url),
        inline: async () => (await import('./worker/tasks.ts')).createTasks('revive'),
      },
      workers: countWorkers(workers),
      orInline: workers === 'auto',
      kernel: options.kernel,
      compile: (name) => compileKernel(name, wasm, kzgFiles),
      onlyBaseline: bringsOnlyBaseline(wasm),
    })

    const confirmed = new ConfirmedKernel(pool, kernel, () => compileKernel('simd128', wasm, kzgFiles))
    const batcher = new Batcher(pool, confirmed, counters)
    const pending = new PendingVerifications(opened, (unknown) => batcher.enqueue(unknown))
    pool.onCrash = () => counters.crashes++
    return new PipelineVerifier({
      network,
      networkWords: networkWords(network),
      pool,
      buffers: bufferPoolFor(pool),
      pending,
      kernel: confirmed,
      cache: opened,
      counters,
      signatures: new SignatureCheck({ network, worker: pool.workers > 0, ...options.lightClient }),
    })
  } catch (error) {
    // One that was handed in stays its owner's until there is a verifier.
    if (cache === 'auto') void opened?.close()
    throw error
  }
}
