/** Puts a verifier together: kernel, workers, cache, and the steps between them. */
import { spawnWorker } from '#verifier-worker'
import { optionsOf, reading } from '../util/options.ts'
import { commitmentSetupFile, readSetupSource, SetupHalf, type SetupSource } from '../kzg/setup.ts'
import { Batcher } from './batch/batcher.ts'
import { CommitmentKernels } from './batch/commitment-kernels.ts'
import { type CacheOption, openCache } from './cache/layered.ts'
import { PendingVerifications } from './dedup/pending-verifications.ts'
import { networkWords } from '../beacon/network-words.ts'
import { resolveNetwork, type VettedNetwork } from '../beacon/networks.ts'
import { countWorkers, readWorkerUrl, startPool } from '../runtime/pool/start.ts'
import { newCounters } from './stats.ts'
import { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import { type KernelName, refuseUnknownKernel } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, readSources, type WasmSources } from '../runtime/kernel/module.ts'
import { BlockAnchors } from './block-anchor.ts'
import { bufferPoolFor } from './check-items.ts'
import type { VerifierOptions } from './options.ts'
import { SignatureCheck } from './signatures.ts'
import { PipelineVerifier, type Verifier } from './verifier.ts'
import { verifierFiles } from './worker/files.ts'

/**
 * Creates a verifier: chooses the fastest kernel that is sound in this engine, starts the workers and opens the cache. Call `dispose` when
 * it is no longer needed.
 *
 * Rejects with `WasmUnavailableError` where WebAssembly with SIMD, a module or an explicit number of workers cannot be had, and with
 * `TypeError` for options that make no sense or cannot be read. With `workers: 'auto'`, a page whose policy forbids workers gets a
 * verifier that computes in the calling thread; `verifier.workers` is then 0.
 *
 * @example
 * ```ts
 * import { createVerifier } from 'blobcheck'
 *
 * const verifier = await createVerifier({ network: 'mainnet' })
 * try {
 *   const [verdict] = await verifier.verifyBlobs([{ blob, commitment, proof }])
 *   console.log(verdict?.status) // valid, invalid or malformed
 * } finally {
 *   await verifier.dispose()
 * }
 * ```
 */
export async function createVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  const {
    network,
    workers,
    workerUrl,
    kernel: wanted,
    wasm,
    commitmentSetup,
    kzg,
    cache,
    trustCache,
    lightClient,
    beacon,
  } = reading(() => readOptions(options))
  const counters = newCounters()
  const store = reading(() => openCache(cache, trustCache, () => counters.cacheFailures++))
  try {
    const { pool, kernel } = await startPool({
      host: {
        spawn: () => spawnWorker(workerUrl),
        inline: async () => (await import('./worker/tasks.ts')).createTasks('revive'),
      },
      workers: countWorkers(workers),
      orInline: workers === 'auto',
      kernel: wanted,
      compile: (name) => compileKernel(name, wasm, verifierFiles),
      onlyBaseline: bringsOnlyBaseline(wasm),
    })
    const confirmed = new ConfirmedKernel(pool, kernel, () => compileKernel('simd128', wasm, verifierFiles))
    const batcher = new Batcher(
      { pool, kernel: confirmed, counters },
      new CommitmentKernels(kzg, new SetupHalf(commitmentSetupFile, commitmentSetup)),
    )
    const onCrash = (): void => void counters.crashes++
    pool.onCrash = onCrash
    return new PipelineVerifier({
      network,
      networkWords: networkWords(network),
      pool,
      buffers: bufferPoolFor(pool),
      pending: new PendingVerifications(store, (unknown) => batcher.enqueue(unknown)),
      kernel: confirmed,
      cache: store,
      counters,
      blocks: new BlockAnchors({ ...beacon, network, worker: pool.workers > 0, onCrash }),
      signatures: new SignatureCheck({ ...lightClient, network, worker: pool.workers > 0 }),
    })
  } catch (error) {
    // One that was handed in stays its owner's until there is a verifier.
    if (cache === 'auto') void store?.close()
    throw error
  }
}

/** The options of `createVerifier`, read. */
interface ReadOptions {
  readonly network: VettedNetwork
  readonly workers: 'auto' | number
  readonly workerUrl: URL | undefined
  readonly kernel: 'auto' | KernelName | undefined
  readonly wasm: WasmSources
  readonly commitmentSetup: SetupSource | undefined
  readonly kzg: WasmSources
  readonly cache: CacheOption
  readonly trustCache: boolean
  readonly lightClient: WorkerSources
  readonly beacon: WorkerSources
}

/**
 * Reads the options: each property once, and all of them before anything is begun or waited for, so that what is used is what was
 * looked at. Throws `TypeError` where they make no sense, and whatever the caller's getters throw.
 */
function readOptions(options: VerifierOptions): ReadOptions {
  const given = optionsOf(options)
  const { network, workers = 'auto', workerUrl, kernel, wasm, commitmentSetup } = given
  const { cache = 'auto', trustCache = true, kzg, lightClient, beacon } = given
  countWorkers(workers)
  refuseUnknownKernel(kernel)
  return {
    network: resolveNetwork(network),
    workers,
    workerUrl: readWorkerUrl(workerUrl),
    kernel,
    wasm: readSources(wasm),
    commitmentSetup: readSetupSource(commitmentSetup),
    kzg: readWorkerSources('kzg', kzg).wasm,
    cache,
    trustCache,
    lightClient: readWorkerSources('lightClient', lightClient),
    beacon: readWorkerSources('beacon', beacon),
  }
}

/** Where the modules come from that are loaded on demand, and the script of a worker that is started for them. */
interface WorkerSources {
  readonly wasm: WasmSources
  readonly workerUrl?: URL
}

/** The options `kzg`, `lightClient` and `beacon`: their properties, and nothing else that the caller's object may have. */
function readWorkerSources(
  name: string,
  option: { readonly wasm?: WasmSources; readonly workerUrl?: URL | string } = {},
): WorkerSources {
  if (typeof option !== 'object' || option === null) throw new TypeError(`${name} must be an object`)
  const { wasm, workerUrl } = option
  const url = readWorkerUrl(workerUrl)
  return { wasm: readSources(wasm), ...(url !== undefined && { workerUrl: url }) }
}
