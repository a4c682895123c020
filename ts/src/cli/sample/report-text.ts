/** Reports in lines for people. What is said is no stronger than what was shown. */
import { COLUMNS } from '../../beacon/constants.ts'
import type {
  ColumnOutcome,
  Confidence,
  EndpointShare,
  MissingReason,
  NotVerified,
  PayloadReport,
  SampleFallback,
  SampleReason,
  SampleReport,
  SampleVia,
  SlotCounters,
  SlotReport,
} from '../../sampler/index.ts'
import { printable } from '../../util/printable.ts'
import type { Styled, Style } from '../terminal/output.ts'
import { counted, duration, grouped, linksInWords, oneIn, raised, size } from '../terminal/words.ts'

const verdicts: Readonly<Record<SampleReport['verdict'], string>> = {
  available: 'available',
  unavailable: 'unavailable',
  'payload-not-revealed': 'payload not revealed',
  'no-blobs': 'no blobs',
  'no-block': 'no block',
  unknown: 'unknown',
}

const reasons: Readonly<Record<SampleReason, string>> = {
  sampled: 'the sample is complete',
  reconstructible: 'half of all columns or more were verified, from which the whole follows',
  complete: 'all blobs were verified, whole',
  'columns-missing':
    'columns of the sample are missing (most nodes keep few of the 128: ask one that keeps all)',
  'count-mismatch': 'the block commits to another number of blobs than its proven blob gas says',
  'payload-not-revealed':
    'the next block builds on an older payload, so that this one’s is no part of the chain',
  'proven-empty': 'by its header, or by the block itself, it has none',
  'before-deneb': 'there were no blobs yet',
  'empty-slot': 'nobody proposed a block in that slot',
  'no-header': 'it cannot be told which block that is',
  unreachable: 'no endpoint gave an answer',
  'not-all-answered': 'columns are missing, and not every endpoint gave a complete answer about them',
  'may-have-no-blobs': 'nothing was delivered, and whether there is anything is not proven',
  'may-have-no-payload':
    'columns are missing, and whether the payload was revealed is not known before the next block',
  'no-commitments': 'no endpoint gave the block, which says what its columns are of',
  expired: 'it is so old that nodes need not have its columns any more',
  crashed: 'our own workers crashed: try again',
  'unsupported-fork': 'it is of a fork that this version, or the network’s config, does not know',
}

const gaps: Readonly<Record<NotVerified, string>> = {
  kzg: 'the data’s commitment (KZG)',
  header: 'the block’s place in the chain',
  'sync-committee': 'a sync committee’s signature',
  checkpoint: 'the way from a checkpoint',
  'proposer-signature': 'its proposer’s signature',
  'blob-count': 'the number of blobs against the execution header’s blob gas',
  'columns-not-sampled': 'the columns that were not chosen',
  'independence-of-endpoints': 'that others can get what an endpoint showed',
}

/** Why a column is missing. */
export const missingInWords: Readonly<Record<MissingReason, string>> = {
  false: 'what was delivered is false',
  'not-delivered': 'not delivered by anybody',
  unreachable: 'nobody answered',
  crashed: 'our own workers crashed',
}

/** For example `available: the sample is complete`. */
function verdictInWords({ verdict, reason }: SampleReport): string {
  return `${verdicts[verdict]}: ${reasons[reason]}`
}

/** What nobody checked, in one line; null where there is nothing of that kind. */
function gapsInWords({ notVerified, columns, links, payload }: SampleReport): string | null {
  const left = COLUMNS - columns.length
  // What is on trust is said to be.
  const named = notVerified.filter((gap) => !(gap in links) || links[gap as keyof typeof links] === 'absent')
  if (named.length === 0) return null
  const words = named.map((gap) => {
    if (gap === 'columns-not-sampled') return `${left} of 128 columns`
    // Of Gloas it is the bid that says it, in the block that the header is of.
    return gap === 'blob-count' && payload !== null
      ? 'the number of blobs by a header that is proven'
      : gaps[gap]
  })
  return `not verified: ${words.join('; ')}`
}

/** `1 − 2⁻³⁰ (1 in 1,073,741,824)` of the probability of an error, rounded to the careful side. */
export function errorInFigures(maxError: number): string {
  if (maxError <= 0) return 'certain'
  return maxError >= 0.5 ? 'none' : `1 − 2⁻${raised(Math.floor(-Math.log2(maxError)))} (${oneIn(maxError)})`
}

/** Of a confidence that was reached. */
export function confidenceInFigures({ maxError, certain }: Confidence): string {
  // 0 without `certain` is a probability too small for a double.
  return errorInFigures(certain ? 0 : Math.max(maxError, Number.MIN_VALUE))
}

/** How the assumption begins where there is none. */
const NONE = 'none: '

/** The figures with what they rest on; never without. */
export function confidenceInWords(confidence: Confidence): string {
  const figures = confidenceInFigures(confidence)
  if (figures === 'none') return 'confidence: none, since nothing was shown'
  const { assumption, certain, maxErrorIfOneLies, servers } = confidence
  if (certain)
    return assumption.startsWith(NONE)
      ? `confidence: ${figures}, without assumptions: ${assumption.slice(NONE.length)}`
      : `confidence: ${figures}, if ${assumption}`
  const ifOneLies =
    servers < 2
      ? ''
      : `. Should one server show this client alone what it has: ${errorInFigures(maxErrorIfOneLies)}`
  return `confidence: ${figures}, if ${assumption}${ifOneLies}`
}

/** The confidence in a few words. */
export function confidenceInShort(confidence: Confidence): string {
  const figures = confidenceInFigures(confidence).replace(/ \(.*/, '')
  const { certain, contested, independent, servers } = confidence
  if (certain) return servers === 1 ? `${figures}: this server has them` : figures
  if (figures === 'none') return figures
  if (independent) return `${figures}, whichever server lies`
  if (servers < 2 || contested.length > 0)
    return `${figures}: ${servers < 2 ? 'this' : 'one'} server has them`
  return `${figures} if no server hides from others what it shows`
}

const styles: Readonly<Record<SlotReport['outcome'], Style>> = {
  available: 'green',
  'no-blobs': 'green',
  'no-block': 'dim',
  'payload-not-revealed': 'dim',
  unavailable: 'red',
  unknown: 'yellow',
  missed: 'yellow',
}

/** The label at the end of what it belongs to. */
export function labelled(label: string | null): string {
  return label === null ? '' : ` [${label}]`
}

/** A block's report; `label` is what is taken on trust. */
export function reportLines(report: SampleReport, label: string | null, styled: Styled): string[] {
  const { verdict, block, confidence, links, timings, bytes, via, blobCount, fallback, payload } = report
  const where = block === null ? `block ${printable(String(report.id))}` : `slot ${block.slot}`
  const lines = [`${where}${labelled(label)}: ${styled(styles[verdict], verdictInWords(report))}`]
  if (report.detail !== null) lines.push(`  ${printable(report.detail)}`)
  if (block !== null) lines.push(`  root ${block.root}`)
  if (blobCount.count !== null) {
    const by = payload === null ? countInWords[blobCount.by] : 'by the bid in the block'
    lines.push(`  ${counted(blobCount.count, 'blob')}, ${by}`)
  }
  if (payload !== null && payload.child !== null)
    lines.push(`  payload ${payload.blockHash}: ${payloadInWords(payload)}`)
  if (confidence.samples > 0) {
    const verified = confidence.samples - confidence.missing
    const by = verified > 0 ? `, by ${counted(confidence.servers, 'server')}` : ''
    lines.push(`  ${verified} of ${counted(confidence.samples, 'chosen column')} verified${by}`)
  }
  // Of what was found to be there: of anything else it would be read as a promise.
  if (verdict === 'available') lines.push(`  ${styled('bold', confidenceInWords(confidence))}`)
  if (fallback !== null) lines.push(`  by a fallback: ${printable(fallbackInWords(via, fallback))}`)
  lines.push(...missingLines(report.columns, styled))
  // A file is asked without a request: it is told of where something was wrong with it.
  const asked = report.endpoints.filter(({ requests, failures }) => requests + failures.length > 0)
  // Of a fallback, too, the shares are about the columns that were asked for before.
  const item = via === 'blob-sidecars' && report.columns.length === 0 ? 'blob' : 'column'
  lines.push(...asked.map((share) => shareLine(share, item, timings.fetchMs)))
  if (verdict === 'available' || verdict === 'no-blobs' || verdict === 'payload-not-revealed') {
    for (const sentence of linksInWords(links)) if (!sentence.startsWith('not ')) lines.push(`  ${sentence}`)
    const gaps = verdict === 'payload-not-revealed' ? null : gapsInWords(report)
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
  styled: Styled,
): string {
  const which = lastSlot > slot ? `slots ${slot} to ${lastSlot}` : `slot ${slot}`
  const head = `${which}${again ? ', again' : ''}${labelled(label)}: ${styled(styles[outcome], outcome)}`
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
    payloadNotRevealed: 'without their payload',
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

/** For example `revealed: the block in slot 7 builds on it`. */
function payloadInWords({ status, child }: PayloadReport): string {
  const where = `the block in slot ${child?.slot}`
  return status === 'full'
    ? `revealed: ${where} builds on it`
    : `not revealed: ${where} builds on ${child?.parentBlockHash}`
}

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
function missingLines(columns: readonly ColumnOutcome[], styled: Styled): string[] {
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
    return `  ${styled('red', what)}: ${printable(key.slice(2).replace(/: $/, ''))}`
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
