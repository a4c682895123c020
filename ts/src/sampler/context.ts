/** What one call of `sampleBlock` has at hand, whatever the block turns out to need. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { NetworkConfig } from '../beacon/networks.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { Plan, RandomBytes } from './plan.ts'
import type { DataSchedule } from './schedule.ts'
import type { Headers } from './header.ts'
import type { SampledHeader, SidecarFile } from './options.ts'
import type { Confidence, EndpointShare, SampleProgress, SampleReport } from './report.ts'

/** The parts that `createSampler` puts together. */
export interface SamplerParts {
  readonly verifier: Verifier
  readonly pool: VerifierPool
  /** The verifier's. */
  readonly network: NetworkConfig
  readonly headers: Headers
  readonly endpoints: BeaconEndpoints
  readonly schedule: DataSchedule
  /** Milliseconds of Unix time. */
  readonly now: () => number
  readonly random: RandomBytes
  readonly fallbacks: Fallbacks
}

/** Where whole blobs may come from where columns are missing. */
export interface Fallbacks {
  /** Whether the endpoints are asked for them. */
  readonly blobs: boolean
  /** Who is asked for nothing else, or null. */
  readonly archives: BeaconEndpoints | null
  readonly files: readonly SidecarFile[]
}

/** Who is asked for whole blobs, and what they are to a report. */
export interface BlobSource {
  readonly from: 'endpoints' | 'archives'
  readonly endpoints: BeaconEndpoints
}

/** One call's. */
export interface SampleContext {
  readonly parts: SamplerParts
  readonly plan: Plan
  readonly header: SampledHeader
  /** By the proven execution header, or null. */
  readonly proven: number | null
  /** The caller's own. */
  readonly signal: AbortSignal | undefined
  /** Aborted with the signal, and at the deadline. */
  readonly until: AbortSignal
  /** The deadline, as `performance.now()` tells the time. */
  readonly endsAt: number
  readonly reconstruct: boolean
  readonly notify: (event: SampleProgress) => void
  readonly timings: { fetchMs: number; verifyMs: number }
}

/** What a way of getting at the data found out. */
export type Finding = Pick<
  SampleReport,
  'verdict' | 'reason' | 'detail' | 'via' | 'fallback' | 'columns' | 'links' | 'commitments' | 'blobs'
> & {
  readonly confidence: Confidence
  readonly endpoints: readonly EndpointShare[]
}
