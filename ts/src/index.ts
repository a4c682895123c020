/** blobcheck: check Ethereum blob data yourself. See the README; the verdicts are explained in `verdict/verdict.ts`. */
export { createVerifier } from './verifier/create.ts'
export type { Verifier } from './verifier/verifier.ts'
export type {
  AnchorOption,
  BeaconBlockHeader,
  BlobItem,
  CellItem,
  Header,
  Progress,
  SidecarItem,
  SidecarOptions,
  Sidecars,
  TransactionOptions,
  VerifierOptions,
  VerifyOptions,
} from './verifier/options.ts'
export type {
  ErrorVerdict,
  InvalidVerdict,
  Links,
  LinkState,
  MalformedVerdict,
  TransactionVerdict,
  UncheckedVerdict,
  ValidVerdict,
  Verdict,
} from './verdict/verdict.ts'
export type { ErrorReason, InvalidReason, KzgInputCode, MalformedReason, Reason } from './verdict/reasons.ts'
export type { Stats } from './verdict/stats.ts'
export type { Bytes } from './bytes/hex.ts'
export type { VerdictCache } from './cache/cache.ts'
export type { KernelName } from './wasm/kernel.ts'
export type { Hashing } from './platform/platform.ts'
export type { WasmSource, WasmSources } from './wasm/module.ts'
export type { ForkName, NetworkConfig, NetworkName } from './networks.ts'
export { MemoryCache } from './cache/memory.ts'
export { IndexedDbCache } from './cache/indexed-db.ts'
export { networks } from './networks.ts'
export { DisposedError, KzgInputError, WasmUnavailableError } from './errors.ts'
