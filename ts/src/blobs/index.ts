/** `blobcheck/blobs`: the blobs of a slot, a root, a transaction, fetched from whoever has them, each verified. */
export { createBlobSource } from './create.ts'
export type {
  BlobCache,
  BlobQuery,
  BlobSource,
  BlobSourceOptions,
  BlobsProgress,
  ExecutionHeaderAnchor,
  GetBlobsOptions,
  Urls,
} from './options.ts'
export type {
  BlobLinks,
  BlobsReason,
  BlobsReport,
  BlobsResult,
  BlobsVerdict,
  BlobsVia,
  SourceShare,
  VerifiedBlob,
} from './result.ts'
export type {
  HeaderOnTrust,
  HeaderSource,
  Resolution,
  SampledHeader,
  SidecarFile,
} from '../block-data/options.ts'
export type { BlockId, PayloadReport } from '../block-data/report.ts'
export type { LinkState } from '../verdict/verdict.ts'
export type { HeaderLinks } from '../verdict/provenance.ts'
export type { FailureKind } from '../beacon/failure.ts'
export type { Fetch, FetchInit } from '../beacon/request.ts'
export { DisposedError } from '../runtime/errors.ts'
