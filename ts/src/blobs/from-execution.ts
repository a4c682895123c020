/** From a transaction, or an execution block, to the beacon block that has its blobs: each step proven, or the caller's word. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import type {
  ExecutionHeader,
  ExecutionSource,
  ExecutionTerms,
  ProvenTransaction,
} from '../execution/execution.ts'
import { joinSignals } from '../util/signals.ts'
import type { LinkState } from '../verdict/verdict.ts'
import type { Conclusion } from './conclude.ts'
import type { Call } from './context.ts'
import { isOpen, type Placement, Placements, WITHOUT_HEADER } from './placement.ts'
import type { ReadCall, ReadQuery } from './query.ts'
import { noExecution, nothingKnown, type Start } from './start.ts'

type Query = Extract<ReadQuery, { readonly kind: 'execution' | 'transaction' }>

/** Rejects with the signal's reason, and with what the source of headers or the verifier throws. */
export async function startFromExecution(
  call: Call,
  execution: ExecutionSource,
  query: Query,
  anchor: ReadCall['anchor'],
): Promise<Start> {
  const terms = termsOf(call)
  const found = await orDetail(call, async () =>
    query.kind === 'transaction'
      ? await findTransaction(call, execution, query.hash, anchor, terms)
      : await findBlock(call, execution, query.blockHash, anchor, terms),
  )
  if (found === null || typeof found === 'string')
    return ended({
      ...{ verdict: 'unknown', reason: 'no-transaction' },
      detail:
        found ??
        'no execution endpoint has a block of this hash, which is that of an execution block, not a beacon root',
    })
  if ('conclusion' in found) return ended(found.conclusion)
  const [first, ...others] = found
  return { ...startAt(first, anchor), others: others.map((one) => startAt(one, anchor)) }
}

function startAt(
  { header: executed, refutals, placement, transaction }: Found,
  anchor: ReadCall['anchor'],
): Start {
  const { blobGasUsed, hash, number, timestamp } = executed
  const known = {
    execution: { hash, number, timestamp },
    transaction: transaction && {
      hash: transaction.hash,
      index: transaction.index,
      versionedHashes: transaction.versionedHashes,
    },
    links: { transaction: transaction ? ('verified' as const) : ('absent' as LinkState) },
  }
  const without = (conclusion: Conclusion, link: LinkState = 'absent'): Start => ({
    ...{ target: null, conclusion, known },
    links: { ...known.links, 'execution-block': link },
  })
  if (placement.status !== 'placed') {
    const { detail, status } = placement
    const isStrange = status === 'not-of-the-chain' && anchor === null
    return without({ verdict: 'unknown', reason: status, detail: isStrange ? strange(detail) : detail })
  }
  const { block, claim, link, payload, slot } = placement
  const hashes = transaction?.versionedHashes ?? null
  const hasNone = hashes?.length === 0 || (hashes === null && blobGasUsed === 0 && link !== 'absent')
  // Of what may be a later beacon block nothing is told.
  const header = hasNone && claim?.mayBeLater === true ? null : placement.header
  if (!hasNone && hashes === null && header === null)
    return without({ verdict: 'unknown', reason: 'no-header', detail: WITHOUT_HEADER }, link)
  return {
    target: {
      selection: hashes ?? 'all',
      firstBlob: transaction?.firstBlob ?? null,
      name: header?.root ?? `${slot}`,
      ...{ header, slot, block, payload, claim, isTrusted: anchor !== null },
    },
    conclusion: hasNone ? { verdict: 'none', reason: 'no-blobs', detail: null } : null,
    known,
    links: { ...known.links, 'execution-block': link },
    refute: () => {
      for (const refute of refutals) refute()
    },
  }
}

/** Of an execution block that is none of the chain, and that no anchor of the caller's rules out: two things look the same. */
const strange = (detail: string): string =>
  `${detail}; it was reorganised away, or the execution endpoint is of another network`

/** An execution block, where it is, and the transaction in it that was asked for. */
interface Found {
  readonly header: ExecutionHeader
  readonly placement: Placement
  readonly transaction: ProvenTransaction | null
  /** To be called where the block turns out to be none of the chain: one for each endpoint that named it, where that is not known yet. */
  readonly refutals: readonly (() => void)[]
}

/** One at least. Several are blocks that endpoints name for the same transaction; which of them is the right one is not known. */
type AllFound = readonly [Found, ...Found[]]

/** How long other endpoints may take, of the time that is left, where it is not known whether the block that one named is of the chain. */
const SHARE_OF_TIME = 1 / 3

async function findTransaction(
  call: Call,
  execution: ExecutionSource,
  hash: string,
  anchor: ReadCall['anchor'],
  terms: ExecutionTerms,
): Promise<AllFound | { readonly conclusion: Conclusion }> {
  /** The last block that an endpoint named, and that is none of the chain. */
  let refused: string | null = null
  /** Those of which that is not known, each once: another endpoint may name the right one. */
  const open: (Found & { readonly refutals: (() => void)[] })[] = []
  /**
   * How long others are waited for from then on, as `performance.now()` tells the time. While a block is placed, that is waited for, unless the beacon
   * block of another one is known: then blobs can be looked for there.
   */
  let openUntil: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** How many blocks are being placed: endpoints that are slow are asked beside others. */
  let placing = 0
  const patience = new AbortController()
  const { either, release } = joinSignals([terms.signal, patience.signal])
  const asked = { ...terms, signal: either }
  const placements = placementsOf({ ...call, until: either }, execution, anchor, asked)
  const isOfChain: ExecutionTerms['isOfChain'] = async (transaction, refute) => {
    const { header } = transaction
    if (!open.some(isPlaced)) clearTimeout(timer)
    placing++
    const placement = await placements.of(header).finally(() => placing--)
    if (isShown(placement)) return 'yes'
    const isRefused = placement.status === 'not-of-the-chain'
    const same = open.find((one) => one.header.hash === header.hash)
    if (isRefused) refused = `execution block ${header.hash}: ${placement.detail}`
    else if (same === undefined) open.push({ header, placement, transaction, refutals: [refute] })
    else same.refutals.push(refute)
    if (open.length > 0 && (placing === 0 || open.some(isPlaced)) && !either.aborted) {
      clearTimeout(timer)
      const now = performance.now()
      openUntil ??= now + (call.endsAt - now) * SHARE_OF_TIME
      timer = setTimeout(
        () => patience.abort(new DOMException('enough time for the others', 'TimeoutError')),
        Math.max(0, openUntil - now),
      )
    }
    return isRefused ? 'no' : 'unknown'
  }
  try {
    const transaction = await execution.transaction(hash, { ...asked, isOfChain })
    if (transaction === null || transaction === 'pending')
      return {
        conclusion: {
          ...{ verdict: 'unknown', reason: 'no-transaction' },
          detail:
            transaction === null
              ? 'no execution endpoint knows a transaction of this hash: is it that of a block, or of another network?'
              : 'it is pending: an execution endpoint says that it is in no block yet',
        },
      }
    const { header } = transaction
    return [{ header, placement: await placements.of(header), transaction, refutals: [] }]
  } catch (error) {
    call.signal?.throwIfAborted()
    const isUnavailable = error instanceof BeaconUnavailableError
    // Those first whose beacon block is known, if it is theirs: what that commits to may show it.
    const [first, ...others] = open.sort((a, b) => Number(isPlaced(b)) - Number(isPlaced(a)))
    if (first !== undefined && (isUnavailable || error === either.reason)) return [first, ...others]
    if (!isUnavailable || refused === null) throw error
    const detail = anchor === null ? strange(refused) : refused
    return { conclusion: { verdict: 'unknown', reason: 'not-of-the-chain', detail } }
  } finally {
    clearTimeout(timer)
    // Blocks may still be being placed, which nobody waits for any more: the endpoint that named one may have made it up.
    patience.abort()
    release()
  }
}

const isPlaced = ({ placement }: Found): boolean => placement.status === 'placed'

/** Whether an execution block is known to be that of its beacon block, or is so by the caller's word. */
function isShown(placement: Placement): boolean {
  return placement.status === 'placed' && !isOpen(placement.claim)
}

/** Null where every endpoint says that there is no such block. */
async function findBlock(
  call: Call,
  execution: ExecutionSource,
  hash: string,
  anchor: ReadCall['anchor'],
  terms: ExecutionTerms,
): Promise<AllFound | null> {
  // The caller may have given it.
  const given = anchor?.hash === hash ? anchor.header : null
  const header = given ?? (await execution.header(hash, terms))
  const placements = placementsOf(call, execution, anchor, terms)
  return header && [{ header, placement: await placements.of(header), transaction: null, refutals: [] }]
}

function placementsOf(
  call: Call,
  execution: ExecutionSource,
  anchor: ReadCall['anchor'],
  terms: ExecutionTerms,
): Placements {
  return new Placements(call, anchor, (hash) => execution.header(hash, terms))
}

/** What comes of it; in words where nobody answered, or not in time. */
async function orDetail<T>(call: Call, ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask()
  } catch (error) {
    call.signal?.throwIfAborted()
    if (error instanceof BeaconUnavailableError) return error.message
    if (call.until.aborted) return 'the execution layer gave no answer in time'
    throw error
  }
}

function termsOf({ shares, until }: Call): ExecutionTerms {
  const shareOf = (name: string): ReturnType<typeof shares.of> => shares.of('execution', name)
  return {
    signal: until,
    tally: {
      requested: (name) => void shareOf(name).requests++,
      received: (name, bytes) => void (shareOf(name).bytes += bytes),
      failed(name, failure) {
        if (failure.kind === 'invalid') shareOf(name).refuse('an answer', failure.message)
        else shareOf(name).fail(failure)
      },
    },
  }
}

function ended(conclusion: Conclusion): Start {
  return { target: null, conclusion, known: nothingKnown, links: noExecution }
}
