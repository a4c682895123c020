/** The block that is meant, fetched for its commitments, and what it says of the search by itself. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { refuseOtherSlot } from '../block-data/header.ts'
import type { DataForm } from '../block-data/schedule.ts'
import { whyAnother, WITHOUT_HEADER } from './placement.ts'
import type { Search, Unread } from './search.ts'
import type { Ending } from './search-end.ts'

/**
 * Fetches the block for its commitments, or leaves in the search why nothing is to be learnt of it: where no endpoint gives it, what is known of it
 * otherwise must do. Without a header there is nothing to fetch. Rejects with the signal's reason, and with what is nobody's failure but ours.
 */
export async function learnBlock(search: Search): Promise<void> {
  const { call, target, until } = search
  const { claim = null, header } = target
  if (header === null) return
  try {
    const block = target.block ?? (await fetchBlock(call.parts, header, call.shares.forThing('block'), until))
    const why = claim && whyAnother(block, header, claim)
    if (why !== null) {
      // Nothing of that block is wanted, unless what is wanted may be of an older one.
      if (claim?.mayBeLater !== true) search.end()
      search.unread = { kind: 'another', detail: why }
      return
    }
    refuseOtherSlot(header, block.slot)
    search.learnBlock(block)
  } catch (error) {
    call.signal?.throwIfAborted()
    // Where the block was found to be another one, the search was ended for that, and this is no more than what followed.
    search.unread ??= whyUnread(error, until.aborted)
  }
}

function whyUnread(error: unknown, isLate: boolean): Unread {
  if (error instanceof BeaconUnavailableError) {
    const isOfLaterFork = error.failures.some(({ kind }) => kind === 'unsupported-fork')
    return { kind: isOfLaterFork ? 'of-later-fork' : 'not-had', detail: error.message }
  }
  if (!isLate) throw error
  return { kind: 'not-had', detail: 'the block could not be had in time' }
}

/**
 * Whether nothing can be had without the block. Where it is slow to come, columns and sidecars bring what is needed of it; but not those of
 * Gloas, nor do they show which execution block is its own. Blobs of a transaction have its hashes, whatever the block.
 */
export function needsBlock({ target }: Search, form: DataForm): boolean {
  const { claim = null, selection } = target
  return form === 'bid-columns' || (claim !== null && (selection === 'all' || claim.mayBeLater))
}

/**
 * How a search ends that needs the block's commitments, and has none. That an endpoint answered in a fork that nobody here knows is no more than
 * its word, so that it is the reason only here, where nothing was found otherwise.
 */
export function endWithoutBlock({ unread }: Search): Ending {
  return {
    reason: unread?.kind === 'of-later-fork' ? 'unsupported-fork' : 'no-block',
    detail: unread?.detail ?? null,
  }
}

/** How the search ends by what is known of the block now; null where it goes on, by the slot alone where the header may be of a later block. */
export function endByBlock(search: Search, form: DataForm): Ending | null {
  const { call, target, unread } = search
  const mayBeLater = target.claim?.mayBeLater === true
  if (unread?.kind === 'another' && !mayBeLater) return { reason: 'not-of-the-chain', detail: unread.detail }

  if (target.header !== null && search.commitments === null && needsBlock(search, form)) {
    const isAll = target.selection === 'all'
    if (!mayBeLater || (isAll && unread?.kind !== 'another')) return endWithoutBlock(search)
    search.forgetHeader(target.header)
    if (isAll) return { reason: 'no-header', detail: WITHOUT_HEADER }
  }
  const committed = search.commitments?.length ?? null
  if (committed === 0) return { reason: 'no-blobs' }
  // More than the network's schedule knows of: ours is an old one, and nobody else is at fault.
  if (committed !== null && committed > call.parts.schedule.maxBlobs(target.slot ?? 0))
    return { reason: 'unsupported-fork', detail: `a block with ${committed} blobs` }
  return null
}
