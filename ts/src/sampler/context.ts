/** What sampling one block has at hand, whatever form its data turns out to have. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { BlockContext, BlockParts } from '../block-data/context.ts'
import type { SidecarFile } from '../block-data/options.ts'
import type { Plan, RandomBytes } from './plan.ts'
import type { SampleEvent } from './report.ts'
import type { BlockOnce } from './block-once.ts'

/** What `createSampler` puts together from its options, for all blocks of a sampler. */
export interface SamplerParts extends BlockParts {
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

/** What sampling one block has at hand. Its block is fetched from Gloas on always, before where it is asked for (`blockOnce`). */
export interface SampleContext extends BlockContext {
  readonly parts: SamplerParts
  readonly plan: Plan
  /** How many blobs the block has by its proven execution header, or from Gloas on by its bid; null where that is not known. */
  readonly proven: number | null
  /** The way to the block before Gloas. */
  readonly blockOnce: BlockOnce
  readonly reconstruct: boolean
  readonly notify: (event: SampleEvent) => void
}
