/** Reports in words. What is said is no stronger than what was shown. */
import { COLUMNS } from '../../beacon/constants.ts'
import type {
  Confidence,
  MissingReason,
  NotVerified,
  SampleReason,
  SampleReport,
} from '../../sampler/index.ts'
import { oneIn, raised } from '../terminal/numbers.ts'

const verdicts: Readonly<Record<SampleReport['verdict'], string>> = {
  available: 'available',
  unavailable: 'unavailable',
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
  'proven-empty': 'its proven header says that it used no blob gas',
  'before-deneb': 'there were no blobs yet',
  'empty-slot': 'nobody proposed a block in that slot',
  'no-header': 'it cannot be told which block that is',
  unreachable: 'no endpoint gave an answer',
  'not-all-answered': 'columns are missing, and not every endpoint gave a complete answer about them',
  'may-have-no-blobs': 'nothing was delivered, and whether there is anything is not proven',
  expired: 'it is so old that nodes need not have its columns any more',
  crashed: 'our own workers crashed: try again',
  'unsupported-fork': 'it is of Gloas or later',
}

const gaps: Readonly<Record<NotVerified, string>> = {
  header: 'the block’s place in the chain',
  'sync-committee': 'a sync committee’s signature',
  checkpoint: 'the way from a checkpoint',
  'proposer-signature': 'its proposer’s signature',
  'blob-count': 'how many blobs the block has',
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
export function verdictInWords({ verdict, reason }: SampleReport): string {
  return `${verdicts[verdict]}: ${reasons[reason]}`
}

/** What nobody checked, in one line; null where there is nothing of that kind. */
export function gapsInWords({ notVerified, columns, links }: SampleReport): string | null {
  const left = COLUMNS - columns.length
  // What is on trust is said to be.
  const named = notVerified.filter((gap) => !(gap in links) || links[gap as keyof typeof links] === 'absent')
  if (named.length === 0) return null
  const words = named.map((gap) => (gap === 'columns-not-sampled' ? `${left} of 128 columns` : gaps[gap]))
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

/** The figures with what they rest on; never without. */
export function confidenceInWords(confidence: Confidence): string {
  const figures = confidenceInFigures(confidence)
  if (figures === 'none') return 'confidence: none, since nothing was shown'
  const { assumption, certain, maxErrorIfOneLies, servers } = confidence
  if (certain) return `confidence: ${figures}, without assumptions: ${assumption.replace(/^none: /, '')}`
  const ifOneLies =
    servers < 2
      ? ''
      : `. Should one server show this client alone what it has: ${errorInFigures(maxErrorIfOneLies)}`
  return `confidence: ${figures}, if ${assumption}${ifOneLies}`
}

/** The same in a few words. */
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
