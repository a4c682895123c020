/** `blobcheck/light-client`: headers worth trusting, from a checkpoint that the user brings. See the README. */
export { LightClient } from './light-client.ts'
export { loadLightClientSpec } from './spec.ts'
export type { LightClientSpec, LightClientSpecOptions, VersionedObject } from './spec.ts'
export type { HeaderView, StoreView } from './worker/views.ts'
export { MAX_ANCESTORS, MAX_FETCHED_ANCESTORS } from './ancestors.ts'
export type {
  Anchored,
  Disagreement,
  FollowOptions,
  LightClientOptions,
  LightClientReport,
  SyncOptions,
  SyncProgress,
  Unanchored,
} from './options.ts'
export type { TrustedHeader } from './trusted-header.ts'
export type { EndpointReport } from '../beacon/endpoint.ts'
export type { FailureKind } from '../beacon/failure.ts'
export type { LightClientReason } from './errors.ts'
export type { LightClientStorage } from './store/storage.ts'
export type { StoreOption } from './store/record-store.ts'
export { MemoryStorage } from './store/storage.ts'
export { IndexedDbStorage } from './store/indexed-db.ts'
export { FileStorage } from '#file-storage'
export type { LinkState } from '../verdict/verdict.ts'
export type { HeaderLinks } from '../verdict/provenance.ts'
export type { BeaconBlockHeader, Header } from '../beacon/header.ts'
export type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
export type { KernelName } from '../runtime/kernel/kernel.ts'
export type { WasmSource, WasmSources } from '../runtime/kernel/module.ts'
export type { Bytes } from '../util/hex.ts'
export type { Fetch, FetchInit } from '../beacon/request.ts'
export { BeaconUnavailableError } from '../beacon/failure.ts'
export { LightClientError, StaleCheckpointError } from './errors.ts'
export { UnsupportedForkError } from './unsupported-fork.ts'
export { DisposedError, WasmUnavailableError } from '../runtime/errors.ts'
export type { Warning } from '../runtime/warning.ts'
