/** What sampling one block has at hand, whatever form its data turns out to have. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { VettedNetwork } from '../beacon/networks.ts'
import type { BlockAnchors } from '../verifier/block-anchor.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { ProvenBlock } from './proven-block.ts'
import type { Plan, RandomBytes } from './plan.ts'
import type { DataSchedule } from './schedule.ts'
import type { Headers } from './header.ts'
import type { SampledHeader, SidecarFile } from './options.ts'
import type { SampleEvent } from './report.ts'

/** What `createSampler` puts together from its options, for all blocks of a sampler. */
export interface SamplerParts {
  readonly verifier: Verifier
  readonly pool: VerifierPool
  /** The verifier's way of reading blocks. */
  readonly blocks: BlockAnchors
  /** The network of the verifier. */
  readonly network: VettedNetwork
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
  /** Whether the endpoints themselves are asked for whole blobs. */
  readonly blobs: boolean
  /** Blob archives, which are asked for whole blobs alone; null where there are none. */
  readonly archives: BeaconEndpoints | null
  readonly files: readonly SidecarFile[]
}

/** Who is asked for whole blobs, and what they are to a report. */
export interface BlobSource {
  readonly from: 'endpoints' | 'archives'
  readonly endpoints: BeaconEndpoints
}

/** What sampling one block has at hand. */
export interface SampleContext {
  readonly parts: SamplerParts
  readonly plan: Plan
  readonly header: SampledHeader
  /** The block itself, where it was fetched: from Gloas on always, before in fallbacks. */
  readonly block: ProvenBlock | null
  /** How many blobs the block has by its proven execution header, or from Gloas on by its bid; null where that is not known. */
  readonly proven: number | null
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Aborted with the signal, and at the deadline. */
  readonly until: AbortSignal
  /** The deadline, as `performance.now()` tells the time. */
  readonly endsAt: number
  readonly reconstruct: boolean
  readonly notify: (event: SampleEvent) => void
  /** Milliseconds, added up while the block is sampled. */
  readonly timings: { fetchMs: number; verifyMs: number }
}
