/**
 * Where no column could be taken, since what came is of a fork to come by the network's config, or longer than a column of its time can be: an
 * endpoint's word alone, or a lie. The block, whose root is the header's, tells.
 */
import { fetchBlock } from '../block-data/fetch-block.ts'
import { MisuseError, refuseOtherSlot } from '../block-data/header.ts'
import type { ColumnAttempt } from '../block-data/report.ts'
import { DisposedError } from '../runtime/errors.ts'
import type { SampleContext } from './context.ts'
import { forkToCome } from './finding.ts'
import type { FallbackTally } from './whole/tally.ts'

/** That a block is of a fork to come, or has more blobs than the network's config allows. */
export interface ForkToCome {
  /** For people. */
  readonly detail: string
  /** The block's commitments, 0x hex, which prove it; empty where it is an endpoint's word alone. */
  readonly commitments: readonly string[]
}

/**
 * What these attempts, none of which succeeded, tell of the block's fork; null where it is known. `tally` is told what endpoints did for the
 * block. Rejects with the signal's reason, and with a `TypeError` for a header whose slot is not that of its block.
 */
export async function forkToComeOf(
  { header, parts, proven, signal, timings, until }: SampleContext,
  attempts: readonly ColumnAttempt[],
  tally: FallbackTally,
): Promise<ForkToCome | null> {
  const isInDoubt = attempts.some(({ outcome }) => outcome === 'unsupported-fork' || outcome === 'too-large')
  // What tells how many blobs there are, an execution header or a bid, shows the fork, too.
  if (proven !== null || !isInDoubt) return null
  const began = performance.now()
  try {
    const { commitments, slot } = await fetchBlock(parts, header, tally, until)
    refuseOtherSlot(header, slot)
    const { length } = commitments
    if (length <= parts.schedule.maxBlobs(slot)) return null
    return { detail: `a block with ${length} blobs`, commitments }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DisposedError || error instanceof MisuseError) throw error
    const detail = forkToCome(attempts)
    return detail === null ? null : { detail, commitments: [] }
  } finally {
    timings.fetchMs += performance.now() - began
  }
}
