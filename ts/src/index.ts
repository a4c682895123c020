/** `blobcheck`: verifies Ethereum blob data in worker threads. `createVerifier` makes a verifier, whose methods return verdicts. */
export { createVerifier } from './verifier/create.ts'
export { fromSource, type SourcedSidecar } from './verifier/sourced-sidecar.ts'
export type { Verifier } from './verifier/verifier.ts'
export type {
  AnchorOption,
  BlobItem,
  CellItem,
  Progress,
  SidecarItem,
  SidecarOptions,
  Sidecars,
  TransactionOptions,
  VerifierOptions,
  VerifyOptions,
} from './verifier/options.ts'
export type { BlockSource } from './beacon/block/source.ts'
export { BlockMismatchError, SszError, type SszErrorReason } from './beacon/block/errors.ts'
export type { BeaconBlockHeader, Header } from './beacon/header.ts'
export type {
  ErrorVerdict,
  InvalidStage,
  InvalidVerdict,
  Links,
  LinkState,
  MalformedStage,
  MalformedVerdict,
  TransactionVerdict,
  UncheckedVerdict,
  ValidVerdict,
  Verdict,
} from './verdict/verdict.ts'
export type {
  ErrorReason,
  InvalidReason,
  KzgInputCode,
  MalformedReason,
  Reason,
  UncheckedReason,
} from './verdict/reasons.ts'
export type { Stats } from './verifier/stats.ts'
export type { TraceEvent, TraceItem, TraceStage } from './verifier/trace.ts'
export type { Bytes } from './util/hex.ts'
export type { JsonObject } from './util/json-object.ts'
export type { StageProgress } from './util/progress.ts'
export type { KernelName } from './runtime/kernel/kernel.ts'
export type { Warning } from './runtime/warning.ts'
export type { Hashing } from './runtime/platform/platform.ts'
export type { WasmSource, WasmSources } from './runtime/kernel/module.ts'
export type { ForkName } from './beacon/execution-forks.ts'
export type { NetworkConfig, NetworkName } from './beacon/networks.ts'
export { IndexedDbCache, MemoryCache, type VerdictCache } from './verifier/cache/cache.ts'
export type { CacheOption } from './verifier/cache/layered.ts'
export { networks } from './beacon/networks.ts'
export { DisposedError, WasmUnavailableError } from './runtime/errors.ts'
export { KzgInputError, type KzgInputField } from './kzg/input-error.ts'
export type { SetupSource } from './kzg/setup-source.ts'
