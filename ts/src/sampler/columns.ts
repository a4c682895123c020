/**
 * Sampling of columns. The sample is drawn first, and fixed: a column that nobody delivers is missing, whatever the excuse, and is
 * never drawn anew. More are added by the table for the number that is missing, and only from those not yet chosen. A sample that fails accuses
 * nobody who can rebuild the block: before that is said, columns beyond it are asked for, which change nothing about its bound.
 */
import { inCommon } from '../verdict/links.ts'
import type { Links } from '../verdict/verdict.ts'
import { refuseOtherSlot } from '../block-data/header.ts'
import { dataColumns } from '../block-data/requests/sidecars.ts'
import { blockLinks } from '../block-data/proven-block.ts'
import type { SampleContext } from './context.ts'
import { type Finding, unsampled } from './finding.ts'
import { commitmentsOf, rebuildBlobs, slotIn } from '../block-data/sidecar-bytes.ts'
import { confidenceOf, serverOf } from './confidence.ts'
import { drawColumns } from './plan.ts'
import { sidecarRequests, fetchVerified } from '../block-data/verify.ts'
import type { EndpointShare } from '../block-data/report.ts'
import { COLUMNS, COLUMNS_TO_REBUILD } from '../beacon/constants.ts'
import type { ColumnOutcome, SampleReason, SampleVerdict } from './report.ts'
import { toldByBlock } from './told-by-block.ts'
import { FallbackTally } from './whole/tally.ts'

/** The most columns that may be missing of a block that can be rebuilt. */
const MOST_MISSING = COLUMNS - COLUMNS_TO_REBUILD
/** Beyond the sample, so few columns are not asked for in a question of their own. */
const LEAST_AT_ONCE = 16

/** A verified column. */
interface Kept {
  readonly source: string
  readonly links: Links
  /** Its SSZ, where the blobs are to be rebuilt. */
  readonly ssz: Uint8Array | null
}

/**
 * Draws columns by the plan, requests and verifies them, and concludes. Rejects with the signal's reason, with what the verifier throws, and
 * with a `TypeError` for a header whose slot is found not to be that of its block.
 */
export async function sampleColumns(context: SampleContext): Promise<Finding> {
  const { block, header, parts, plan, signal, until, reconstruct, notify } = context
  const requests = sidecarRequests(dataColumns, context)
  /** The sample, in the order drawn; then what is asked for beyond it. */
  const drawn: number[] = []
  const kept = new Map<number, Kept>()
  // A column of Gloas brings no commitments: its block does, which is here already.
  let commitments: readonly string[] = block?.commitments ?? []

  const first = plan.sizes[0] ?? COLUMNS
  const outcomeOf = (index: number): ColumnOutcome => {
    const attempts = requests.attemptsOf(index)
    const source = kept.get(index)?.source ?? null
    return {
      index,
      added: drawn.indexOf(index) >= first,
      status: source === null ? 'missing' : 'verified',
      reason: source === null ? attempts.missing : null,
      source,
      attempts: [...attempts.attempts],
    }
  }

  const draw = async (count: number): Promise<void> => {
    const rest = Array.from({ length: COLUMNS }, (_, at) => at).filter((index) => !drawn.includes(index))
    const chosen = drawColumns(count, rest, parts.random)
    notify({ kind: 'chosen', columns: chosen, added: drawn.length > 0 })
    drawn.push(...chosen)
    await fetchVerified(requests, chosen, context, ({ index, source, ssz, links }) => {
      refuseOtherSlot(header, slotIn(ssz))
      // The same for all: each is tied to the one header by its branch.
      if (kept.size === 0 && block === null) commitments = commitmentsOf(ssz)
      // A copy, so that the rest of the answer can go.
      kept.set(index, { source, links, ssz: reconstruct ? new Uint8Array(ssz) : null })
      notify({ kind: 'column', outcome: outcomeOf(index) })
    })
    for (const index of chosen) if (!kept.has(index)) notify({ kind: 'column', outcome: outcomeOf(index) })
  }

  /** The stage of the plan that was reached: how many are missing there. */
  let missing = 0
  let isEnough = false
  for (let size = first; ; size = plan.sizes[missing] ?? COLUMNS) {
    await draw(size - drawn.length)
    const lacking = drawn.length - kept.size
    // As many are missing as the sample allows for, or fewer; or nothing is left to be in doubt.
    isEnough = lacking <= missing || kept.size >= COLUMNS_TO_REBUILD
    missing = lacking
    if (isEnough || missing >= plan.sizes.length || until.aborted) break
    // Nobody is there: more questions would be answered no better.
    if (kept.size === 0 && drawn.every((index) => requests.attemptsOf(index).missing === 'unreachable')) break
  }

  const samples = drawn.length
  const tally = new FallbackTally()
  const endpoints = (): EndpointShare[] => tally.addedTo(requests.tallies.map((one) => one.report()))
  const attempts = drawn.flatMap((index) => requests.attemptsOf(index).attempts)
  const told = kept.size === 0 ? await toldByBlock(context, attempts, tally) : null
  const ahead = told?.forkToCome ?? null
  if (ahead === null) requests.knowFork()
  commitments = told?.commitments ?? commitments
  // There are no columns of it, which nobody is to be told lacking.
  if (told?.commitments?.length === 0)
    return {
      ...unsampled(parts, 'no-blobs', 'proven-empty', { links: blockLinks(header) }),
      endpoints: endpoints(),
    }
  const denied = (): number => drawn.filter((index) => !kept.has(index) && requests.isDenied(index)).length
  const concluded = (most: number): [SampleVerdict, SampleReason] =>
    conclude(context, drawn.map(outcomeOf), isEnough, commitments.length, denied() > most, ahead !== null)
  let [verdict, reason] = concluded(plan.sizes.length - 1)
  if (reason === 'columns-missing') {
    // The sample failed; but those who lack so much of it may have half of all columns together. Until either is known, or nobody tells more.
    for (let known = -1; known < kept.size + denied() && drawn.length < COLUMNS && !until.aborted;) {
      known = kept.size + denied()
      const open = Math.min(COLUMNS_TO_REBUILD - kept.size, MOST_MISSING + 1 - denied())
      if (open <= 0) break
      await draw(Math.max(open, LEAST_AT_ONCE))
    }
    isEnough = kept.size >= COLUMNS_TO_REBUILD
    ;[verdict, reason] = concluded(MOST_MISSING)
  }
  const isAvailable = verdict === 'available'
  const links =
    kept.size > 0 || commitments.length === 0
      ? inCommon(Array.from(kept.values(), (one) => one.links))
      : blockLinks(header)
  // Nobody is asked for what is there: one server alone delivered it.
  const contested = Array.from(kept).flatMap(([index, { source }]) =>
    requests.attemptsOf(index).lackedBy.some((name) => serverOf(name) !== serverOf(source)) ? [index] : [],
  )
  return {
    verdict,
    reason,
    detail: reason === 'unsupported-fork' ? ahead : null,
    via: 'data-columns',
    fallback: null,
    confidence: confidenceOf({
      samples,
      missing,
      maxError: !isAvailable ? 1 : kept.size >= COLUMNS_TO_REBUILD ? 0 : (plan.errors[missing] ?? 1),
      endpoints: [...kept.values()].map(({ source }) => source),
      contested,
      target: plan.maxError,
      kzg: links.kzg,
    }),
    columns: drawn.map(outcomeOf),
    endpoints: endpoints(),
    links,
    commitments,
    payload: null,
    blobs:
      reconstruct && isAvailable && kept.size >= COLUMNS_TO_REBUILD
        ? await rebuildBlobs(
            parts.pool,
            Array.from(kept, ([index, { ssz }]) => ({ index, ssz: ssz ?? new Uint8Array(0) })),
            commitments.map((commitment, index) => ({ index, commitment })),
            signal,
          )
        : null,
  }
}

/**
 * The verdict of a sample. `unavailable` accuses: it needs a block that has blobs, and so many columns that everyone denied that
 * it is `isBeyondHelp`, whatever those say who did not answer.
 */
function conclude(
  { header, parts, proven }: SampleContext,
  columns: readonly ColumnOutcome[],
  isEnough: boolean,
  committed: number,
  isBeyondHelp: boolean,
  isToCome: boolean,
): [SampleVerdict, SampleReason] {
  const verified = columns.filter(({ status }) => status === 'verified').length
  // Verified columns say how many commitments there are, and the execution header how many were paid for.
  if (verified > 0 && proven !== null && proven !== committed) return ['unavailable', 'count-mismatch']
  if (isEnough) return ['available', verified >= COLUMNS_TO_REBUILD ? 'reconstructible' : 'sampled']
  const missing = new Set(columns.map(({ reason }) => reason))
  if (missing.has('crashed')) return ['unknown', 'crashed']
  if (isToCome) return ['unknown', 'unsupported-fork']
  if (!missing.has('false') && !missing.has('not-delivered')) return ['unknown', 'unreachable']
  if (proven === null && committed === 0) return ['unknown', 'may-have-no-blobs']
  if (parts.schedule.isExpired(header.slot, parts.now())) return ['unknown', 'expired']
  if (!isBeyondHelp) return ['unknown', 'not-all-answered']
  return ['unavailable', 'columns-missing']
}
