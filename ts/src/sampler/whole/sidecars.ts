/** A block's blobs, fetched whole, as sidecars, and verified: before Fulu, and where columns are missing. Nothing is sampled. */
import { inCommon } from '../../verdict/links.ts'
import { refuseOtherSlot } from '../../block-data/header.ts'
import { blockLinks } from '../../block-data/proven-block.ts'
import type { SidecarRequests } from '../../block-data/requests/requests.ts'
import { blobSidecars } from '../../block-data/requests/sidecars.ts'
import { blobParts, slotIn } from '../../block-data/sidecar-bytes.ts'
import type { SampleContext } from '../context.ts'
import { type Finding, forkToCome, unsampled } from '../finding.ts'
import { confidenceOf } from '../confidence.ts'
import { fetchVerified, sidecarRequests, type VerifiedSidecar } from '../../block-data/verify.ts'
import type { RebuiltBlob } from '../../block-data/report.ts'
import type { SampleReason, SampleVerdict } from '../report.ts'
import { toldByBlock } from '../told-by-block.ts'
import { FallbackTally } from './tally.ts'

/** Asks the context's endpoints for all blob sidecars of its block. `from`: what these endpoints are to the caller. */
export async function wholeSidecars(
  context: SampleContext,
  from: 'endpoints' | 'archives' = 'endpoints',
): Promise<Finding> {
  const { header, parts, proven, reconstruct } = context
  const requests = sidecarRequests(blobSidecars, context)
  const blobs = new Map<number, RebuiltBlob & Pick<VerifiedSidecar, 'links' | 'source'>>()
  let committed: number | null = null
  const get = (indices: readonly number[]): Promise<void> =>
    fetchVerified(requests, indices, context, ({ index, source, ssz, links }) => {
      refuseOtherSlot(header, slotIn(ssz))
      const { blob, commitment, ...rest } = blobParts(ssz)
      committed = rest.committed
      const kept = reconstruct ? blob.slice() : new Uint8Array(0)
      blobs.set(index, { index, blob: kept, commitment, source, links })
    })
  // One first, where the number is not proven: its branch tells it, and no question is about what cannot be.
  await get(proven === null ? [0] : Array.from({ length: proven }, (_, at) => at))
  const { attempts } = requests.attemptsOf(0)
  const tally = new FallbackTally()
  // Where these are a fallback, columns have told already, or the block.
  const isOwn = from === 'endpoints' && parts.schedule.form(header.slot) === 'blobs'
  const told = isOwn && committed === null ? await toldByBlock(context, attempts, tally) : null
  const count: number | null = committed ?? told?.commitments?.length ?? proven
  // A header on trust may be made up, and with it any length: what no block can have is nothing to ask for.
  const isPossible = count === null || (count > 0 && count <= parts.schedule.maxBlobs(header.slot))
  if (proven === null && told === null && count !== null && isPossible)
    await get(Array.from({ length: count - 1 }, (_, at) => at + 1))

  const ordered = [...blobs.values()].sort((a, b) => a.index - b.index)
  // Where one was verified, the block is of a fork that is known.
  const ahead = committed !== null ? null : told === null ? forkToCome(attempts) : told.forkToCome
  if (ahead === null) requests.knowFork()
  const endpoints = tally.addedTo(requests.tallies.map((one) => one.report()))
  if (told?.commitments?.length === 0)
    return { ...unsampled(parts, 'no-blobs', 'proven-empty', { links: blockLinks(header) }), endpoints }
  const [verdict, reason] =
    isPossible && ahead === null
      ? conclude(context, requests, ordered.length, count, committed)
      : (['unknown', 'unsupported-fork'] as const)
  const links = told?.commitments ? blockLinks(header) : inCommon(ordered.map((one) => one.links))
  return {
    verdict,
    reason,
    detail: ahead,
    via: 'blob-sidecars',
    fallback: { from, sources: [...new Set(ordered.map(({ source }) => source))] },
    confidence: confidenceOf({
      ...{ samples: 0, missing: 0, maxError: verdict === 'available' ? 0 : 1 },
      endpoints: ordered.map(({ source }) => source),
      ...{ contested: [], target: 0, kzg: links.kzg },
    }),
    columns: [],
    endpoints,
    links,
    commitments: told?.commitments ?? ordered.map(({ commitment }) => commitment),
    payload: null,
    blobs:
      reconstruct && verdict === 'available'
        ? ordered.map(({ index, blob, commitment }) => ({ index, blob, commitment }))
        : null,
  }
}

function conclude(
  { header, parts, proven }: SampleContext,
  requests: SidecarRequests,
  verified: number,
  count: number | null,
  committed: number | null,
): [SampleVerdict, SampleReason] {
  if (committed !== null && proven !== null && committed !== proven) return ['unavailable', 'count-mismatch']
  if (count !== null && verified === count) return ['available', 'complete']
  const lacking = Array.from({ length: count ?? 1 }, (_, at) => at).filter((at) =>
    requests.attemptsOf(at).attempts.every(({ outcome }) => outcome !== 'verified'),
  )
  const isDenied = lacking.some((at) => requests.isDenied(at))
  const missing = new Set(lacking.map((at) => requests.attemptsOf(at).missing))
  if (missing.has('crashed')) return ['unknown', 'crashed']
  if (!missing.has('false') && !missing.has('not-delivered'))
    return ['unknown', verified > 0 ? 'not-all-answered' : 'unreachable']
  if (count === null) return ['unknown', 'may-have-no-blobs']
  if (parts.schedule.isExpired(header.slot, parts.now())) return ['unknown', 'expired']
  if (!isDenied) return ['unknown', 'not-all-answered']
  return ['unavailable', 'columns-missing']
}
