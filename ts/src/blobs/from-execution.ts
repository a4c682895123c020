/** From a transaction, or an execution block, to the beacon block that has its blobs: each step proven, or the caller's word. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import type { ExecutionHeader, ExecutionSource, ExecutionTerms } from '../execution/execution.ts'
import type { LinkState } from '../verdict/verdict.ts'
import type { Conclusion } from './conclude.ts'
import type { Call } from './context.ts'
import { type Found, NamedBlocks } from './named-blocks.ts'
import { type Placement, Placements, WITHOUT_HEADER } from './placement.ts'
import type { ReadCall, ReadQuery } from './query.ts'
import { type Start, startWithout } from './start.ts'

type Query = Extract<ReadQuery, { readonly kind: 'execution' | 'transaction' }>

/** Rejects with what the source of headers or the verifier throws. Where the signal was aborted meanwhile, nothing that it says counts. */
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
    return startWithout({
      ...{ verdict: 'unknown', reason: 'no-transaction' },
      detail:
        found ??
        'no execution endpoint has a block of this hash, which is that of an execution block, not a beacon root',
    })
  if ('conclusion' in found) return startWithout(found.conclusion)
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
      ...{ header, slot, block, payload, claim, areOwnHashes: claim === null, isTrusted: anchor !== null },
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

/** One at least. Several are blocks that endpoints name for the same transaction; which of them is the right one is not known. */
type AllFound = readonly [Found, ...Found[]]

async function findTransaction(
  call: Call,
  execution: ExecutionSource,
  hash: string,
  anchor: ReadCall['anchor'],
  terms: ExecutionTerms,
): Promise<AllFound | { readonly conclusion: Conclusion }> {
  const named = new NamedBlocks(terms.signal, call.endsAt)
  const asked = { ...terms, signal: named.until }
  const placements = placementsOf({ ...call, until: named.until }, execution, anchor, asked)
  const place = (header: ExecutionHeader): Promise<Placement> => placements.of(header)
  try {
    const transaction = await execution.transaction(hash, {
      ...asked,
      isOfChain: (one, refute) => named.isOfChain(one, refute, place),
    })
    if (transaction === null || transaction === 'pending')
      return {
        conclusion: {
          ...{ verdict: 'unknown', reason: 'no-transaction' },
          detail: transaction === null ? NO_TRANSACTION : PENDING,
        },
      }
    const { header } = transaction
    return [{ header, placement: await place(header), transaction, refutals: [] }]
  } catch (error) {
    call.signal?.throwIfAborted()
    const isUnavailable = error instanceof BeaconUnavailableError
    const [first, ...others] = named.open
    if (first !== undefined && (isUnavailable || error === named.until.reason)) return [first, ...others]
    const { refused } = named
    if (!isUnavailable || refused === null) throw error
    const detail = anchor === null ? strange(refused) : refused
    return { conclusion: { verdict: 'unknown', reason: 'not-of-the-chain', detail } }
  } finally {
    named.release()
  }
}

const NO_TRANSACTION =
  'no execution endpoint knows a transaction of this hash: is it that of a block, or of another network?'
const PENDING = 'it is pending: an execution endpoint says that it is in no block yet'

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
