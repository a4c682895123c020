/** A report as lines for people. */
import type {
  ColumnOutcome,
  EndpointShare,
  SampleFallback,
  SampleReport,
  SampleVia,
  SlotCounters,
  SlotReport,
} from '../../sampler/index.ts'
import { linksInWords } from '../links.ts'
import { counted, duration, grouped, size } from '../terminal/numbers.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { printable } from '../../util/printable.ts'
import { labelled } from './printer.ts'
import { confidenceInShort, confidenceInWords, gapsInWords, missingInWords, verdictInWords } from './words.ts'

const styles: Readonly<Record<SlotReport['outcome'], Style>> = {
  available: 'green',
  'no-blobs': 'green',
  'no-block': 'dim',
  unavailable: 'red',
  unknown: 'yellow',
  missed: 'yellow',
}

/** A block's report; `label` is what is taken on trust. */
export function reportLines(report: SampleReport, label: string | null, paint: Paint): string[] {
  const { verdict, block, confidence, links, timings, bytes, via, blobCount, fallback } = report
  const where = block === null ? `block ${printable(String(report.id))}` : `slot ${block.slot}`
  const lines = [`${where}${labelled(label)}: ${paint(styles[verdict], verdictInWords(report))}`]
  if (report.detail !== null) lines.push(`  ${printable(report.detail)}`)
  if (block !== null) lines.push(`  root ${block.root}`)
  if (blobCount.count !== null)
    lines.push(`  ${counted(blobCount.count, 'blob')}, ${countInWords[blobCount.by]}`)
  if (confidence.samples > 0) {
    const verified = confidence.samples - confidence.missing
    const by = verified > 0 ? `, by ${counted(confidence.servers, 'server')}` : ''
    lines.push(`  ${verified} of ${counted(confidence.samples, 'chosen column')} verified${by}`)
  }
  // Of what was found to be there: of anything else it would be read as a promise.
  if (verdict === 'available') lines.push(`  ${paint('bold', confidenceInWords(confidence))}`)
  if (fallback !== null) lines.push(`  by a fallback: ${printable(fallbackInWords(via, fallback))}`)
  lines.push(...missingLines(report.columns, paint))
  // A file is asked without a request: it is told of where something was wrong with it.
  const asked = report.endpoints.filter(({ requests, failures }) => requests + failures.length > 0)
  // Of a fallback, too, the shares are about the columns that were asked for before.
  const item = via === 'blob-sidecars' && report.columns.length === 0 ? 'blob' : 'column'
  lines.push(...asked.map((share) => shareLine(share, item, timings.fetchMs)))
  if (verdict === 'available' || verdict === 'no-blobs') {
    for (const sentence of linksInWords(links)) if (!sentence.startsWith('not ')) lines.push(`  ${sentence}`)
    const gaps = gapsInWords(report)
    if (gaps !== null) lines.push(`  ${gaps}`)
  }
  if (asked.length > 0)
    lines.push(
      `  ${size(bytes)} in ${duration(timings.totalMs)}: header ${duration(timings.headerMs)}, ` +
        `fetching ${duration(timings.fetchMs)}, verifying ${duration(timings.verifyMs)}`,
    )
  return lines
}

/** A slot that was followed, or a run of them, in one line. */
export function slotLine(
  { slot, lastSlot, outcome, again, report }: SlotReport,
  label: string | null,
  paint: Paint,
): string {
  const which = lastSlot > slot ? `slots ${slot} to ${lastSlot}` : `slot ${slot}`
  const head = `${which}${again ? ', again after a reorganisation' : ''}${labelled(label)}: ${paint(styles[outcome], outcome)}`
  if (report === null) return head
  const { confidence, bytes, detail, fallback, timings, reason, via } = report
  const verified = confidence.samples - confidence.missing
  const parts = [
    ...(outcome === 'available' ? [] : [detail === null ? reason : `${reason} (${printable(detail)})`]),
    ...(confidence.samples > 0 ? [`${verified}/${confidence.samples} columns`] : []),
    `${size(bytes)} in ${duration(timings.totalMs)}`,
    ...(outcome === 'available' ? [confidenceInShort(confidence)] : []),
    ...(outcome === 'available' && fallback !== null
      ? [`by a fallback: ${printable(fallbackInWords(via, fallback))}`]
      : []),
  ]
  return `${head}, ${parts.join(', ')}`
}

/** For example `12 slots: 9 available, 3 without blobs`. */
export function countersLine({ slots, ...counters }: SlotCounters): string {
  const words = {
    available: 'available',
    unavailable: 'unavailable',
    noBlobs: 'without blobs',
    noBlock: 'without a block',
    unknown: 'unknown',
    missed: 'missed',
  } as const
  const parts = (Object.keys(words) as (keyof typeof words)[])
    .filter((name) => counters[name] > 0)
    .map((name) => `${grouped(counters[name])} ${words[name]}`)
  return `${counted(slots, 'slot')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
}

const countInWords = {
  proven: 'proven by the execution header’s blob gas',
  committed: 'by the list of commitments, which belongs to the header',
  unproven: 'which nothing proves',
} as const

const viaInWords: Readonly<Record<SampleVia, string>> = {
  'data-columns': 'columns',
  'blob-sidecars': 'blob sidecars, with their proofs',
  blobs: 'whole blobs, whose commitments were computed here',
  header: 'the header',
}

/** For example `blob sidecars, with their proofs, of an archive: https://a.example`. */
function fallbackInWords(via: SampleVia, { from, sources }: SampleFallback): string {
  if (from === 'endpoints') return viaInWords[via]
  return `${viaInWords[via]}, ${from === 'archives' ? 'of an archive' : 'in files at hand'}: ${sources.join(', ')}`
}

/** Columns that are missing for the same reasons are told of together. */
function missingLines(columns: readonly ColumnOutcome[], paint: Paint): string[] {
  const groups = new Map<string, number[]>()
  for (const { index, status, reason, attempts } of columns) {
    if (status === 'verified') continue
    const told = attempts.map((attempt) => {
      const why = 'reason' in attempt ? attempt.reason : 'detail' in attempt ? attempt.detail : null
      return `${attempt.endpoint} ${attempt.outcome}${why === null ? '' : ` (${why})`}`
    })
    const sign = reason === 'false' ? '!' : '✗'
    const key = `${sign} ${missingInWords[reason ?? 'crashed']}: ${told.join('; ')}`
    groups.set(key, [...(groups.get(key) ?? []), index])
  }
  return Array.from(groups, ([key, indices]) => {
    const list = indices.sort((a, b) => a - b).join(', ')
    const what = `${key.slice(0, 1)} ${counted(indices.length, 'column')} missing (${list})`
    return `  ${paint('red', what)}: ${printable(key.slice(2).replace(/: $/, ''))}`
  })
}

function shareLine(share: EndpointShare, item: string, fetchMs: number): string {
  const { endpoint, asked, verified, notDelivered, refused, failures, requests, bytes } = share
  const parts = [
    ...(asked.length > 0 ? [`${verified.length} of ${counted(asked.length, item)} verified`] : []),
    ...(notDelivered.length > 0 ? [`${notDelivered.length} not delivered`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
    ...(share.unrequested > 0 ? [`${share.unrequested} that nobody asked for`] : []),
    ...(share.duplicates > 0 ? [counted(share.duplicates, 'duplicate')] : []),
    ...(requests > 0 ? [counted(requests, 'request')] : []),
    ...(bytes > 0 && fetchMs > 0 ? [`${size(bytes)}, ${size((bytes / fetchMs) * 1_000)}/s`] : []),
    ...failures
      .slice(-1)
      .map(({ kind, detail }) => `${counted(failures.length, 'failure')}, last: ${kind} (${detail})`),
  ]
  return `  ${printable(`${endpoint}: ${parts.join(', ')}`)}`
}
