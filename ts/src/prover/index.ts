/**
 * `blobcheck/prover`: commit, prove, recover. `loadProver` gives synchronous functions, `createProver` the same off the
 * calling thread. Module and setup are loaded by these alone, so that who only verifies downloads neither.
 */
export { createProver } from './async-prover.ts'
export { loadProver } from './prover.ts'
export { tableBytes } from './options.ts'
export { SetupUnavailableError } from './setup.ts'
export { DisposedError, WasmUnavailableError, WorkerCrashed } from '../runtime/errors.ts'
export { KzgInputError, type KzgInputField } from '../kzg/input-error.ts'
export type { AsyncProver } from './async-prover.ts'
export type { Prover } from './prover.ts'
export type { CellsAndKzgProofs, KzgProof } from './results.ts'
export type {
  CreateProverOptions,
  KeptTables,
  LastingPrecompute,
  LoadProverOptions,
  Precompute,
  ProverCallOptions,
  ProverOptions,
  ProverProgress,
  TableShape,
  TableStore,
} from './options.ts'
export type { SetupSource, SetupSources } from './setup.ts'
export type { TableOrigin } from './tables/cache.ts'
export type { TablesReport } from './tables/worker-tables.ts'
export type { Bytes } from '../util/hex.ts'
export type { KzgInputCode } from '../verdict/reasons.ts'
export type { KernelName } from '../runtime/kernel/kernel.ts'
export type { Warning } from '../runtime/warning.ts'
export type { WasmSource, WasmSources } from '../runtime/kernel/module.ts'
