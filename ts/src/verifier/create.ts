/** Puts a verifier together: kernel, workers, cache, and the steps between them. */
import { startCommitmentKernels, startTracer } from '#verifier-parts'
import { loadTasks, spawnWorker } from '#verifier-worker'
import { optionsOf, reading, refuseNonBoolean, refuseUnknown } from '../util/options.ts'
import { refuseNonListener } from '../util/notify.ts'
import { readUrl } from '../util/url.ts'
import { type ReadSetupSource, readSetupSource } from '../kzg/setup-source.ts'
import { Batcher } from './batch/batcher.ts'
import { tellOfMissing } from './batch/missing.ts'
import { type CacheOption, openCache } from './cache/layered.ts'
import { PendingVerifications } from './dedup/pending-verifications.ts'
import { networkWords } from '../beacon/network-words.ts'
import { resolveNetwork, type VettedNetwork } from '../beacon/vetted-network.ts'
import { countWorkers, type StartedPool, startPool } from '../runtime/pool/start.ts'
import type { WorkerThread } from '../runtime/platform/platform.ts'
import type { WarningListener } from '../runtime/warning.ts'
import { newCounters } from './stats.ts'
import { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import { type KernelName, refuseUnknownKernel } from '../runtime/kernel/kernel.ts'
import {
  bringsOnlyBaseline,
  compileKernel,
  type ReadSources,
  readSources,
  type WasmSources,
} from '../runtime/kernel/module.ts'
import { BlockAnchors } from './block-anchor.ts'
import { bufferPoolFor } from './check-items.ts'
import type { VerifierOptions } from './options.ts'
import { probeAgain } from './probe-again.ts'
import type { TraceEvent } from './trace.ts'
import { SignatureCheck } from './signatures.ts'
import { PipelineVerifier, type Verifier } from './verifier.ts'
import { verifierFiles } from './worker/files.ts'
import type { VerifierApi } from './worker/protocol.ts'

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
  return await createFrom(reading(() => readOptions(options)))
}

/**
 * Creates a verifier from options that have been read. `spawn` starts its workers. Rejects as `createVerifier` does.
 *
 * @internal
 */
export async function createFrom(
  options: ReadOptions,
  spawn: (url: URL | undefined) => WorkerThread = spawnWorker,
): Promise<Verifier> {
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
    onWarning,
    onTrace,
  } = options
  const counters = newCounters()
  const store = reading(() => openCache(cache, trustCache, () => counters.cacheFailures++))
  // Loaded beside the module. Where there is no pool, nobody asks whether it came.
  const tracing = onTrace && startTracer(onTrace)
  tracing?.catch(() => {})
  let started: StartedPool<VerifierApi> | undefined
  try {
    started = await startPool({
      host: {
        part: 'blobcheck',
        spawn: () => spawn(workerUrl),
        inline: loadTasks,
      },
      workers: countWorkers(workers),
      orInline: workers === 'auto',
      kernel: wanted,
      compile: (name) => compileKernel(name, wasm, verifierFiles),
      onlyBaseline: bringsOnlyBaseline(wasm),
      onWarning,
    })
    const { pool, kernel, workersReason } = started
    const trace = await tracing
    const confirmed = new ConfirmedKernel(pool, kernel, () => compileKernel('simd128', wasm, verifierFiles))
    const batcher = new Batcher(
      { pool, kernel: confirmed, counters, trace, onMissing: tellOfMissing(onWarning) },
      () => startCommitmentKernels({ wasm: kzg, setup: commitmentSetup }),
    )
    const onCrash = (): void => void counters.crashes++
    pool.onCrash = onCrash
    trace?.watch(pool)
    // The calling thread has other things to do than to rehearse, and to probe again.
    if (pool.workers > 0) {
      void pool.rehearse((api) => api.rehearse())
      probeAgain(pool, confirmed)
    }
    return new PipelineVerifier({
      network,
      networkWords: networkWords(network),
      pool,
      workersReason,
      buffers: bufferPoolFor(pool),
      pending: new PendingVerifications(store, (unknown) => batcher.enqueue(unknown), trace),
      commitments: batcher.commitments,
      kernel: confirmed,
      cache: store,
      counters,
      trace,
      blocks: new BlockAnchors({ ...beacon, network, worker: pool.workers > 0, onCrash, onWarning }),
      signatures: new SignatureCheck({ ...lightClient, network, worker: pool.workers > 0, onWarning }),
    })
  } catch (error) {
    started?.pool.dispose()
    // One that was handed in stays its owner's until there is a verifier.
    if (cache === 'auto') void store?.close()
    throw error
  }
}

/**
 * The options of `createVerifier`, read.
 *
 * @internal
 */
export interface ReadOptions {
  readonly network: VettedNetwork
  readonly workers: 'auto' | number
  readonly workerUrl: URL | undefined
  readonly kernel: 'auto' | KernelName | undefined
  readonly wasm: ReadSources
  readonly commitmentSetup: ReadSetupSource | undefined
  readonly kzg: ReadSources
  readonly cache: CacheOption
  readonly trustCache: boolean
  readonly lightClient: WorkerSources
  readonly beacon: WorkerSources
  readonly onWarning: WarningListener | undefined
  readonly onTrace: ((event: TraceEvent) => void) | undefined
}

/**
 * Reads the options: each property once, and all of them before anything is begun or waited for, so that what is used is what was
 * looked at. Throws `TypeError` where they make no sense, and whatever the caller's getters throw.
 *
 * @internal
 */
export function readOptions(options: VerifierOptions): ReadOptions {
  const {
    network,
    workers = 'auto',
    workerUrl,
    kernel,
    wasm,
    commitmentSetup,
    cache = 'auto',
    trustCache = true,
    kzg,
    lightClient,
    beacon,
    onWarning,
    onTrace,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  countWorkers(workers)
  refuseUnknownKernel(kernel)
  refuseNonBoolean(trustCache, 'trustCache')
  refuseNonListener(onWarning, 'onWarning')
  refuseNonListener(onTrace, 'onTrace')
  return {
    network: resolveNetwork(network),
    workers,
    workerUrl: readUrl(workerUrl, 'workerUrl'),
    kernel,
    wasm: readSources(wasm),
    commitmentSetup: readSetupSource(commitmentSetup, 'commitmentSetup'),
    kzg: readKzgSources(kzg),
    cache,
    trustCache,
    lightClient: readWorkerSources('lightClient', lightClient),
    beacon: readWorkerSources('beacon', beacon),
    onWarning,
    onTrace,
  }
}

/** Where the modules come from that are loaded on demand, and the script of a worker that is started for them. */
interface WorkerSources {
  readonly wasm: ReadSources
  readonly workerUrl?: URL
}

/** The options `lightClient` and `beacon`. */
function readWorkerSources(
  name: string,
  option: { readonly wasm?: WasmSources; readonly workerUrl?: URL | string } = {},
): WorkerSources {
  const { wasm, workerUrl, ...unknown } = optionsOf(option, name)
  refuseUnknown(unknown, name)
  const url = readUrl(workerUrl, `${name}.workerUrl`)
  return { wasm: readSources(wasm, `${name}.wasm`), ...(url !== undefined && { workerUrl: url }) }
}

/** The option `kzg`. */
function readKzgSources(option: { readonly wasm?: WasmSources } = {}): ReadSources {
  const { wasm, ...unknown } = optionsOf(option, 'kzg')
  refuseUnknown(unknown, 'kzg')
  return readSources(wasm, 'kzg.wasm')
}
