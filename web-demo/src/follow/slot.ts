/** What the ribbon says of a slot: its state, a figure where there is one, and the sentences that belong to it. */
import type { ColumnOutcome, SampleReason, SampleReport, SlotReport } from 'blobcheck/sampler'
import { integer } from '../shared/words.ts'

/** How many slots the ribbon has. */
export const RIBBON_SLOTS = 32

/**
 * `refused`: something false was sent, and the data is not shown to be there. `unavailable`: columns are missing, and nothing false was sent.
 * `unknown` and `missed`: sampling failed, or did not begin.
 */
export type SlotState =
  | 'sampling'
  | 'available'
  | 'refused'
  | 'unavailable'
  | 'not-revealed'
  | 'no-blobs'
  | 'empty'
  | 'unknown'
  | 'missed'

/** A slot of the ribbon. */
export interface FollowedSlot {
  readonly slot: number
  /** Of its block, as 0x hex; null where that is not known, or there is none. */
  readonly root: string | null
  readonly state: SlotState
  /** Two or three words, for a button: the state, or “1 in 2³⁰”. */
  readonly label: string
  /** Whole sentences. A figure of confidence is never in them without what it rests on. */
  readonly words: string
}

const reasons: Readonly<Record<SampleReason, string>> = {
  sampled: 'The whole sample was delivered and verified.',
  reconstructible: 'Half of all columns were verified, from which the rest follows.',
  complete: 'All blobs were verified, whole.',
  'columns-missing':
    'Columns of the sample are missing, and every endpoint denied them. Most nodes keep few of the 128 columns: ask one that keeps all.',
  'count-mismatch': 'The block has another number of commitments than of blobs that it paid for.',
  'payload-not-revealed':
    'The next block builds on an older payload: this one, and the blobs with it, never became part of the chain. Its columns may never have existed.',
  'proven-empty':
    'Its header, or the block itself, proves that it has no blobs; no server’s word is taken for this.',
  'before-deneb': 'There were no blobs yet.',
  'empty-slot': 'No block was proposed in this slot.',
  'no-header': 'The header of this slot could not be had.',
  unreachable: 'No endpoint gave an answer.',
  'not-all-answered': 'Columns are missing, and not every endpoint gave a complete answer about them.',
  'may-have-no-blobs': 'Nothing was delivered, and whether there is anything is not proven.',
  'may-have-no-payload':
    'Columns are missing, and it is not known yet whether the payload was revealed; the next block will show it.',
  'no-commitments': 'No endpoint gave the block, without which nothing says what its columns are of.',
  expired: 'The block is so old that nodes need not have its columns any more.',
  crashed: 'The verifier’s own workers crashed.',
  'unsupported-fork':
    'The block is of a fork that this version of blobcheck, or the network’s config, does not know.',
}

export function samplingSlot(slot: number): FollowedSlot {
  return {
    ...{ slot, root: null, state: 'sampling', label: 'sampling' },
    words: 'Columns are drawn, asked for and verified.',
  }
}

export function stoppedSlot(slot: number, root: string | null): FollowedSlot {
  return {
    ...{ slot, root, state: 'missed', label: 'stopped' },
    words: 'It was stopped before there was a verdict.',
  }
}

/** One for each slot of the report, but for those before `from`. */
export function slotsOf(
  { slot: first, lastSlot, outcome, report }: SlotReport,
  from: number,
): FollowedSlot[] {
  const begin = Math.max(first, from)
  return Array.from({ length: Math.max(0, lastSlot - begin + 1) }, (_, at) => {
    const slot = begin + at
    if (report === null && outcome === 'no-block')
      return {
        ...{ slot, root: null, state: 'empty', label: 'empty' },
        words: 'The next block shows that this slot has no block.',
      }
    if (report === null)
      return {
        ...{ slot, root: null, state: 'missed', label: 'missed' },
        words: 'It went by before it could be sampled.',
      }
    return { slot, root: report.block?.root ?? null, ...ofReport(report) }
  })
}

function ofReport(report: SampleReport): Omit<FollowedSlot, 'slot' | 'root'> {
  const { reason, detail } = report
  const why = reasons[reason] + (detail === null ? '' : ` (${detail})`)
  const refused = refusedColumns(report)
  const falseOnes = `What was sent of ${counted(refused, 'column')} is false, and was refused.`
  const isRefused = refused > 0 && (report.verdict === 'unavailable' || report.verdict === 'unknown')
  if (isRefused) {
    const words = `${falseOnes} It is not shown that the data is there. ${asked(report)}`
    return { state: 'refused', label: 'refused', words }
  }
  switch (report.verdict) {
    case 'available': {
      const words = refused === 0 ? available(report) : `${available(report)} ${falseOnes}`
      return { state: 'available', label: figureOf(report), words }
    }
    case 'no-blobs':
      return { state: 'no-blobs', label: 'no blobs', words: why }
    case 'no-block':
      return { state: 'empty', label: 'empty', words: why }
    case 'payload-not-revealed':
      return { state: 'not-revealed', label: 'no payload', words: why }
    case 'unavailable':
      return { state: 'unavailable', label: 'unavailable', words: `${why} ${asked(report)}` }
    case 'unknown':
      return reason === 'no-header'
        ? { state: 'missed', label: 'missed', words: why }
        : { state: 'unknown', label: 'not known', words: why }
  }
}

/** How many columns of the sample somebody sent, and nobody truly. */
export function refusedColumns({ columns }: SampleReport): number {
  return columns.filter(({ reason }) => reason === 'false').length
}

/** “1 in 2³⁰”: rounded to the careful side. */
function figureOf({ confidence: { bits, certain } }: SampleReport): string {
  return certain || bits === null ? 'all here' : `1 in 2${raised(Math.floor(bits))}`
}

function available(report: SampleReport): string {
  const { assumption, certain } = report.confidence
  if (certain)
    return `So much of the data is here that all of it can be rebuilt. Assumed: ${assumption}. ${asked(report)}`
  return (
    `${figureOf(report)} at most is the chance that data that is not there goes unnoticed, if this holds: ` +
    `${assumption}. ${asked(report)}`
  )
}

/** Which columns were drawn, and who delivered how many of them. */
function asked({ columns, endpoints }: SampleReport): string {
  const indices = columns.map(({ index }) => index).sort((one, other) => one - other)
  const by = endpoints
    .filter((share) => share.asked.length > 0)
    .map(
      ({ endpoint, asked, verified, refused }) =>
        `${endpoint} delivered ${verified.length} of ${asked.length}${refused.length === 0 ? '' : `, and ${refused.length} that are false`}`,
    )
  return `Asked for: ${counted(indices.length, 'column')} of 128 (${indices.join(', ')}); ${by.join(', ')}.`
}

export function counted(count: number, noun: string): string {
  return `${integer(count)} ${noun}${count === 1 ? '' : 's'}`
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function raised(value: number): string {
  return Array.from(String(value), (digit) => DIGITS[Number(digit)]).join('')
}

/** What became of a column of the sample, in a sentence or two; `ms` are from the drawing of the sample to its arrival, and on to its verdict. */
export function columnWords(
  { status, reason, source, attempts }: ColumnOutcome,
  ms: { readonly arrived: number; readonly verified: number } | null,
): string {
  if (status === 'verified')
    return `Verified here against its commitment. ${source} sent it${ms === null ? '' : `, ${Math.round(ms.arrived)} ms after it was drawn; the verdict took ${Math.round(ms.verified)} ms more`}.`
  const told = attempts.map((attempt) => {
    const why = 'reason' in attempt ? attempt.reason : 'detail' in attempt ? attempt.detail : null
    return `${attempt.endpoint}: ${attempt.outcome}${why === null ? '' : ` (${why})`}`
  })
  return `${reason === 'false' ? 'Refused' : 'Missing'}. ${told.join('; ')}.`
}
