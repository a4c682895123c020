/**
 * Blocks of Gloas: first the block, whose bid says how many blobs there are and what their commitments are; then what became of the
 * payload; then the columns, which are held against the bid's commitments.
 */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from './fetch-block.ts'
import { type Bid, blockLinks, type ProvenBlock } from './proven-block.ts'
import { sampleColumns } from './columns.ts'
import type { SampleContext } from './context.ts'
import { type Finding, unsampled } from './finding.ts'
import { MisuseError } from './header.ts'
import { payloadOf } from './payload.ts'
import type { PayloadReport } from './report.ts'
import { FallbackTally } from './requests/tally.ts'
import { fallBack } from './whole/fallbacks.ts'

/**
 * Finds out whether the data of a block of Gloas is there. Rejects with the signal's reason, with what the verifier throws, and with a
 * `TypeError` for a header whose slot is not that of its block.
 */
export async function sampleGloas(context: SampleContext): Promise<Finding> {
  const { header, notify, parts, signal, timings, until } = context
  const { root, slot } = header
  const tally = new FallbackTally()
  const began = performance.now()
  let finding: Finding
  try {
    const block = await fetchBlock(parts, header, tally, until)
    timings.fetchMs += performance.now() - began
    const { bid, commitments } = block
    if (bid === null || block.slot !== slot)
      throw new MisuseError(`a header of slot ${slot}, whose block is of slot ${block.slot}`)
    notify({ kind: 'block', slot, root, blobs: commitments.length })
    finding = await ofBlock(block, bid, context, tally)
  } catch (error) {
    signal?.throwIfAborted()
    const isUnavailable = error instanceof BeaconUnavailableError
    if (!isUnavailable && !until.aborted) throw error
    timings.fetchMs += performance.now() - began
    notify({ kind: 'block', slot, root, blobs: null })
    const isOfLaterFork = isUnavailable && error.failures.some(({ kind }) => kind === 'unsupported-fork')
    const reason = isOfLaterFork ? 'unsupported-fork' : 'no-commitments'
    const detail = isUnavailable ? error.message : 'the block could not be had in time'
    finding = unsampled(parts, 'unknown', reason, { detail })
  }
  return { ...finding, endpoints: tally.addedTo(finding.endpoints) }
}

async function ofBlock(
  block: ProvenBlock,
  bid: Bid,
  context: SampleContext,
  tally: FallbackTally,
): Promise<Finding> {
  const { header, parts, timings } = context
  const { commitments } = block
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
