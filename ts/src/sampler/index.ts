/** `blobcheck/sampler`: whether a block's data is there, from a few random columns. See the README. */
export { createSampler } from './create.ts'
export type {
  Following,
  FollowSlotsOptions,
  HeaderOnTrust,
  HeaderSource,
  Resolution,
  SampledHeader,
  SampleOptions,
  Sampler,
  SamplerOptions,
  SampleTarget,
  SidecarFile,
} from './options.ts'
export type {
  BlockId,
  ColumnAttempt,
  ColumnOutcome,
  Confidence,
  EndpointShare,
  MissingReason,
  NotVerified,
  PayloadReport,
  RebuiltBlob,
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
export type { Fetch, FetchInit } from '../beacon/request.ts'
export { BeaconUnavailableError } from '../beacon/failure.ts'
export { DisposedError } from '../runtime/errors.ts'
