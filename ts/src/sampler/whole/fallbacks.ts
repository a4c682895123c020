/**
 * Where the endpoints' columns are missing (before Fulu, their sidecars), whole blobs, from whom the caller allows: files at
 * hand, the endpoints, archives. Bare blobs are held against commitments that belong to the header, which a verified column has, or the
 * block. Blob sidecars, of which there are none from Gloas on, bring their own branch: they need neither.
 */
import type { BlobSource, SampleContext } from '../context.ts'
import type { Finding } from '../finding.ts'
import { FallbackTally } from './tally.ts'
import { completeWithFiles } from './files.ts'
import { completeWithBlobs } from './blobs.ts'
import { wholeSidecars } from './sidecars.ts'

type Way = (finding: Finding, context: SampleContext) => Promise<Finding>

/** A finding in which data is missing, made good if somebody has the blobs; else as it was, but for what they did. */
export async function fallBack(finding: Finding, context: SampleContext): Promise<Finding> {
  const { parts, until } = context
  let best = finding
  // At hand, whatever the time is.
  if (isWanting(best) && parts.fallbacks.files.length > 0) best = await completeWithFiles(best, context)
  for (const way of waysOf(finding, context)) {
    if (!isWanting(best) || until.aborted) break
    best = await way(best, context)
  }
  return best
}

/** Whether more data would say more. */
function isWanting({ commitments, reason, verdict }: Finding): boolean {
  if (reason === 'count-mismatch') return false
  // Where nothing was verified, it is no more than an endpoint's word that the block is of a fork to come.
  if (reason === 'unsupported-fork' && commitments.length > 0) return false
  return verdict === 'unavailable' || verdict === 'unknown'
}

/** Whom to ask, one after the other. */
function waysOf({ via }: Finding, { block, parts }: SampleContext): Way[] {
  const { endpoints, fallbacks } = parts
  const hasSidecars = block === null || block.bid === null
  const bySidecars = (asked: BlobSource): Way[] =>
    hasSidecars ? [(finding, context) => completeWithSidecars(finding, context, asked)] : []
  const byBlobs =
    (asked: BlobSource): Way =>
    async (finding, context) => {
      // What is verified of sidecars does not tell all commitments; nor is there a branch to them where the block told them.
      const isToldByColumn =
        via === 'data-columns' &&
        finding.commitments.length > 0 &&
        finding.columns.some(({ status }) => status === 'verified')
      if (isToldByColumn || context.block !== null) return await completeWithBlobs(finding, context, asked)
      const tally = new FallbackTally()
      const block = await context.blockOnce.ask(context, tally)
      const found = { ...finding, endpoints: tally.addedTo(finding.endpoints) }
      return await completeWithBlobs(found, { ...context, block }, asked)
    }
  const ways: Way[] = []
  if (fallbacks.blobs) {
    const nodes: BlobSource = { from: 'endpoints', endpoints }
    // Nodes have bare blobs rather than sidecars. Before Fulu these were asked for sidecars in the first place.
    ways.push(byBlobs(nodes), ...(via === 'data-columns' ? bySidecars(nodes) : []))
  }
  if (fallbacks.archives !== null) {
    const archives: BlobSource = { from: 'archives', endpoints: fallbacks.archives }
    ways.push(...bySidecars(archives), byBlobs(archives))
  }
  return ways
}

async function completeWithSidecars(
  finding: Finding,
  context: SampleContext,
  { from, endpoints }: BlobSource,
): Promise<Finding> {
  // What is told while it goes on is about columns.
  const parts = { ...context.parts, endpoints }
  const whole = await wholeSidecars({ ...context, parts, notify: () => {} }, from)
  const tally = new FallbackTally()
  for (const share of whole.endpoints) {
    if (share.requests === 0) continue
    const done = tally.of(share.endpoint)
    done.requests += share.requests
    done.bytes += share.bytes
    for (const { kind, detail } of share.failures) done.fail({ kind, message: detail })
    for (const { index, reason } of share.refused)
      done.fail({ kind: 'invalid', message: `blob-sidecar ${index}: ${reason}` })
  }
  const shares = tally.addedTo(finding.endpoints)
  if (whole.verdict !== 'available') return { ...finding, endpoints: shares }
  const { samples, missing } = finding.confidence
  return {
    ...whole,
    confidence: { ...whole.confidence, samples, missing },
    columns: finding.columns,
    endpoints: shares,
  }
}
