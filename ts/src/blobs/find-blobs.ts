/** All that is wanted of one block, in whatever form it is to be had. */
import { provenBlobs } from '../block-data/header.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { PayloadReport } from '../block-data/report.ts'
import type { DataForm } from '../block-data/schedule.ts'
import { keepInCache } from './forms/cache.ts'
import { endByBlock, endWithoutBlock, learnBlock, needsBlock } from './learn-block.ts'
import { isOpen, NOT_REVEALED } from './placement.ts'
import type { Search } from './search.ts'
import type { Ending, SearchEnd } from './search-end.ts'
import { inTurn, patience } from './steps.ts'
import { waysTo } from './ways.ts'

/** Searches until all that is wanted is here, or nothing more can be had. Rejects with the signal's reason, and with what the verifier throws. */
export async function findBlobs(search: Search): Promise<SearchEnd> {
  const { call, target } = search
  const { cache, schedule } = call.parts
  const form = target.slot === null ? 'columns' : schedule.form(target.slot)
  const early = endBySchedule(search, form)
  if (early !== null) return ended(early, performance.now())

  const block = learnBlock(search)
  await (needsBlock(search, form) ? block : Promise.race([block, patience(search)]))
  const blockAt = performance.now()
  call.signal?.throwIfAborted()
  const known = endByBlock(search, form)
  if (known !== null) return ended(known, blockAt)

  const payload = target.payload ?? (await fetchPayload(search, form))
  if (payload?.status === 'empty' && payload !== target.payload)
    return ended({ ...endByPayload(search), payload }, blockAt)

  await inTurn(search, waysTo(search, form, block))
  search.end()
  // What was called off has nothing to say; a header that is not its block's has.
  await block
  const { unread } = search
  if (unread?.kind === 'another' && search.target.header !== null)
    return ended({ reason: 'not-of-the-chain', detail: unread.detail, payload }, blockAt)
  if (cache !== null) await keepInCache(search, cache)
  // That no blob was found by its hash proves nothing where the block may be of a later fork, or another one than the one that is meant.
  const mayBeAnother = unread?.kind === 'of-later-fork' || isOpen(search.target.claim)
  if (search.wanted !== null && (search.isUnderWay || !mayBeAnother))
    return ended({ reason: null, payload }, blockAt)
  return ended({ ...endWithoutBlock(search), payload }, blockAt)
}

function ended(ending: Ending, blockAt: number): SearchEnd {
  return { detail: null, payload: null, blockAt, ...ending }
}

/** How the search ends by the block's slot and its header alone; null where it goes on. */
function endBySchedule({ call, target }: Search, form: DataForm): Ending | null {
  const { schedule } = call.parts
  if (form === 'none')
    return isOpen(target.claim) && target.selection !== 'all'
      ? { reason: 'not-of-the-chain', detail: 'there were no blobs yet' }
      : { reason: 'before-deneb' }
  if (form === 'unsupported')
    return {
      reason: 'unsupported-fork',
      detail: `of a fork that began with epoch ${schedule.unsupportedEpoch}`,
    }
  if (target.header !== null && provenBlobs(target.header) === 0 && target.selection === 'all')
    return { reason: 'no-blobs' }
  return null
}

/** What became of the payload of a block of Gloas; null before, and where nothing is known of the block. */
async function fetchPayload(search: Search, form: DataForm): Promise<PayloadReport | null> {
  const bid = search.block?.bid
  const context = search.context()
  if (form !== 'bid-columns' || !bid || context === null) return null
  return await payloadOf(bid, context, search.call.shares.forThing('block'))
}

/** How the search ends where the payload was not revealed: the execution block that was claimed to be of it is none. */
function endByPayload({ target }: Search): Ending {
  return target.claim == null
    ? { reason: 'payload-not-revealed' }
    : { reason: 'not-of-the-chain', detail: NOT_REVEALED }
}
