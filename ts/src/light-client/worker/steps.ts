/** The steps of the protocol over WASM exports: decode what came, process it, say what is in the store now. */
import { pack } from '../../util/packed.ts'
import { freshSeed } from '../../runtime/platform/seed.ts'
import {
  decodeObject,
  decodeUpdates,
  type Forks,
  isOfOtherDate,
  type LightClientObject,
  otherForm,
  type ReadableUpdates,
  unknownDigest,
} from './decode.ts'
import type { ForkIndex, ObjectKind } from '../../beacon/ssz/light-client-json.ts'
import { Undecodable } from '../../beacon/answer.ts'
import { failureOf, type LightClientReason } from '../errors.ts'
import type { Exports } from './module.ts'
import type { Quorum, Source, Step, StepFailure, Stepped, StepOptions } from './protocol.ts'
import { readStoreView, readUpdateView, type StoreView, type UpdateView, wantedPeriod } from './views.ts'

/** One kernel's exports at work on one network. */
interface StepContext {
  readonly exports: Exports
  readonly network: BigUint64Array<ArrayBuffer>
  readonly currentSlot: bigint
}

/** Takes a step. Never throws because of what an endpoint sent. */
export function takeStep(exports: Exports, step: Step, terms: StepOptions): Stepped {
  const context: StepContext = {
    exports,
    network: terms.network as BigUint64Array<ArrayBuffer>,
    currentSlot: BigInt(terms.currentSlot),
  }
  const before = 'store' in step ? new Uint8Array(step.store) : null
  try {
    return advance(context, step)
  } catch (error) {
    const failure = readFailure(exports, error)
    const view = before && viewOf(context, before)
    return { store: before, view, accepted: [], leading: [], update: null, failure }
  }
}

function advance(context: StepContext, step: Step): Stepped {
  const { exports, network, currentSlot } = context
  switch (step.kind) {
    case 'bootstrap': {
      const object = objectOf(context, step.kind, step.source)
      return after(context, exports.initializeStore(network, object.fork, step.root, object.ssz), [object])
    }
    case 'updates':
      return processAll(context, step.store, updatesOf(context, step.source, step.maxCount), step.quorum)
    case 'finality-update':
    case 'optimistic-update': {
      const object = objectOf(context, step.kind, step.source)
      const isFinality = step.kind === 'finality-update'
      const update = readUpdateView(exports.updateView(network, isFinality ? 1 : 2, object.fork, object.ssz))
      const size = storeView(context, step.store).committeeSize
      if (!isQuorum(update, size))
        return { ...after(context, step.store, []), update, failure: fewSignatures }
      try {
        const process = isFinality ? exports.processFinalityUpdate : exports.processOptimisticUpdate
        const store = process(network, step.store, object.fork, object.ssz, currentSlot)
        return { ...after(context, store, [object]), update }
      } catch (error) {
        const failure = inDoubt(context, step.kind, object, readFailure(exports, error))
        return { ...after(context, step.store, []), update, failure }
      }
    }
    case 'force':
      return after(context, exports.forceUpdate(network, step.store, currentSlot), [])
    case 'view':
      return after(context, step.store, [])
  }
}

/**
 * All updates in one pairing product. Those before the first that is false, unreadable, or signed by too few stand.
 */
function processAll(
  context: StepContext,
  store: Uint8Array,
  offered: ReadableUpdates,
  quorum: Quorum,
): Stepped {
  const { exports } = context
  const size = storeView(context, store).committeeSize
  const updates: LightClientObject[] = []
  let rest: StepFailure | null = offered.rest && readFailure(exports, offered.rest)
  for (const update of offered.updates) {
    const refusal = refusalOf(context, update, size, quorum)
    if (refusal !== null) {
      rest = refusal
      break
    }
    updates.push(update)
  }
  if (updates.length === 0) return { ...after(context, store, []), failure: rest }
  const { code, count, store: last } = processTogether(context, store, updates)
  const failure = code === 0 ? rest : inDoubt(context, 'update', updates[count], failureOfCode(exports, code))
  const stepped = after(context, last, updates.slice(0, count))
  return {
    ...stepped,
    leading: leadingOf(context, store, stepped.accepted, wantedPeriod(stepped.view)),
    failure,
  }
}

/** The store after so many of the updates, and why not after the next one: 0 where there is none. */
function processTogether(
  { exports, network, currentSlot }: StepContext,
  store: Uint8Array,
  updates: readonly LightClientObject[],
): { readonly code: number; readonly count: number; readonly store: Uint8Array } {
  const { bytes, lengths } = pack(updates.map(({ ssz }) => ssz))
  const forks = Uint8Array.from(updates, ({ fork }) => fork)
  const answer = exports.processUpdates(network, store, forks, bytes, lengths, currentSlot, freshSeed())
  const [code = 0] = answer
  const count = new DataView(answer.buffer, answer.byteOffset).getUint32(1, true)
  return { code, count, store: answer.subarray(5) }
}

/**
 * Which of the updates led to the period `wanted`. Each leads on by one: where all did, or none, or all but those at the end, as
 * of honest answers, one step at most tells. Otherwise one after the other, each on the store that the last leading one left.
 */
function leadingOf(
  context: StepContext,
  before: Uint8Array,
  updates: readonly LightClientObject[],
  wanted: number,
): readonly LightClientObject[] {
  const periodAfter = (store: Uint8Array): number => wantedPeriod(storeView(context, store))
  const steps = wanted - periodAfter(before)
  if (steps <= 0 || steps >= updates.length) return steps <= 0 ? [] : updates
  const first = updates.slice(0, steps)
  if (periodAfter(processTogether(context, before, first).store) === wanted) return first
  const leading: LightClientObject[] = []
  let store = before
  for (const update of updates) {
    const next = new Uint8Array(processTogether(context, store, [update]).store)
    if (periodAfter(next) <= periodAfter(store)) continue
    store = next
    leading.push(update)
  }
  return leading
}

/** Why an update is not even processed, or null. */
function refusalOf(
  context: StepContext,
  update: LightClientObject,
  committeeSize: number,
  quorum: Quorum,
): StepFailure | null {
  const { exports, network } = context
  try {
    const view = readUpdateView(exports.updateView(network, 0, update.fork, update.ssz))
    return isQuorum(view, committeeSize, quorum) ? null : fewSignatures
  } catch (error) {
    return inDoubt(context, 'update', update, readFailure(exports, error))
  }
}

/**
 * Nobody is accused of an update that is bad by the fork of its slot, where its digest is of a fork that is not known; nor of a proof that does
 * not hold by a config that has Gloas at another time than the object.
 */
function inDoubt(
  context: StepContext,
  kind: ObjectKind,
  object: LightClientObject | undefined,
  failure: StepFailure,
): StepFailure {
  if (object === undefined) return failure
  if (object.isInDoubt && (failure.kind === 'invalid' || failure.kind === 'malformed'))
    return { kind: 'unsupported-fork', detail: unknownDigest + failure.detail }
  const isUnproven = failure.detail === ('execution-mismatch' satisfies LightClientReason)
  return isUnproven && isOfOtherDate(kind, object.fork, object.ssz, forksOf(context))
    ? { kind: 'unsupported-fork', detail: otherForm }
    : failure
}

/**
 * The spec's light client takes a header for the newest one that more than half signed of those who ever did before its
 * eyes; at the start that is anyone at all. A header from here vouches for data, so that two thirds are asked for; a simple
 * majority is enough for candidates of a forced update alone, which are kept apart.
 */
function isQuorum(
  { participants }: UpdateView,
  committeeSize: number,
  quorum: Quorum = 'two-thirds',
): boolean {
  return quorum === 'majority' ? 2 * participants > committeeSize : 3 * participants >= 2 * committeeSize
}

/** Said before anything is verified: whether those whom it names did sign is of no account. */
const fewSignatures: StepFailure = {
  kind: 'few-signatures',
  detail: 'by its own word, less than two thirds of the sync committee signed it',
}

function after(
  context: StepContext,
  store: Uint8Array,
  accepted: readonly LightClientObject[],
): Stepped & { readonly view: StoreView } {
  const copy = new Uint8Array(store)
  const view = storeView(context, copy)
  return { store: copy, view, accepted, leading: [], update: null, failure: null }
}

function storeView({ exports, network }: StepContext, store: Uint8Array): StoreView {
  return readStoreView(exports.storeView(network, store))
}

/** A store that is none has no view; why not is being reported already. */
function viewOf(context: StepContext, store: Uint8Array): StoreView | null {
  try {
    return storeView(context, store)
  } catch (error) {
    if (typeof error === 'number') return null
    throw error
  }
}

function objectOf(context: StepContext, kind: ObjectKind, source: Source): LightClientObject {
  if ('answer' in source) return decodeObject(kind, source.answer, forksOf(context))
  const [object] = source.objects
  if (object === undefined) throw new Undecodable(`no ${kind}`)
  return object
}

function updatesOf(context: StepContext, source: Source, maxCount: number): ReadableUpdates {
  return 'answer' in source
    ? decodeUpdates(source.answer, maxCount, forksOf(context))
    : { updates: source.objects, rest: null }
}

/** Where the four words of `genesis_validators_root` begin in `lightClientWords`. */
const ROOT_WORDS = 2

/** `lightClientWords` with zeros for `genesis_validators_root`: whoever does not know it computes fork digests so. */
function withoutGenesisRoot(words: BigUint64Array): BigUint64Array<ArrayBuffer> {
  return new BigUint64Array(words).fill(0n, ROOT_WORDS, ROOT_WORDS + 4)
}

function forksOf({ exports, network }: StepContext): Forks {
  return {
    // Lodestar knows the genesis of networks with a name alone. A digest says how an object is read, and vouches for nothing.
    ofDigest: (digest) =>
      (exports.forkOfDigest(network, digest) ??
        exports.forkOfDigest(withoutGenesisRoot(network), digest) ??
        null) as ForkIndex | null,
    atSlot: (slot) => (exports.forkAtSlot(network, slot) ?? null) as ForkIndex | null,
    committeeSize: Number(network[0]),
  }
}

/** What an error says about the answer; what says nothing about it is thrown again. */
export function readFailure(exports: Exports, error: unknown): StepFailure {
  if (error instanceof Undecodable) return { kind: error.kind, detail: error.message }
  if (typeof error === 'number') return failureOfCode(exports, error % 256)
  throw error
}

function failureOfCode(exports: Exports, code: number): StepFailure {
  const reason = exports.reasonName(code) as LightClientReason
  return { kind: failureOf(reason), detail: reason }
}
