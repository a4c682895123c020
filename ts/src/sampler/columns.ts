/**
 * Sampling of columns. The sample is drawn first, and fixed. More are added by the table for the number that is missing, and only from those
 * not yet chosen. A sample that fails accuses nobody who can rebuild the block: before that is said, columns beyond it are asked for, which
 * change nothing about its bound.
 */
import { COLUMNS, COLUMNS_TO_REBUILD } from '../beacon/constants.ts'
import { blockLinks } from '../block-data/proven-block.ts'
import type { EndpointShare } from '../block-data/report.ts'
import { ColumnSample } from './column-sample.ts'
import { confidenceOf } from './confidence.ts'
import type { SampleContext } from './context.ts'
import { type Finding, unsampled } from './finding.ts'
import type { SampleReason, SampleVerdict } from './report.ts'
import { toldByBlock } from './told-by-block.ts'
import { FallbackTally } from './whole/tally.ts'

/** The most columns that may be missing of a block that can be rebuilt. */
const MOST_MISSING = COLUMNS - COLUMNS_TO_REBUILD
/** Beyond the sample, so few columns are not asked for in a question of their own. */
const LEAST_AT_ONCE = 16

/**
 * Draws columns by the plan, requests and verifies them, and concludes. Rejects with the signal's reason, with what the verifier throws, and
 * with a `TypeError` for a header whose slot is found not to be that of its block.
 */
export async function sampleColumns(context: SampleContext): Promise<Finding> {
  const { header, parts, plan } = context
  const columns = new ColumnSample(context)
  const { samples, missing, isEnough } = await drawByPlan(columns, context)

  const tally = new FallbackTally()
  const told = columns.verified === 0 ? await toldByBlock(context, columns.attempts, tally) : null
  const ahead = told?.forkToCome ?? null
  if (ahead === null) columns.knowFork()
  if (told?.commitments) columns.knowCommitments(told.commitments)
  const endpoints = (): EndpointShare[] => tally.addedTo(columns.endpoints)
  // There are no columns of it, which nobody is to be told lacking.
  if (told?.commitments?.length === 0)
    return {
      ...unsampled(parts, 'no-blobs', 'proven-empty', { links: blockLinks(header) }),
      endpoints: endpoints().map((share) => ({ ...share, asked: [], notDelivered: [] })),
    }

  const isToCome = ahead !== null
  const ofSample = { isEnough, mostDenied: plan.sizes.length - 1, isToCome }
  let [verdict, reason] = conclude(context, columns, ofSample)
  if (reason === 'columns-missing') {
    await drawBeyond(columns, context)
    const ofAll = { isEnough: columns.isWhole, mostDenied: MOST_MISSING, isToCome }
    ;[verdict, reason] = conclude(context, columns, ofAll)
  }
  const isAvailable = verdict === 'available'
  const { commitments, contested, links, outcomes, sources } = columns
  return {
    verdict,
    reason,
    detail: reason === 'unsupported-fork' ? ahead : null,
    via: 'data-columns',
    fallback: null,
    confidence: confidenceOf({
      samples,
      missing,
      maxError: !isAvailable ? 1 : columns.isWhole ? 0 : (plan.errors[missing] ?? 1),
      endpoints: sources,
      contested,
      target: plan.maxError,
      kzg: links.kzg,
    }),
    columns: outcomes,
    endpoints: endpoints(),
    links,
    commitments,
    payload: null,
    blobs: isAvailable ? await columns.blobs() : null,
  }
}

/** Where drawing by the plan ended: at how many columns, how many of them are missing, and whether the sample allows for that. */
interface Drawn {
  readonly samples: number
  readonly missing: number
  readonly isEnough: boolean
}

/**
 * Draws as many columns as the plan has for the number that is missing, until no more are missing than that, or more than it has any size for,
 * or until the time is over or nobody answers.
 */
async function drawByPlan(columns: ColumnSample, { plan, until }: SampleContext): Promise<Drawn> {
  for (let allowed = 0; ;) {
    await columns.draw((plan.sizes[allowed] ?? COLUMNS) - columns.size)
    const samples = columns.size
    const missing = samples - columns.verified
    // As many are missing as the sample allows for, or fewer; or nothing is left to be in doubt.
    const isEnough = missing <= allowed || columns.isWhole
    const isBeyond = missing >= plan.sizes.length
    // Nobody is there: more questions would be answered no better.
    if (isEnough || isBeyond || until.aborted || columns.isUnreachable) return { samples, missing, isEnough }
    allowed = missing
  }
}

/**
 * Asks for columns beyond a sample that failed: those who lack so much of it may have half of all columns together. Ends where the block can be
 * rebuilt, where so many are denied that it cannot be, or where nobody tells more.
 */
async function drawBeyond(columns: ColumnSample, { until }: SampleContext): Promise<void> {
  let known = -1
  while (known < columns.verified + columns.denied && columns.size < COLUMNS && !until.aborted) {
    known = columns.verified + columns.denied
    const open = Math.min(COLUMNS_TO_REBUILD - columns.verified, MOST_MISSING + 1 - columns.denied)
    if (open <= 0) break
    await columns.draw(Math.max(open, LEAST_AT_ONCE))
  }
}

/** What of a sample decides its verdict, beside its columns. */
interface Standard {
  /** Whether no more is missing than may be. */
  readonly isEnough: boolean
  /** The most columns that everyone may deny of a block that is there. */
  readonly mostDenied: number
  /** Whether the block is of a fork that this version does not know, as far as was heard. */
  readonly isToCome: boolean
}

/**
 * The verdict of a sample. `unavailable` accuses: it needs a block that has blobs, and more columns that everyone denied than `mostDenied`,
 * whatever those say who did not answer.
 */
function conclude(
  { header, parts, proven }: SampleContext,
  { commitments, denied, outcomes, verified }: ColumnSample,
  { isEnough, mostDenied, isToCome }: Standard,
): [SampleVerdict, SampleReason] {
  const committed = commitments.length
  // Verified columns say how many commitments there are, and the execution header how many were paid for.
  if (verified > 0 && proven !== null && proven !== committed) return ['unavailable', 'count-mismatch']
  if (isEnough) return ['available', verified >= COLUMNS_TO_REBUILD ? 'reconstructible' : 'sampled']
  const missing = new Set(outcomes.map(({ reason }) => reason))
  if (missing.has('crashed')) return ['unknown', 'crashed']
  if (isToCome) return ['unknown', 'unsupported-fork']
  if (!missing.has('false') && !missing.has('not-delivered'))
    return ['unknown', verified > 0 ? 'not-all-answered' : 'unreachable']
  if (proven === null && committed === 0) return ['unknown', 'may-have-no-blobs']
  if (parts.schedule.isExpired(header.slot, parts.now())) return ['unknown', 'expired']
  if (denied <= mostDenied) return ['unknown', 'not-all-answered']
  return ['unavailable', 'columns-missing']
}
