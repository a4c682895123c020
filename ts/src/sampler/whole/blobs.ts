/**
 * Where columns are missing, whole blobs: `/eth/v1/beacon/blobs` has neither commitments nor proofs, so that they are held against the
 * commitments of the block, or of a column that was verified. Only if asked for: it loads the points that commitments are computed with.
 */
import { DisposedError, messageOf } from '../../runtime/errors.ts'
import type { Endpoint } from '../../beacon/endpoint.ts'
import { BeaconFailure, BeaconUnavailableError } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { splitBlobs } from '../../block-data/bare-blobs.ts'
import { firstCounted } from '../../block-data/requests/first-counted.ts'
import type { BlobSource, SampleContext, SamplerParts } from '../context.ts'
import type { Finding } from '../finding.ts'
import { inCommon } from '../../verdict/links.ts'
import type { Links, Verdict } from '../../verdict/verdict.ts'
import type { AnchorOption } from '../../verifier/options.ts'
import { anchorOf } from '../../block-data/proven-block.ts'
import { confidenceOf } from '../confidence.ts'
import { FallbackTally } from './tally.ts'
import type { ByteArray } from '../../util/platform-types.ts'

interface Whole {
  readonly blobs: readonly ByteArray[]
  readonly links: Links
  readonly endpoint: string
}

/**
 * A finding with the block's commitments, made good if one of these has the blobs that they are of; else as it was, but for what
 * they did. Who failed before another one had them is told of, too. Where they cannot be verified here, the finding stays as it was
 * and says so in its `detail`: what was found out without them is as true as before.
 */
export async function completeWithBlobs(
  finding: Finding,
  context: SampleContext,
  { from, endpoints }: BlobSource,
): Promise<Finding> {
  const { block, header, parts, proven, reconstruct, signal, timings, until } = context
  const commitments = block?.commitments ?? finding.commitments
  // A header on trust may be made up, and with it a block: what no block can have is nothing to ask for.
  const isPossible = commitments.length > 0 && commitments.length <= parts.schedule.maxBlobs(header.slot)
  if (!isPossible || (proven !== null && proven !== commitments.length)) return finding
  const anchor = block === null ? { commitments } : anchorOf(header, block)
  const began = performance.now()
  const tally = new FallbackTally()
  try {
    const whole = await firstCounted(
      endpoints,
      routes.blobs(header.root, commitments.length),
      (answer, endpoint) => verify(parts, { anchor, count: commitments.length }, answer, endpoint, until),
      tally,
      until,
    )
    // Without the block it is the branch of a column that leads to the header. Of columns and blobs the link `kzg` is the weaker one.
    const links =
      block === null ? { ...finding.links, kzg: inCommon([finding.links, whole.links]).kzg } : whole.links
    return {
      ...finding,
      ...{ verdict: 'available', reason: 'complete', detail: null, via: 'blobs' },
      fallback: { from, sources: [whole.endpoint] },
      confidence: confidenceOf({
        samples: finding.confidence.samples,
        missing: finding.confidence.missing,
        maxError: 0,
        endpoints: [whole.endpoint],
        ...{ contested: [], target: 0, kzg: links.kzg },
      }),
      endpoints: tally.addedTo(finding.endpoints),
      commitments,
      links,
      blobs: reconstruct
        ? whole.blobs.map((blob, index) => ({ index, blob, commitment: commitments[index] ?? '' }))
        : null,
    }
  } catch (error) {
    signal?.throwIfAborted()
    // The verifier's own end: there is nobody left to report to.
    if (error instanceof DisposedError) throw error
    const isAnswered = until.aborted || error instanceof BeaconUnavailableError
    const detail = isAnswered ? finding.detail : `whole blobs could not be verified: ${messageOf(error)}`
    return { ...finding, detail, endpoints: tally.addedTo(finding.endpoints) }
  } finally {
    timings.fetchMs += performance.now() - began
  }
}

/** Throws `BeaconFailure` where these are not the blobs that the block commits to, and `Error` where that could not be found out. */
async function verify(
  { verifier, pool }: SamplerParts,
  block: { readonly anchor: AnchorOption; readonly count: number },
  answer: BeaconAnswer,
  { name }: Endpoint,
  signal: AbortSignal,
): Promise<Whole> {
  const blobs = await splitBlobs(answer, block.count, pool)
  const count = `${blobs.length} blobs of a block with ${block.count}`
  // Who keeps too few columns to rebuild them has none to give. Nor can a list that was cut between two blobs be told from that, since
  // blobs follow each other without a count: neither accuses anybody, and neither changes the finding.
  if (blobs.length < block.count) throw new BeaconFailure('not-found', count)
  if (blobs.length > block.count) throw new BeaconFailure('invalid', count)
  const items = blobs.map((blob) => ({ blob }))
  const verdicts = await verifier.verifyBlobs(items, { anchor: block.anchor, signal })
  const isFalse = ({ status }: Verdict): boolean => status === 'invalid' || status === 'malformed'
  const index = verdicts.findIndex(isFalse)
  if (index >= 0) throw new BeaconFailure('invalid', `blob ${index} is not what the block commits to`)
  for (const verdict of verdicts) {
    if (verdict.status === 'valid') continue
    // Another one's may be what our workers survive.
    if (verdict.reason === 'worker-crashed')
      throw new BeaconFailure('crashed', `not verified: ${verdict.reason}`)
    throw new Error(verdict.reason)
  }
  return { blobs, links: inCommon(verdicts.map(({ links }) => links)), endpoint: name }
}
