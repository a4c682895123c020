/**
 * `blobcheck/prover`: commit, prove, recover. `loadProver` gives synchronous functions, `createProver` the same off the
 * calling thread. Module and setup are loaded by these alone, so that who only verifies downloads neither.
 */
export { loadProver } from './load.ts'
export { createProver } from './create.ts'
export { tableBytes } from './precompute.ts'
export { SetupUnavailableError } from './errors.ts'
export { DisposedError, WasmUnavailableError } from '../runtime/errors.ts'
export { KzgInputError } from '../kzg/errors.ts'
export { WorkerCrashed } from '../runtime/errors.ts'
export type { Prover } from './prover.ts'
export type { AsyncProver } from './off-thread/prover.ts'
export type { CellsAndKzgProofs, KzgProof } from './results.ts'
export type {
  CreateProverOptions,
  LoadProverOptions,
  ProverCallOptions,
  ProverOptions,
  ProverProgress,
} from './options.ts'
export type { KeptTables, LastingPrecompute, Precompute, TableShape } from './precompute.ts'
export type { TablesReport } from './off-thread/tables.ts'
export type { TableOrigin } from './tables/provide.ts'
export type { TableStore } from './tables/store.ts'
export type { SetupSource, SetupSources } from './setup/setup.ts'
export type { Bytes } from '../util/hex.ts'
export type { KzgInputCode } from '../verdict/reasons.ts'
export type { KernelName } from '../runtime/kernel/kernel.ts'
export type { WasmSource, WasmSources } from '../runtime/kernel/module.ts'
