/** One call of `get`, from a query to a result. */
import { refuseNonHeader, resolveInTime } from '../block-data/header.ts'
import { joinSignals } from '../util/signals.ts'
import { noLinks } from '../verdict/verdict.ts'
import { conclude, type Conclusion, noneOf } from './conclude.ts'
import type { Call, SourceParts } from './context.ts'
import { findBlobs } from './find-blobs.ts'
import type { ReadCall, ReadQuery } from './query.ts'
import type { BlobsProgress } from './options.ts'
import type { BlobsResult } from './result.ts'
import { Search, type Selection } from './search.ts'
import { Shares } from './shares.ts'
import { noExecution, nothingKnown, type Start } from './start.ts'
import { startFromExecution } from './from-execution.ts'

/** Rejects with the signal's reason, and with what the source of headers or the verifier throws. */
export async function getBlobs(
  parts: SourceParts,
  { anchor, query, signal, deadlineMs }: Omit<ReadCall, 'onProgress'>,
  notify: (progress: BlobsProgress) => void,
): Promise<BlobsResult> {
  const beganAt = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DOMException('the deadline', 'TimeoutError')), deadlineMs)
  const { either: until, release } = joinSignals([signal, deadline.signal])
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
    clearTimeout(timer)
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
  const { parts, signal, until } = call
  if (query.kind === 'hashes')
    return {
      target: { selection: query.hashes, header: null, name: null, slot: null },
      ...{ conclusion: null, known: nothingKnown, links: noExecution },
    }
  if (query.kind === 'target')
    return { target: query.target, conclusion: null, known: nothingKnown, links: noExecution }
  if (query.kind !== 'block') {
    if (parts.execution === null) throw new TypeError('transaction and blockHash need the option execution')
    const begun = await startFromExecution(call, parts.execution, query, anchor)
    if (begun.target !== null) call.notify({ stage: 'header', done: 1, total: 1 })
    return begun
  }
  const selection = selectionOf(query)
  const resolution = await resolveInTime(parts, query.id, { signal, until, ms: deadlineMs })
  signal?.throwIfAborted()
  if (resolution.status !== 'found') {
    const conclusion: Conclusion =
      resolution.status === 'no-block'
        ? {
            verdict: 'none',
            reason: 'empty-slot',
            detail: noneOf(
              selection,
              `${typeof query.id === 'number' ? 'slot' : 'root'} ${query.id} has no block`,
            ),
          }
        : { verdict: 'unknown', reason: 'no-header', detail: resolution.detail }
    return { target: null, conclusion, known: nothingKnown, links: noExecution }
  }
  const { header } = resolution
  refuseNonHeader(header, parts.network)
  call.notify({ stage: 'header', done: 1, total: 1 })
  return {
    target: { selection, header, name: header.root, slot: header.slot },
    ...{ conclusion: null, known: nothingKnown, links: noExecution },
  }
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
    return answer(call, one, one.target?.selection ?? named, shareMs)
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

const WAITED = 'at the deadline, a request still waited for its turn (requestsPerEndpoint)'

/** `shareMs`: how long the search may take until something is found out of the block; null where it has all of the time. */
async function answer(
  call: Call,
  { target, conclusion, known, links, refute }: Start,
  selection: Selection,
  shareMs: number | null,
): Promise<BlobsResult> {
  const { beganAt, shares, signal } = call
  const headerAt = performance.now()
  const search = target && new Search(call, target)
  const giveUp = (): void => {
    if (search?.isUnderWay === false) search.end()
  }
  const timer = shareMs === null ? undefined : setTimeout(giveUp, Math.max(0, shareMs))
  try {
    const end = search && conclusion === null ? await findBlobs(search) : null
    if (search && conclusion && target.block) search.learnBlock(target.block)
    const endedAt = performance.now()
    signal?.throwIfAborted()
    const { verdict, reason, detail } = conclusion ??
      (search && end && conclude(search, end)) ?? { verdict: 'unknown', reason: 'no-header', detail: null }
    // The search may have shown that the block is another one than what it began with.
    const isElsewhere = reason === 'not-of-the-chain'
    if (isElsewhere) refute?.()
    const header = isElsewhere ? null : (search?.target.header ?? null)
    // Of a payload that is no part of the chain nothing is handed out.
    const wanted = end?.reason === null ? (search?.wanted ?? null) : null
    if (wanted === null) shares.beginAgain()
    const sources = shares.report()
    const blockAt = end?.blockAt ?? headerAt
    return {
      ...{ verdict, reason },
      detail: verdict !== 'complete' && shares.waiting.isCutOff ? `${detail ?? reason}; ${WAITED}` : detail,
      blobs: wanted?.blobs ?? [],
      wanted: wanted?.count ?? (verdict !== 'none' ? null : selection === 'all' ? 0 : selection.length),
      block: header && {
        slot: header.slot,
        root: header.root.toLowerCase(),
        commitments: search?.commitments ?? null,
      },
      payload: end?.payload ?? null,
      ...known,
      links: {
        ...(wanted?.links ?? (header && search?.links) ?? noLinks),
        ...links,
        ...(isElsewhere && { 'execution-block': 'absent' as const }),
      },
      report: {
        sources,
        via: wanted?.via ?? [],
        timings: {
          headerMs: headerAt - beganAt,
          blockMs: blockAt - headerAt,
          blobsMs: endedAt - blockAt,
          totalMs: performance.now() - beganAt,
        },
        bytes: sources.reduce((sum, { bytes }) => sum + bytes, 0),
      },
    }
  } finally {
    clearTimeout(timer)
    search?.end()
    search?.release()
  }
}
