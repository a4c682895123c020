/** What a search comes to: its verdict, and why. */
import type { BlobsReason, BlobsVerdict } from './result.ts'
import type { Search, Selection } from './search.ts'
import type { SearchEnd } from './search-end.ts'

/** A verdict with its reason, and what there is to add for people. */
export interface Conclusion {
  readonly verdict: BlobsVerdict
  readonly reason: BlobsReason
  readonly detail: string | null
}

/** Reasons for which there are no blobs at all, for people. */
const NONE: { readonly [reason in BlobsReason]?: string } = {
  'no-blobs': 'the block has no blobs',
  'before-deneb': 'there were no blobs yet',
  'payload-not-revealed': 'the payload was not revealed',
}

/** What becomes of hashes where there are no blobs, for people; null where none were named. */
export function noneOf(selection: Selection, why: string): string | null {
  if (selection === 'all') return null
  const { length } = selection
  return `${why}: ${length === 1 ? 'the versioned hash cannot' : `none of the ${length} versioned hashes can`} be of it`
}

/** Of a search that has ended. */
export function conclude(search: Search, { detail, payload, reason }: SearchEnd): Conclusion {
  if (reason !== null) {
    const none = NONE[reason]
    if (none === undefined) return { verdict: 'unknown', reason, detail }
    return { verdict: 'none', reason, detail: noneOf(search.target.selection, none) }
  }
  // Without a reason ends no search of which it is not known what is wanted.
  const wanted = search.wanted!
  // What is promised in a block of the chain is here, or not; that its payload became part of the chain is another matter.
  const isOpen = payload?.status === 'unknown'
  const isOnTrust = search.target.isTrusted === true
  if (wanted.isComplete) {
    const open = isOnTrust ? REVEALED_ON_TRUST : UNREVEALED
    return { verdict: 'complete', reason: 'verified', detail: isOpen ? open : null }
  }
  const found = wanted.foundCount
  const why = whyMissing(search, isOpen && !isOnTrust && found === 0)
  const lacking = wanted.count - found
  const missing = `${lacking} of ${wanted.count}`
  return {
    verdict: found > 0 ? 'partial' : 'missing',
    reason: why,
    detail:
      why === 'not-found' && search.commitments !== null
        ? `the block does not commit to ${missing} versioned hashes`
        : [`${missing} blobs ${lacking > 1 ? 'are' : 'is'} missing`, ...inWords(search, why)].join('; '),
  }
}

const UNREVEALED = 'whether the payload was revealed is not known yet: the next block will show it'
const REVEALED_ON_TRUST =
  'that the payload was revealed is what the anchor says: the next beacon block is not known'

function whyMissing(search: Search, mayHaveNoPayload: boolean): BlobsReason {
  const { call, target } = search
  const { parts, shares, until } = call
  // What the block does not commit to is not to be had of it.
  if (search.commitments !== null && search.missing.every(({ index }) => index === null)) return 'not-found'
  const mayBeUnseen = search.missing.some((blob) => shares.unseen.some((mayBe) => mayBe(blob)))
  if (shares.hasCrashed || mayBeUnseen) return 'crashed'
  if (target.name === null) return 'not-found'
  if (mayHaveNoPayload) return 'may-have-no-payload'
  if (shares.waiting.isUnfinished) return 'unfinished'
  if (until.aborted || shares.unanswered.size > 0) return 'unreachable'
  if (shares.liars.size > 0) return 'false'
  const isExpired = target.slot !== null && parts.schedule.isExpired(target.slot, parts.now())
  return isExpired ? 'expired' : 'not-served'
}

/** What there is to say of a reason that nobody is named for. */
const OTHERS: { readonly [reason in BlobsReason]?: string } = {
  'not-found': 'nothing names a block for them, and neither the cache nor a file has them',
  crashed: 'our own workers crashed',
  'may-have-no-payload': 'whether the payload was revealed is not known yet',
  unfinished: 'answers were still being verified here',
  expired: 'nobody has them, and nodes need not keep what is so old',
  'not-served': 'everyone who was asked answered, and nobody has them',
}

/** Why blobs are missing, for people: all that there is to say of it. */
function inWords({ call }: Search, reason: BlobsReason): string[] {
  const { liars, unanswered, unread } = call.shares
  const failing = Array.from(unanswered).filter(([source]) => !unread.includes(source))
  return [
    OTHERS[reason] ?? [],
    liars.size > 0 ? `what ${[...liars].join(', ')} gave for them is false` : [],
    failing.length > 0
      ? `not every request was answered: ${failing.map(([source, kind]) => `${source} (${kind})`).join(', ')}`
      : [],
    unread.length > 0 ? `an answer of ${unread.join(', ')} could not be read` : [],
    call.until.aborted ? 'the deadline was reached' : [],
  ].flat()
}
