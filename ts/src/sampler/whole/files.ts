/**
 * Sidecars that the caller has at hand, in the place of those that nobody delivered: held against the same header, by the same
 * verifier. What is of another block is refused, as everything else is that is not this block's.
 */
import { formOf } from '../../beacon/request.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import { isBytes } from '../../util/bytes.ts'
import { dataColumnSidecar, isGloasColumn } from '../../beacon/ssz/layout.ts'
import type { Links } from '../../verdict/verdict.ts'
import {
  blobSidecars,
  dataColumns,
  type Entries,
  type Entry,
  type SidecarKind,
  splitAnswer,
} from '../requests/sidecars.ts'
import { blobParts, commitmentsOf, rebuildBlobs } from '../sidecar-bytes.ts'
import type { SampleContext } from '../context.ts'
import type { Finding } from '../finding.ts'
import { confidenceOf } from '../confidence.ts'
import { FallbackTally } from '../requests/tally.ts'
import { verifySidecars } from '../verify.ts'
import { ENOUGH } from '../odds.ts'
import type { SidecarFile } from '../options.ts'
import type { RebuiltBlob } from '../report.ts'

/** A sidecar of a file that belongs to the block. */
interface Held {
  readonly index: number
  readonly ssz: Uint8Array
  readonly source: string
  readonly links: Links
}

type Kind = SidecarFile['kind']

const kinds: Readonly<Record<Kind, SidecarKind>> = {
  'blob-sidecars': blobSidecars,
  'data-column-sidecars': dataColumns,
}

/** The option `fallbacks.files`, read. Throws `TypeError` for what is none. */
export function readFiles(files: readonly SidecarFile[]): readonly SidecarFile[] {
  if (!Array.isArray(files)) throw new TypeError('fallbacks.files must be an array')
  return (files as readonly (Partial<SidecarFile> | null)[]).map((file, at) => {
    const { name, kind, bytes } = file ?? {}
    if (typeof name !== 'string' || kind === undefined || !Object.hasOwn(kinds, kind) || !isBytes(bytes))
      throw new TypeError(`fallbacks.files[${at}] must have a name, a kind and bytes`)
    return { name, kind, bytes }
  })
}

/** What files make of a finding in which data is missing: all of the data, or what it was. Rejects with the signal's reason. */
export async function completeWithFiles(finding: Finding, context: SampleContext): Promise<Finding> {
  const { parts, signal, timings } = context
  const tally = new FallbackTally()
  const held: Record<Kind, Map<number, Held>> = {
    'blob-sidecars': new Map(),
    'data-column-sidecars': new Map(),
  }
  const began = performance.now()
  for (const file of parts.fallbacks.files) {
    signal?.throwIfAborted()
    for (const one of await valid(file, context, tally)) held[file.kind].set(one.index, one)
  }
  timings.verifyMs += performance.now() - began
  const whole =
    ofBlobs([...held['blob-sidecars'].values()], context) ??
    (await ofColumns([...held['data-column-sidecars'].values()], context))
  const endpoints = tally.addedTo(finding.endpoints)
  if (whole === null) return { ...finding, endpoints }
  const { samples, missing } = finding.confidence
  return {
    ...finding,
    ...{ verdict: 'available', detail: null, ...whole.data, endpoints },
    fallback: { from: 'files', sources: [...new Set(whole.from.map(({ source }) => source))] },
    links: whole.from[0]?.links ?? finding.links,
    // No server showed anything: that the data is here is all that is shown.
    confidence: confidenceOf({ samples, missing, maxError: 0, endpoints: [], contested: [], target: 0 }),
  }
}

/** Those of a file that belong to the block. What is false, or cannot be read, is told of as the file's. */
async function valid(file: SidecarFile, context: SampleContext, tally: FallbackTally): Promise<Held[]> {
  const { header, parts, signal } = context
  const kind = kinds[file.kind]
  let entries: readonly Entry[]
  try {
    const read = await entriesOf(file, context)
    entries = read.entries
    if (read.incomplete !== null) tally.of(file.name).fail(read.incomplete)
  } catch (error) {
    if (!(error instanceof BeaconFailure)) throw error
    tally.of(file.name).fail(error)
    return []
  }
  const items = entries.map(({ sidecar }) => ({ sidecar, source: file.name }))
  const verdicts = await verifySidecars(kind, items, context)
  return entries.flatMap(({ index, sidecar }, at) => {
    const verdict = verdicts[at]
    if (verdict?.status === 'valid' && index !== null && sidecar instanceof Uint8Array)
      return [{ index, ssz: sidecar, source: file.name, links: verdict.links }]
    const reason = verdict !== undefined && 'reason' in verdict ? verdict.reason : 'not verified'
    const failure = verdict?.status === 'error' ? 'crashed' : 'invalid'
    tally
      .of(file.name)
      .fail({ kind: failure, message: `${kind.delivery} ${index ?? 'without an index'}: ${reason}` })
    return []
  })
}

async function entriesOf({ bytes, kind }: SidecarFile, { header, parts }: SampleContext): Promise<Entries> {
  const body = new Uint8Array(bytes)
  const form = formOf('', body)
  const list = form === 'ssz' && kind === 'data-column-sidecars' ? listOf(body) : body
  const answer = { form, version: null, body: list }
  return await splitAnswer(kinds[kind], answer, parts.schedule.maxBlobs(header.slot), parts.pool)
}

/** One column by itself, whose first list begins behind its fixed part, as a list of one. */
function listOf(ssz: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { column, end } = dataColumnSidecar
  const isOfFulu = ssz.length >= end && new DataView(ssz.buffer).getUint32(column, true) === end
  if (!isOfFulu && !isGloasColumn(ssz)) return ssz
  const list = new Uint8Array(4 + ssz.length)
  list[0] = 4
  list.set(ssz, 4)
  return list
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
  if (first === undefined || held.length < ENOUGH) return null
  const commitments = block?.commitments ?? commitmentsOf(first.ssz)
  if (proven !== null && proven !== commitments.length) return null
  return {
    data: {
      ...{ reason: 'reconstructible', via: 'data-columns' },
      commitments,
      blobs: reconstruct ? await rebuildBlobs(parts.pool, held, commitments, signal) : null,
    },
    from: held,
  }
}
