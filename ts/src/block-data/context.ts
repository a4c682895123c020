/** What whoever looks for the data of one block has at hand, whatever form the data turns out to have. */
import type { Send } from '../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import type { BlockAnchors } from '../verifier/block-anchor.ts'
import type { VerifierPool } from '../verifier/worker/protocol.ts'
import type { Verifier } from '../verifier/verifier.ts'
import type { Headers } from './header.ts'
import type { SampledHeader } from './options.ts'
import type { ProvenBlock } from './proven-block.ts'
import type { SidecarEvent } from './report.ts'
import type { DataSchedule } from './schedule.ts'

/** What is put together from options, for all blocks. */
export interface BlockParts {
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
}

/** What the data of one block is looked for with. */
export interface BlockContext {
  readonly parts: BlockParts
  readonly header: SampledHeader
  /** The block itself, where it was fetched. */
  readonly block: ProvenBlock | null
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Aborted with the signal, and at the deadline. */
  readonly until: AbortSignal
  /** The deadline, as `performance.now()` tells the time. */
  readonly endsAt: number
  readonly notify: (event: SidecarEvent) => void
  /** What requests for sidecars are sent with, where somebody follows which of them wait for their turn. */
  readonly send?: Send
  /** Milliseconds, added up while the block is looked at. */
  readonly timings: { fetchMs: number; verifyMs: number }
}
