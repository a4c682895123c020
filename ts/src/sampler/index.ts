/** `blobcheck/sampler`: whether a block's data is there, from a few random columns. See the README. */
export { createSampler } from './create.ts'
export type {
  HeaderOnTrust,
  HeaderSource,
  Resolution,
  SampledHeader,
  SidecarFile,
} from '../block-data/options.ts'
export type {
  BlockId,
  ColumnAttempt,
  EndpointShare,
  MissingReason,
  PayloadReport,
  RebuiltBlob,
} from '../block-data/report.ts'
export type {
  Following,
  FollowSlotsOptions,
  SampleOptions,
  Sampler,
  SamplerOptions,
  SampleTarget,
} from './options.ts'
export type {
  ColumnOutcome,
  Confidence,
  NotVerified,
  SampleFallback,
  SampleProgress,
  SampleReason,
  SampleReport,
  SampleVerdict,
  SampleVia,
  SlotCounters,
  SlotOutcome,
  SlotReport,
} from './report.ts'
export type { Links, LinkState } from '../verdict/verdict.ts'
export type { InvalidReason, KzgInputCode, MalformedReason } from '../verdict/reasons.ts'
export type { HeaderLinks } from '../verdict/provenance.ts'
export type { Fetch, FetchInit } from '../beacon/request.ts'
export { BeaconUnavailableError, type FailureKind } from '../beacon/failure.ts'
export { DisposedError } from '../runtime/errors.ts'
