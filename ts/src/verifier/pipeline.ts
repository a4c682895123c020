/**
 * The way of a call: items → checks → deduplication and cache → batch → pool → verdicts. This file holds the order of the steps, and what
 * a verifier does them with.
 */
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import { CRASHED } from '../runtime/errors.ts'
import type { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import type { Once } from '../util/once.ts'
import { abortable } from '../util/signals.ts'
import { has } from '../util/has.ts'
import type { CommitmentKernels } from './batch/commitment-kernels.ts'
import type { Checked, HashedUnit, Unit } from './checks/protocol.ts'
import type {
  PendingVerifications,
  Subscription,
  VerificationRequest,
} from './dedup/pending-verifications.ts'
import type { Counters } from './stats.ts'
import type { Tracer } from './trace.ts'
import type { TransactionVerdict, Verdict } from '../verdict/verdict.ts'
import { crashed, ofOutcome, ofTransaction, refused, unchecked } from './assemble.ts'
import { type Call, progressOf } from './call.ts'
import type { CallItems } from './call-items.ts'
import type { BlockAnchors } from './block-anchor.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { VerdictStore } from './cache/layered.ts'
import { type CheckContext, checkItemAgain, checkItems } from './check-items.ts'
import type { SignatureCheck } from './signatures.ts'
import type { VerifierPool } from './worker/protocol.ts'

/** The parts of a verifier, which `createVerifier` puts together. */
export interface VerifierInternals {
  readonly network: VettedNetwork
  /** The network as the WASM module reads it. */
  readonly networkWords: BigUint64Array<ArrayBuffer>
  readonly pool: VerifierPool
  /** Why the pool has as many workers as it has. */
  readonly workersReason: string
  readonly buffers: BufferPool
  readonly pending: PendingVerifications
  /** What blobs without proofs are verified with, and what their commitments are computed with where those are not known. */
  readonly commitments: Once<CommitmentKernels>
  readonly kernel: ConfirmedKernel
  readonly cache: VerdictStore | null
  readonly counters: Counters
  readonly signatures: SignatureCheck
  /** Undefined where nobody listens. */
  readonly trace: Tracer | undefined
  readonly blocks: BlockAnchors
}

const known = new WeakMap<object, VerifierInternals>()

/** Puts a verifier's parts on record; for its constructor alone. */
export function registerInternals(verifier: object, internals: VerifierInternals): void {
  known.set(verifier, internals)
}

/** The parts of a verifier, for the entries that build on one: they share its workers and its network. Throws `TypeError` for what is no verifier of this package. */
export function internalsOf(verifier: unknown): VerifierInternals {
  // What is no object is in no WeakMap.
  const internals = known.get(verifier as object)
  if (internals === undefined)
    throw new TypeError(
      'verifier must be one that createVerifier of this copy of blobcheck made: no fake, no proxy, and not that of blobcheck/inline',
    )
  return internals
}

/** Verifies the items of one call. Rejects with the signal's reason as soon as that is aborted. */
export async function verifyItems(
  internals: VerifierInternals,
  items: CallItems,
  call: Call,
): Promise<(Verdict | TransactionVerdict)[]> {
  const subscriptions: Subscription[] = []
  const leave = (): void => subscriptions.splice(0).forEach((subscription) => subscription.cancel())
  return await abortable(call.signal, () => runSteps(internals, items, call, subscriptions), leave)
}

/** `subscriptions` is filled on the way: what the call is to cancel if it is aborted. */
async function runSteps(
  internals: VerifierInternals,
  callItems: CallItems,
  call: Call,
  subscriptions: Subscription[],
): Promise<(Verdict | TransactionVerdict)[]> {
  const { counters, pending, networkWords, pool, signatures, buffers, trace } = internals
  const report = progressOf(call, callItems.length)
  counters.items += callItems.length

  const { fork, proposerKey } = call
  const decoded = trace?.anchor(call)
  const anchor = await internals.blocks.resolve(call.anchor)
  decoded?.()
  if (anchor === CRASHED) {
    counters.errors += callItems.length
    return Array.from({ length: callItems.length }, crashed)
  }
  const rules = {
    ...{ anchor, count: callItems.length, network: networkWords },
    ...{ fork, wantsHeaders: proposerKey !== null },
  }
  const context = { pool, buffers, callItems, rules, counters, call, trace }
  const found = await checkItems(context, call.signal, (count) => report('check', count))
  const signed = trace?.signature(call)
  const checked = proposerKey === null ? found : await signatures.of(found, proposerKey)
  signed?.()
  // The promise that the caller sees is rejected by now; nothing may be verified for a caller who has left.
  call.signal?.throwIfAborted()

  const requests = call.cheap ? [] : requestsOf(checked, context)
  // One by one: a call has no room for as many arguments as there may be items.
  for (const subscription of pending.subscribe(requests)) subscriptions.push(subscription)
  const inOrder = subscriptions[Symbol.iterator]()
  const verdicts = checked.map(async (entry, at) => {
    const verdict = await conclude(entry, callItems.source(at), call.cheap, inOrder, counters)
    count(counters, verdict)
    report('kzg', 1)
    return verdict
  })
  const all = await Promise.all(verdicts)
  // All verifications that these units started are settled: no one reads them any more.
  buffers.giveBackAll(checked.flatMap(unitsIn).map(({ bytes }) => bytes.buffer))
  return all
}

/** The verdict on one item. Subscriptions are taken, in order, before the first wait. */
async function conclude(
  entry: Checked | null,
  source: string | undefined,
  cheap: boolean,
  subscriptions: Iterator<Subscription>,
  counters: Counters,
): Promise<Verdict | TransactionVerdict> {
  if (entry === null) return crashed()
  if (has(entry, 'refusal')) {
    counters.refusedByChecks++
    return refused(entry.refusal, entry.links, source === undefined ? [] : [source])
  }
  if (has(entry, 'blobs')) {
    const blobs = entry.blobs.map((blob) => conclude(blob, source, cheap, subscriptions, counters))
    return ofTransaction(await Promise.all(blobs), entry.digest)
  }
  if (cheap) return unchecked(entry.links)
  const next = subscriptions.next()
  if (next.done === true) return crashed()
  const { pending, isFirst } = next.value
  const settled = await pending.settled
  const { origin } = settled
  if (origin === 'session' || origin === 'storage') counters.cacheHits++
  else if (!isFirst || origin === 'refusals') counters.duplicates++
  return ofOutcome(settled, isFirst, entry)
}

/** What is to be verified of a call's items, in order. */
function requestsOf(checked: readonly (Checked | null)[], context: CheckContext): VerificationRequest[] {
  return checked.flatMap((entry, at) => {
    const source = context.callItems.source(at)
    return unitsIn(entry).map((unit) => ({
      unit,
      source,
      remake: () => remakeUnit(context, at, unit.digest),
      call: context.call,
      at,
    }))
  })
}

function unitsIn(entry: Checked | null): Unit[] {
  if (entry === null || has(entry, 'refusal')) return []
  return has(entry, 'blobs') ? entry.blobs.flatMap(unitsIn) : [entry.unit]
}

/** The same bytes once more; null where they have changed or were lost, or where a worker dies of them. */
async function remakeUnit(context: CheckContext, at: number, digest: string): Promise<HashedUnit | null> {
  const units = unitsIn(await checkItemAgain(context, at))
  return units.find((unit) => unit.digest === digest)?.bytes ?? null
}

function count(counters: Counters, { status }: Verdict): void {
  if (status === 'error') counters.errors++
  else if (status !== 'unchecked') counters[status]++
}
