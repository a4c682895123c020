/** Starts a prover in worker threads. */
import { countWorkers, readWorkerUrl, startPool } from '../runtime/pool/start.ts'
import { bringsOnlyBaseline, compileKernel } from '../runtime/kernel/module.ts'
import { spawnWorker } from '#prover-worker'
import { proverFiles } from './engine/files.ts'
import { type AsyncProver, asyncProverOf } from './off-thread/prover.ts'
import { type CreateProverOptions, optionsOf } from './options.ts'
import { WorkersTables } from './off-thread/tables.ts'
import { readKeep, readPrecompute } from './precompute.ts'
import { Setup } from './setup/setup.ts'

/**
 * Starts workers, which a page never waits for. The setup is loaded when a call needs it, half by half.
 *
 * Throws `WasmUnavailableError` where WebAssembly with SIMD, the module or an explicit number of workers cannot be had, and
 * `TypeError` for options that make no sense. With `workers: 'auto'`, a page whose policy forbids workers gets a prover in
 * the calling thread, which it yields between steps; `prover.workers` is then 0.
 */
export async function createProver(options: CreateProverOptions = {}): Promise<AsyncProver> {
  const { precompute, kernel: wanted, wasm = {}, setup, workers = 'auto', workerUrl } = optionsOf(options)
  const shape = readPrecompute(precompute)
  const tables = shape === null ? null : new WorkersTables(shape, readKeep(precompute))
  const halves = new Setup(setup)
  const url = readWorkerUrl(workerUrl)
  const { pool, kernel } = await startPool({
    host: {
      spawn: () => spawnWorker(url),
      inline: async () => (await import('./worker/tasks.ts')).createProverTasks(),
    },
    workers: countWorkers(workers),
    orInline: workers === 'auto',
    kernel: wanted,
    compile: (name) => compileKernel(name, wasm, proverFiles),
    onlyBaseline: bringsOnlyBaseline(wasm),
  })
  return asyncProverOf(pool, kernel, halves, tables)
}
