/**
 * Where columns are missing, the blobs themselves, if the caller allows it. Bare blobs are held against commitments that belong to
 * the header, which one verified column has. Without any, blob sidecars are asked for: each brings its own branch, and nodes and
 * archives still have them of Fulu blocks.
 */
import type { Finding, Occasion } from './block.ts'
import type { EndpointShare } from './report.ts'
import { completeWithBlobs } from './whole-blobs.ts'
import { wholeSidecars } from './whole-sidecars.ts'

/** A finding in which columns are missing, made good if somebody has the blobs; else as it was. */
export async function fallBack(finding: Finding, occasion: Occasion): Promise<Finding> {
  const { commitments, verdict } = finding
  const isWanting = verdict === 'unavailable' || verdict === 'unknown'
  if (!occasion.parts.wholeBlobs || !isWanting || occasion.until.aborted) return finding
  return commitments.length > 0
    ? await completeWithBlobs(finding, occasion)
    : await completeWithSidecars(finding, occasion)
}

async function completeWithSidecars(finding: Finding, occasion: Occasion): Promise<Finding> {
  // What is told while it goes on is about columns.
  const whole = await wholeSidecars({ ...occasion, tell: () => {} })
  const endpoints = finding.endpoints.map((share) =>
    withSidecars(
      share,
      whole.endpoints.find(({ endpoint }) => endpoint === share.endpoint),
    ),
  )
  if (whole.verdict !== 'available') return { ...finding, endpoints }
  const { samples, missing } = finding.confidence
  return {
    ...whole,
    confidence: { ...whole.confidence, samples, missing },
    columns: finding.columns,
    endpoints,
  }
}

/** What an endpoint did in all; the lists of a share are about columns, so that false sidecars are told of as failures. */
function withSidecars(share: EndpointShare, more: EndpointShare | undefined): EndpointShare {
  if (more === undefined) return share
  const refused = more.refused.map(
    ({ index, reason }) => ({ kind: 'invalid', detail: `blob-sidecar ${index}: ${reason}` }) as const,
  )
  return {
    ...share,
    requests: share.requests + more.requests,
    bytes: share.bytes + more.bytes,
    failures: [...share.failures, ...more.failures, ...refused],
  }
}
