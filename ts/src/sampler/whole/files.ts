/**
 * Sidecars that the caller has at hand, in the place of those that nobody delivered: held against the same header, by the same
 * verifier. What is of another block is refused, as everything else is that is not this block's.
 */
import { type Held, sidecarsIn } from '../../block-data/files.ts'
import { refuseOtherSlot } from '../../block-data/header.ts'
import type { SidecarFile } from '../../block-data/options.ts'
import type { RebuiltBlob } from '../../block-data/report.ts'
import { COLUMNS_TO_REBUILD } from '../../beacon/constants.ts'
import { blobParts, commitmentsOf, rebuildBlobs, slotIn } from '../../block-data/sidecar-bytes.ts'
import { inCommon } from '../../verdict/links.ts'
import type { SampleContext } from '../context.ts'
import type { Finding } from '../finding.ts'
import { confidenceOf } from '../confidence.ts'
import { FallbackTally } from './tally.ts'

/** What files make of a finding in which data is missing: all of the data, or what it was. Rejects with the signal's reason. */
export async function completeWithFiles(finding: Finding, context: SampleContext): Promise<Finding> {
  const { parts, signal, timings } = context
  const tally = new FallbackTally()
  const held: Record<SidecarFile['kind'], Map<number, Held>> = {
    'blob-sidecars': new Map(),
    'data-column-sidecars': new Map(),
  }
  const began = performance.now()
  for (const file of parts.fallbacks.files) {
    signal?.throwIfAborted()
    const { failure, refused, ...found } = await sidecarsIn(file, context)
    for (const one of found.held) {
      refuseOtherSlot(context.header, slotIn(one.ssz))
      held[file.kind].set(one.index, one)
    }
    if (failure !== null) tally.of(file.name).fail(failure)
    for (const { what, verdict } of refused)
      tally.of(file.name).fail({
        kind: verdict.status === 'error' ? 'crashed' : 'invalid',
        message: `${what}: ${verdict.reason}`,
      })
  }
  timings.verifyMs += performance.now() - began
  const whole =
    ofBlobs([...held['blob-sidecars'].values()], context) ??
    (await ofColumns([...held['data-column-sidecars'].values()], context))
  const endpoints = tally.addedTo(finding.endpoints)
  if (whole === null) return { ...finding, endpoints }
  const { samples, missing } = finding.confidence
  const links = inCommon(whole.from.map((one) => one.links))
  return {
    ...finding,
    ...{ verdict: 'available', detail: null, ...whole.data, endpoints },
    fallback: { from: 'files', sources: [...new Set(whole.from.map(({ source }) => source))] },
    links,
    // No server showed anything: that the data is here is all that is shown.
    confidence: confidenceOf({
      ...{ samples, missing, maxError: 0, endpoints: [], contested: [], target: 0 },
      kzg: links.kzg,
    }),
  }
}

interface WholeData {
  readonly data: Pick<Finding, 'reason' | 'via' | 'commitments' | 'blobs'>
  readonly from: readonly Held[]
}

/** Null unless there is each of the block's blobs. */
function ofBlobs(
  held: readonly Held[],
  { header, parts, proven, reconstruct }: SampleContext,
): WholeData | null {
  const ordered = [...held].sort((a, b) => a.index - b.index)
  const blobs = ordered.map(({ index, ssz }) => ({ index, ...blobParts(ssz) }))
  const committed = blobs[0]?.committed ?? 0
  const isWhole =
    committed > 0 && blobs.length === committed && committed <= parts.schedule.maxBlobs(header.slot)
  if (!isWhole || (proven !== null && proven !== committed)) return null
  const rebuilt = blobs.map(({ index, blob, commitment }): RebuiltBlob => ({
    index,
    blob: new Uint8Array(blob),
    commitment,
  }))
  return {
    data: {
      ...{ reason: 'complete', via: 'blob-sidecars' },
      commitments: blobs.map(({ commitment }) => commitment),
      blobs: reconstruct ? rebuilt : null,
    },
    from: ordered,
  }
}

/** Null unless there are so many columns that the rest follows. */
async function ofColumns(
  held: readonly Held[],
  { block, parts, proven, reconstruct, signal }: SampleContext,
): Promise<WholeData | null> {
  const [first] = held
  if (first === undefined || held.length < COLUMNS_TO_REBUILD) return null
  const commitments = block?.commitments ?? commitmentsOf(first.ssz)
  if (proven !== null && proven !== commitments.length) return null
  return {
    data: {
      ...{ reason: 'reconstructible', via: 'data-columns' },
      commitments,
      blobs: reconstruct
        ? await rebuildBlobs(
            parts.pool,
            held,
            commitments.map((commitment, index) => ({ index, commitment })),
            signal,
          )
        : null,
    },
    from: held,
  }
}
