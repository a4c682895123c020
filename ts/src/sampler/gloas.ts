/**
 * Blocks of Gloas: first the block, whose bid says how many blobs there are and what their commitments are; then what became of the
 * payload; then the columns, which are held against the bid's commitments.
 */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { type Bid, blockLinks, type ProvenBlock } from '../block-data/proven-block.ts'
import { sampleColumns } from './columns.ts'
import type { SampleContext } from './context.ts'
import { type Finding, unsampled } from './finding.ts'
import { MisuseError } from '../block-data/header.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { PayloadReport } from '../block-data/report.ts'
import { FallbackTally } from './whole/tally.ts'
import { fallBack } from './whole/fallbacks.ts'

/** A block of Gloas. */
type BlockWithBid = ProvenBlock & { readonly bid: Bid }

/**
 * Finds out whether the data of a block of Gloas is there. Rejects with the signal's reason, with what the verifier throws, and with a
 * `TypeError` for a header whose slot is not that of its block.
 */
export async function sampleGloas(context: SampleContext): Promise<Finding> {
  const { header, notify } = context
  const { root, slot } = header
  const tally = new FallbackTally()
  const found = await findBlock(context, tally)
  const isFound = 'source' in found
  notify({ kind: 'block', slot, root, blobs: isFound ? found.commitments.length : null })
  const finding = isFound ? await ofBlock(found, context, tally) : found
  return { ...finding, endpoints: tally.addedTo(finding.endpoints) }
}

/** The block of the header, or the finding where no endpoint gave it in time. */
async function findBlock(
  { header, parts, signal, timings, until }: SampleContext,
  tally: FallbackTally,
): Promise<BlockWithBid | Finding> {
  const began = performance.now()
  try {
    const { bid, ...block } = await fetchBlock(parts, header, tally, until)
    if (bid === null || block.slot !== header.slot)
      throw new MisuseError(`a header of slot ${header.slot}, whose block is of slot ${block.slot}`)
    return { ...block, bid }
  } catch (error) {
    signal?.throwIfAborted()
    const isUnavailable = error instanceof BeaconUnavailableError
    if (!isUnavailable && !until.aborted) throw error
    const isOfLaterFork = isUnavailable && error.failures.some(({ kind }) => kind === 'unsupported-fork')
    return unsampled(parts, 'unknown', isOfLaterFork ? 'unsupported-fork' : 'no-commitments', {
      detail: isUnavailable ? error.message : 'the block could not be had in time',
    })
  } finally {
    timings.fetchMs += performance.now() - began
  }
}

async function ofBlock(block: BlockWithBid, context: SampleContext, tally: FallbackTally): Promise<Finding> {
  const { header, parts, timings } = context
  const { bid, commitments } = block
  const proven = commitments.length
  const known = { links: blockLinks(header), commitments }
  const unasked: PayloadReport = { status: 'unknown', blockHash: bid.blockHash, child: null }
  if (proven === 0) return unsampled(parts, 'no-blobs', 'proven-empty', { ...known, payload: unasked })
  // More than the network's schedule knows of: ours is an old one, and nobody else is at fault.
  if (proven > parts.schedule.maxBlobs(header.slot)) return unsampled(parts, 'unknown', 'unsupported-fork')

  const began = performance.now()
  const payload = await payloadOf(bid, context, tally)
  timings.fetchMs += performance.now() - began
  if (payload.status === 'empty')
    return unsampled(parts, 'payload-not-revealed', 'payload-not-revealed', { ...known, payload })
  const sampling: SampleContext = { ...context, block, proven }
  const sampled = await sampleColumns(sampling)
  return { ...(await fallBack(doubted(sampled, payload), sampling)), payload }
}

/** Columns that are missing accuse only where the payload was revealed: of one that was not, there need not be any. */
function doubted(finding: Finding, { status }: PayloadReport): Finding {
  if (finding.verdict !== 'unavailable' || status === 'full') return finding
  return { ...finding, verdict: 'unknown', reason: 'may-have-no-payload' }
}
