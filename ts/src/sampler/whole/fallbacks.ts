/**
 * Where the endpoints' columns are missing (before Fulu, their sidecars), whole blobs, from whom the caller allows: files at
 * hand, the endpoints, archives. Bare blobs are held against commitments that belong to the header, which a verified column has, or the
 * block. Blob sidecars, of which there are none from Gloas on, bring their own branch: they need neither.
 */
import { DisposedError } from '../../runtime/errors.ts'
import { fetchBlock } from '../../block-data/fetch-block.ts'
import { MisuseError, refuseOtherSlot } from '../../block-data/header.ts'
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
  const blockOnce = new BlockOnce()
  const byBlobs =
    (asked: BlobSource): Way =>
    async (finding, context) => {
      // What is verified of sidecars does not tell all commitments.
      const isKnown = via === 'data-columns' && finding.commitments.length > 0
      if (isKnown || context.block !== null) return await completeWithBlobs(finding, context, asked)
      const [found, known] = await blockOnce.addTo(finding, context)
      return await completeWithBlobs(found, known, asked)
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

/** The block, for its commitments: asked of the endpoints once, when the first fallback wants it. */
class BlockOnce {
  #isAsked = false
  #known: SampleContext | null = null

  /** The finding with what the endpoints did for the block; and the context with the block, if it could be had. */
  async addTo(finding: Finding, context: SampleContext): Promise<[Finding, SampleContext]> {
    if (this.#isAsked) return [finding, this.#known ?? context]
    this.#isAsked = true
    const { header, parts, signal, timings, until } = context
    const tally = new FallbackTally()
    const began = performance.now()
    try {
      const block = await fetchBlock(parts, header, tally, until)
      refuseOtherSlot(header, block.slot)
      this.#known = { ...context, block }
    } catch (error) {
      signal?.throwIfAborted()
      // Nothing else that fails here takes away what was found out before.
      if (error instanceof DisposedError || error instanceof MisuseError) throw error
    } finally {
      timings.fetchMs += performance.now() - began
    }
    return [{ ...finding, endpoints: tally.addedTo(finding.endpoints) }, this.#known ?? context]
  }
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
