/** What comes of one block that a call may begin at: the search for its blobs, the conclusion, and the result that tells both. */
import { noLinks } from '../verdict/verdict.ts'
import { conclude, type Conclusion } from './conclude.ts'
import type { Call } from './context.ts'
import { findBlobs } from './find-blobs.ts'
import type { BlobsResult } from './result.ts'
import { Search, type Selection } from './search.ts'
import type { SearchEnd } from './search-end.ts'
import type { Start } from './start.ts'

const WAITED = 'at the deadline, a request still waited for its turn (requestsPerEndpoint)'

/**
 * Looks for the blobs of a block, unless the start says already what comes of it. `selection`: the blobs that the call asks for, where the start knows no
 * others. `shareMs`: how long the search may take until something of the block is found out; null where it has all of the time. Rejects with the
 * signal's reason, and with what the verifier throws.
 */
export async function answerFrom(
  call: Call,
  start: Start,
  selection: Selection,
  shareMs: number | null,
): Promise<BlobsResult> {
  const headerAt = performance.now()
  call.signal?.throwIfAborted()
  if (start.target === null)
    return resultOf(call, start, {
      ...{ selection, search: null, end: null, conclusion: start.conclusion, headerAt, endedAt: headerAt },
    })
  const search = new Search(call, start.target)
  const giveUp = (): void => {
    if (!search.isUnderWay) search.end()
  }
  const timer = shareMs === null ? undefined : setTimeout(giveUp, Math.max(0, shareMs))
  try {
    const [end, conclusion] = await searched(search, start.conclusion)
    const endedAt = performance.now()
    call.signal?.throwIfAborted()
    if (conclusion.reason === 'not-of-the-chain') start.refute?.()
    return resultOf(call, start, {
      ...{ selection: start.target.selection, search, end, conclusion, headerAt, endedAt },
    })
  } finally {
    clearTimeout(timer)
    search.end()
    search.release()
  }
}

/** How a search ended, which is null where it was not begun, and what is concluded. */
async function searched(search: Search, known: Conclusion | null): Promise<[SearchEnd | null, Conclusion]> {
  if (known === null) {
    const end = await findBlobs(search)
    return [end, conclude(search, end)]
  }
  const { block } = search.target
  if (block) search.learnBlock(block)
  return [null, known]
}

/** What a result is made of. */
interface Outcome {
  readonly selection: Selection
  readonly search: Search | null
  readonly end: SearchEnd | null
  readonly conclusion: Conclusion
  /** When the header was known, and when the search ended, as `performance.now()` tells the time. */
  readonly headerAt: number
  readonly endedAt: number
}

function resultOf(
  { beganAt, shares }: Call,
  { known, links }: Start,
  { selection, search, end, conclusion, headerAt, endedAt }: Outcome,
): BlobsResult {
  const { verdict, reason, detail } = conclusion
  // The search may have shown that the block is another one than what it began with.
  const isElsewhere = reason === 'not-of-the-chain'
  const header = isElsewhere ? null : (search?.target.header ?? null)
  // Of a payload that is no part of the chain nothing is handed out.
  const wanted = end?.reason === null ? (search?.wanted ?? null) : null
  if (wanted === null) shares.beginAgain()
  const sources = shares.report()
  const blockAt = end?.blockAt ?? headerAt
  return {
    ...{ verdict, reason },
    // What is certain would be so with more time, too.
    detail:
      verdict !== 'complete' && detail !== null && shares.waiting.isCutOff ? `${detail}; ${WAITED}` : detail,
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
}
