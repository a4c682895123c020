/** One block, from its name to a report. */
import { withDeadline } from '../util/deadline.ts'
import type { Links } from '../verdict/verdict.ts'
import type { SampleContext, SamplerParts } from './context.ts'
import { sampleColumns } from './columns.ts'
import { type Finding, unsampled } from './finding.ts'
import { sampleGloas } from './gloas.ts'
import { fallBack } from './whole/fallbacks.ts'
import { isProven, provenBlobs, refuseNonHeader, resolveInTime } from '../block-data/header.ts'
import type { Resolution, SampledHeader } from '../block-data/options.ts'
import { COLUMNS } from '../beacon/constants.ts'
import type { Plan } from './plan.ts'
import type { BlockId } from '../block-data/report.ts'
import type { Confidence, NotVerified, SampleEvent, SampleReport } from './report.ts'
import { BlockOnce } from './block-once.ts'
import { wholeSidecars } from './whole/sidecars.ts'

/** What is to be sampled, from options that were read. */
export interface BlockCall {
  readonly id: BlockId
  /** The block's header, where it is known already; else it is looked up by `id`. */
  readonly header?: SampledHeader
  readonly plan: Plan
  readonly deadlineMs: number
  readonly reconstruct: boolean
  readonly signal: AbortSignal | undefined
  readonly notify: (event: SampleEvent) => void
  /** Is told the header, once there is one. */
  readonly onHeader?: (header: SampledHeader) => void
}

/**
 * Samples one block: finds its header, then its data in the form that its slot decides, then what a report says of that. Rejects
 * with the signal's reason, and with what the source of headers or the verifier throws.
 */
export async function sampleBlock(parts: SamplerParts, call: BlockCall): Promise<SampleReport> {
  const { id, header: known, plan, deadlineMs, reconstruct, signal, notify, onHeader } = call
  const began = performance.now()
  const { until, release } = withDeadline(signal, deadlineMs)
  try {
    const resolution: Resolution =
      known === undefined
        ? await resolveInTime(parts, id, { signal, until, ms: deadlineMs })
        : { status: 'found', header: known }
    signal?.throwIfAborted()
    if (resolution.status === 'found') refuseNonHeader(resolution.header, parts.network)
    const headerMs = performance.now() - began
    const timings = { fetchMs: 0, verifyMs: 0 }
    const header = resolution.status === 'found' ? resolution.header : null
    if (header !== null) onHeader?.(header)
    const proven = header && provenBlobs(header)
    const finding =
      header === null
        ? withoutHeader(parts, resolution)
        : await find({
            ...{ parts, plan, header, block: null, proven, signal, until, reconstruct, notify, timings },
            ...{ blockOnce: new BlockOnce(), endsAt: began + deadlineMs },
          })
    signal?.throwIfAborted()
    const { confidence, columns } = finding
    const blobCount = blobCountOf(header, proven, finding)
    const report: SampleReport = {
      id,
      block: header && { slot: header.slot, root: header.root },
      ...finding,
      notVerified: notVerified(finding.links, blobCount.by, confidence, columns.length),
      blobCount,
      timings: { headerMs, ...timings, totalMs: performance.now() - began },
      bytes: finding.endpoints.reduce((sum, { bytes }) => sum + bytes, 0),
    }
    notify({ kind: 'done', report })
    return report
  } finally {
    release()
  }
}

/** The finding where there is no block in a slot, or where it is not known which block is meant. */
function withoutHeader(parts: SamplerParts, resolution: Resolution): Finding {
  return resolution.status === 'unknown'
    ? unsampled(parts, 'unknown', 'no-header', { detail: resolution.detail })
    : unsampled(parts, 'no-block', 'empty-slot')
}

/** Finds out whether a block's data is there, in the form that its slot decides, with the fallbacks that were asked for. */
async function find(context: SampleContext): Promise<Finding> {
  const { header, notify, parts, proven } = context
  const { root, slot } = header
  const form = parts.schedule.form(slot)
  if (form === 'bid-columns') return await sampleGloas(context)
  notify({ kind: 'block', slot, root, blobs: proven })
  if (form === 'unsupported') {
    const detail = `of a fork that began with epoch ${parts.schedule.unsupportedEpoch}`
    return unsampled(parts, 'unknown', 'unsupported-fork', { detail })
  }
  // The one proof that there is nothing: what endpoints say of it is not asked for.
  if (proven === 0) return unsampled(parts, 'no-blobs', 'proven-empty')
  if (form === 'none')
    return isProven(header)
      ? unsampled(parts, 'no-blobs', 'before-deneb')
      : unsampled(parts, 'unknown', 'may-have-no-blobs')
  // More than the network's schedule knows of: ours is an old one, and nobody else is at fault.
  if (proven !== null && proven > parts.schedule.maxBlobs(slot))
    return unsampled(parts, 'unknown', 'unsupported-fork')
  const finding = form === 'blobs' ? await wholeSidecars(context) : await sampleColumns(context)
  return await fallBack(finding, context)
}

/** How many blobs a block has, and how that is known. `proven`: by its execution header. */
function blobCountOf(
  header: SampledHeader | null,
  proven: number | null,
  { commitments, payload, reason }: Finding,
): SampleReport['blobCount'] {
  if (proven !== null) return { count: proven, by: 'proven' }
  const count = commitments.length
  // Of Gloas the whole list is known, and is in the block that the header is of.
  if (header !== null && payload !== null) return { count, by: isProven(header) ? 'proven' : 'committed' }
  // Before Gloas the block was asked for where nothing else told that it has none.
  return count > 0 || reason === 'proven-empty' ? { count, by: 'committed' } : { count: null, by: 'unproven' }
}

/** What nobody checked, of all that a reader of the report might take for checked. */
function notVerified(
  links: Links,
  blobCountBy: SampleReport['blobCount']['by'],
  { certain, independent }: Confidence,
  sampled: number,
): NotVerified[] {
  const said: [NotVerified, boolean][] = [
    // Of what nobody delivered there is nothing to verify.
    ['kzg', links.kzg === 'trusted'],
    ['header', links.header !== 'verified'],
    ['sync-committee', links['sync-committee'] !== 'verified'],
    ['checkpoint', links.checkpoint !== 'verified'],
    ['proposer-signature', links.signature !== 'verified'],
    ['blob-count', blobCountBy !== 'proven'],
    ['columns-not-sampled', !certain && sampled < COLUMNS],
    ['independence-of-endpoints', !independent],
  ]
  return said.filter(([, isSo]) => isSo).map(([name]) => name)
}
