/** One call of `get`, from a query to a result. */
import { refuseNonHeader, resolveInTime } from '../block-data/header.ts'
import type { BlockId } from '../block-data/report.ts'
import { withDeadline } from '../util/deadline.ts'
import { answerFrom } from './answer.ts'
import { noneOf } from './conclude.ts'
import type { Call, SourceParts } from './context.ts'
import type { ReadCall, ReadQuery } from './query.ts'
import type { BlobsProgress } from './options.ts'
import type { BlobsResult } from './result.ts'
import type { Selection } from './search.ts'
import { Shares } from './shares.ts'
import { type Start, startAtTarget, startWithout } from './start.ts'
import { startFromExecution } from './from-execution.ts'

/** Rejects with the signal's reason, and with what the source of headers or the verifier throws. */
export async function getBlobs(
  parts: SourceParts,
  { anchor, query, signal, deadlineMs }: Omit<ReadCall, 'onProgress'>,
  notify: (progress: BlobsProgress) => void,
): Promise<BlobsResult> {
  const beganAt = performance.now()
  const { until, release } = withDeadline(signal, deadlineMs)
  const shares = new Shares(until)
  const call: Call = {
    ...{ parts, signal, until, beganAt, shares, notify },
    endsAt: beganAt + deadlineMs,
  }
  for (const { name } of parts.endpoints.all) shares.of('beacon', name)
  for (const { name } of parts.archives?.all ?? []) shares.of('archive', name)
  try {
    const begun = await start(call, query, anchor, deadlineMs)
    return await firstAnswer(call, begun, selectionOf(query))
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    release()
  }
}

/** Which blobs a query names. */
function selectionOf(query: ReadQuery): Selection {
  return ('hashes' in query ? query.hashes : null) ?? 'all'
}

/** Finds out which block is meant. */
async function start(
  call: Call,
  query: ReadQuery,
  anchor: ReadCall['anchor'],
  deadlineMs: number,
): Promise<Start> {
  const { execution } = call.parts
  switch (query.kind) {
    case 'hashes':
      return startAtTarget({ selection: query.hashes, header: null, name: null, slot: null })
    case 'target':
      return startAtTarget(query.target)
    case 'block':
      return await startFromBlock(call, query.id, selectionOf(query), deadlineMs)
    default: {
      if (execution === null) throw new TypeError('transaction and blockHash need the option execution')
      const begun = await startFromExecution(call, execution, query, anchor)
      if (begun.target !== null) call.notify({ stage: 'header', done: 1, total: 1 })
      return begun
    }
  }
}

async function startFromBlock(
  call: Call,
  id: BlockId,
  selection: Selection,
  deadlineMs: number,
): Promise<Start> {
  const { parts, signal, until } = call
  const resolution = await resolveInTime(parts, id, { signal, until, ms: deadlineMs })
  signal?.throwIfAborted()
  if (resolution.status === 'no-block') {
    const what = `${typeof id === 'number' ? 'slot' : 'root'} ${id} has no block`
    return startWithout({ verdict: 'none', reason: 'empty-slot', detail: noneOf(selection, what) })
  }
  if (resolution.status !== 'found')
    return startWithout({ verdict: 'unknown', reason: 'no-header', detail: resolution.detail })
  const { header } = resolution
  refuseNonHeader(header, parts.network)
  call.notify({ stage: 'header', done: 1, total: 1 })
  return startAtTarget({ selection, header, name: header.root, slot: header.slot })
}

/**
 * Tries the blocks that may be the one that is meant, in order, each with its share of the time that is left, and returns the first result that is not
 * `unknown`. Where all are, a result of a block that may be of the chain is better than one of a block that is not.
 */
async function firstAnswer(
  call: Call,
  { others = [], ...begun }: Start,
  named: Selection,
): Promise<BlobsResult> {
  const answerAt = (one: Start, after: number): Promise<BlobsResult> => {
    const shareMs = after === 0 ? null : (call.endsAt - performance.now()) / (after + 1)
    return answerFrom(call, one, named, shareMs)
  }
  let best = await answerAt(begun, others.length)
  for (const [at, other] of others.entries()) {
    if (best.verdict !== 'unknown' || call.until.aborted) break
    const next = await answerAt(other, others.length - 1 - at)
    const isBetter =
      next.verdict !== 'unknown' || (best.reason === 'not-of-the-chain' && next.reason !== 'not-of-the-chain')
    // The report is that of the whole call.
    best = isBetter ? next : { ...best, report: next.report }
  }
  return best
}
