/** The steps of the protocol over WASM exports: decode what came, process it, say what is in the store now. */
import { pack } from '../../bytes/concat.ts'
import { freshSeed } from '../../wasm/seed.ts'
import {
  decodeObject,
  decodeUpdates,
  type LightClientObject,
  type ReadableUpdates,
} from '../decode/answer.ts'
import type { ForkIndex, Forks } from '../decode/fork.ts'
import type { ObjectKind } from '../decode/json.ts'
import { Undecodable } from '../decode/undecodable.ts'
import { failureOf, type LightClientReason } from '../reasons.ts'
import type { Exports } from './instance.ts'
import type { Quorum, Source, Step, StepFailure, Stepped, StepTerms } from './protocol.ts'
import { readStoreView, readUpdateView, type StoreView, type UpdateView } from './views.ts'

/** One kernel's exports at work on one network. */
interface Bench {
  readonly exports: Exports
  readonly network: BigUint64Array<ArrayBuffer>
  readonly currentSlot: bigint
}

/** Takes a step. Never throws because of what an endpoint sent. */
export function takeStep(exports: Exports, step: Step, terms: StepTerms): Stepped {
  const bench: Bench = {
    exports,
    network: terms.network as BigUint64Array<ArrayBuffer>,
    currentSlot: BigInt(terms.currentSlot),
  }
  const before = 'store' in step ? new Uint8Array(step.store) : null
  try {
    return advance(bench, step)
  } catch (error) {
    const failure = readFailure(exports, error)
    return { store: before, view: before && viewOf(bench, before), accepted: [], update: null, failure }
  }
}

function advance(bench: Bench, step: Step): Stepped {
  const { exports, network, currentSlot } = bench
  switch (step.kind) {
    case 'bootstrap': {
      const object = objectOf(bench, step.kind, step.source)
      return after(bench, exports.initializeStore(network, object.fork, step.root, object.ssz), [object])
    }
    case 'updates':
      return processAll(bench, step.store, updatesOf(bench, step.source, step.maxCount), step.quorum)
    case 'finality-update':
    case 'optimistic-update': {
      const object = objectOf(bench, step.kind, step.source)
      const isFinality = step.kind === 'finality-update'
      const update = readUpdateView(exports.updateView(network, isFinality ? 1 : 2, object.fork, object.ssz))
      const size = storeView(bench, step.store).committeeSize
      if (!isQuorum(update, size)) return { ...after(bench, step.store, []), update, failure: fewSignatures }
      try {
        const process = isFinality ? exports.processFinalityUpdate : exports.processOptimisticUpdate
        const store = process(network, step.store, object.fork, object.ssz, currentSlot)
        return { ...after(bench, store, [object]), update }
      } catch (error) {
        return { ...after(bench, step.store, []), update, failure: readFailure(exports, error) }
      }
    }
    case 'force':
      return after(bench, exports.forceUpdate(network, step.store, currentSlot), [])
    case 'view':
      return after(bench, step.store, [])
  }
}

/**
 * All updates in one pairing product. Those before the first that is false, unreadable, or signed by too few stand.
 */
function processAll(bench: Bench, store: Uint8Array, offered: ReadableUpdates, quorum: Quorum): Stepped {
  const { exports, network, currentSlot } = bench
  const size = storeView(bench, store).committeeSize
  const updates: LightClientObject[] = []
  let rest: StepFailure | null = offered.rest && readFailure(exports, offered.rest)
  for (const update of offered.updates) {
    const refusal = refusalOf(bench, update, size, quorum)
    if (refusal !== null) {
      rest = refusal
      break
    }
    updates.push(update)
  }
  if (updates.length === 0) return { ...after(bench, store, []), failure: rest }
  const { bytes, lengths } = pack(updates.map(({ ssz }) => ssz))
  const forks = Uint8Array.from(updates, ({ fork }) => fork)
  const answer = exports.processUpdates(network, store, forks, bytes, lengths, currentSlot, freshSeed())
  const [code = 0] = answer
  const count = new DataView(answer.buffer, answer.byteOffset).getUint32(1, true)
  const failure = code === 0 ? rest : failureOfCode(exports, code)
  return { ...after(bench, answer.subarray(5), updates.slice(0, count)), failure }
}

/** Why an update is not even processed, or null. */
function refusalOf(
  { exports, network }: Bench,
  { fork, ssz }: LightClientObject,
  committeeSize: number,
  quorum: Quorum,
): StepFailure | null {
  try {
    const view = readUpdateView(exports.updateView(network, 0, fork, ssz))
    return isQuorum(view, committeeSize, quorum) ? null : fewSignatures
  } catch (error) {
    return readFailure(exports, error)
  }
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

const fewSignatures: StepFailure = {
  kind: 'few-signatures',
  detail: 'signed by less than two thirds of the sync committee',
}

function after(bench: Bench, store: Uint8Array, accepted: readonly LightClientObject[]): Stepped {
  const copy = new Uint8Array(store)
  return { store: copy, view: storeView(bench, copy), accepted, update: null, failure: null }
}

function storeView({ exports, network }: Bench, store: Uint8Array): StoreView {
  return readStoreView(exports.storeView(network, store))
}

/** A store that is none has no view; why not is being reported already. */
function viewOf(bench: Bench, store: Uint8Array): StoreView | null {
  try {
    return storeView(bench, store)
  } catch (error) {
    if (typeof error === 'number') return null
    throw error
  }
}

function objectOf(bench: Bench, kind: ObjectKind, source: Source): LightClientObject {
  if ('answer' in source) return decodeObject(kind, source.answer, forksOf(bench))
  const [object] = source.objects
  if (object === undefined) throw new Undecodable(`no ${kind}`)
  return object
}

function updatesOf(bench: Bench, source: Source, maxCount: number): ReadableUpdates {
  return 'answer' in source
    ? decodeUpdates(source.answer, maxCount, forksOf(bench))
    : { updates: source.objects, rest: null }
}

function forksOf({ exports, network }: Bench): Forks {
  return {
    ofDigest: (digest) => (exports.forkOfDigest(network, digest) ?? null) as ForkIndex | null,
    atSlot: (slot) => (exports.forkAtSlot(network, slot) ?? null) as ForkIndex | null,
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
