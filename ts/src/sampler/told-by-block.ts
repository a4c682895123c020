/**
 * What the block itself tells where its data does not: how many blobs there are, where nobody gave any of them and no execution header says
 * it; and of which fork the block is, where what came is of a fork to come by the network's config, or longer than data of its time can be, which
 * is an endpoint's word alone, or a lie. The block's root is the header's, so that its list of commitments is as good as the header.
 */
import type { ColumnAttempt } from '../block-data/report.ts'
import type { SampleContext } from './context.ts'
import { forkToCome } from './finding.ts'
import type { FallbackTally } from './whole/tally.ts'

/** What is known of a block of whose data nothing was verified. */
export interface ToldByBlock {
  /** The block's commitments, 0x hex: none where it has no blobs. Null where no endpoint gave the block. */
  readonly commitments: readonly string[] | null
  /** Where it is of a fork to come, or has more blobs than the network's config allows: how that is known, for people; else null. */
  readonly forkToCome: string | null
}

/**
 * What the block tells where none of these attempts succeeded: it is asked for where endpoints have none of the data, or say what leaves the fork in
 * doubt. Null where an execution header or a bid tells already how many blobs there are, and with that the fork, and where nobody was heard.
 * Rejects as `BlockOnce.ask` does.
 */
export async function toldByBlock(
  context: SampleContext,
  attempts: readonly ColumnAttempt[],
  tally: FallbackTally,
): Promise<ToldByBlock | null> {
  if (context.proven !== null || !attempts.some(({ outcome }) => WORTH_ASKING.has(outcome))) return null
  const block = await context.blockOnce.ask(context, tally)
  if (block === null) return { commitments: null, forkToCome: forkToCome(attempts) }
  const { commitments, slot } = block
  const isTooMany = commitments.length > context.parts.schedule.maxBlobs(slot)
  return { commitments, forkToCome: isTooMany ? `a block with ${commitments.length} blobs` : null }
}

const WORTH_ASKING: ReadonlySet<ColumnAttempt['outcome']> = new Set([
  'false',
  'not-delivered',
  'unsupported-fork',
  'too-large',
])
