/**
 * Where the endpoints' columns are missing (before Fulu, their sidecars), whole blobs, from whom the caller allows: files at
 * hand, the endpoints, archives. Bare blobs are held against commitments that belong to the header, which one verified column
 * has. Blob sidecars bring their own branch: they need no column, and nodes and archives still have them of Fulu blocks.
 */
import type { BlobSource, Finding, SampleContext, SamplerParts } from '../context.ts'
import { FallbackTally } from '../requests/tally.ts'
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
  for (const way of waysOf(finding, parts)) {
    if (!isWanting(best) || until.aborted) break
    best = await way(best, context)
  }
  return best
}

/** Whether more data would say more. */
function isWanting({ verdict, reason }: Finding): boolean {
  if (reason === 'count-mismatch' || reason === 'unsupported-fork') return false
  return verdict === 'unavailable' || verdict === 'unknown'
}

/** Whom to ask, one after the other. */
function waysOf({ via }: Finding, { endpoints, fallbacks }: SamplerParts): Way[] {
  const bySidecars =
    (asked: BlobSource): Way =>
    (finding, context) =>
      completeWithSidecars(finding, context, asked)
  const byBlobs =
    (asked: BlobSource): Way =>
    (finding, context) =>
      completeWithBlobs(finding, context, asked)
  // Before Fulu these were asked for sidecars in the first place, and what is verified of them does not tell all commitments.
  const hasColumns = via === 'data-columns'
  const ways: Way[] = []
  if (fallbacks.blobs && hasColumns) {
    const nodes: BlobSource = { from: 'endpoints', endpoints }
    // Nodes have bare blobs of Fulu blocks rather than sidecars.
    ways.push(byBlobs(nodes), bySidecars(nodes))
  }
  if (fallbacks.archives !== null) {
    const archives: BlobSource = { from: 'archives', endpoints: fallbacks.archives }
    ways.push(bySidecars(archives), ...(hasColumns ? [byBlobs(archives)] : []))
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
