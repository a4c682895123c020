/** What a blob source is made of, and what one call has at hand. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { BlockParts } from '../block-data/context.ts'
import type { SidecarFile } from '../block-data/options.ts'
import type { ExecutionSource } from '../execution/execution.ts'
import type { BlobCache, BlobsProgress } from './options.ts'
import type { Shares } from './shares.ts'

/** What `createBlobSource` puts together from its options, for all calls. */
export interface SourceParts extends BlockParts {
  /** Null where there are none. */
  readonly archives: BeaconEndpoints | null
  readonly files: readonly SidecarFile[]
  readonly cache: BlobCache | null
  readonly execution: ExecutionSource | null
}

/** One call. */
export interface Call {
  readonly parts: SourceParts
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Aborted with the signal, and at the deadline. */
  readonly until: AbortSignal
  /** When it began, and its deadline, as `performance.now()` tells the time. */
  readonly beganAt: number
  readonly endsAt: number
  readonly shares: Shares
  readonly notify: (progress: BlobsProgress) => void
}
