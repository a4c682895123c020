/** What provers are told. */
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { WasmSources } from '../runtime/kernel/module.ts'
import type { LastingPrecompute, Precompute } from './tables/precompute.ts'
import type { SetupSources } from './setup.ts'

/** The options that `loadProver` and `createProver` have in common. */
export interface ProverOptions {
  /** Default: the fastest that is sound here. */
  readonly kernel?: 'auto' | KernelName
  /** The WASM modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /** The halves of the setup, where they cannot be fetched from beside the package's own files. */
  readonly setup?: SetupSources
}

/** The options of `loadProver`. */
export interface LoadProverOptions extends ProverOptions {
  /** Tables that make proofs of cells faster; default none. They are worked out when they are wanted first. */
  readonly precompute?: Precompute
  /**
   * What is to be proved. `blobs` loads half of the setup: commitments and proofs of blobs, cells without proofs; proofs of
   * cells throw. Default `cells`: everything.
   */
  readonly proofs?: 'blobs' | 'cells'
}

/** The options of `createProver`. */
export interface CreateProverOptions extends ProverOptions {
  /**
   * Tables that make proofs of cells faster; default none. They are worked out when they are wanted first, or read back, where
   * `keep` says that they outlive the session.
   */
  readonly precompute?: LastingPrecompute
  /** Worker threads; default one for each core, up to eight. 0: everything in the calling thread, in pieces. */
  readonly workers?: 'auto' | number
  /** The worker script (`blobcheck/prover/worker`), where a bundler does not follow `new URL`. */
  readonly workerUrl?: URL | string
}

/** How far a call has come, in steps of about the same length. */
export interface ProverProgress {
  readonly done: number
  readonly total: number
}

/** The options of one call of an `AsyncProver`. */
export interface ProverCallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called for each step of what is done in several: proofs of cells (18 steps), and `prepare`. */
  readonly onProgress?: (progress: ProverProgress) => void
}

/** Options are an object, or there are none. */
export function optionsOf<T extends object>(options: T): T {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  return options
}
