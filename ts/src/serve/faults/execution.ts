/** Lies about the execution layer: each is well formed, and true but for the one thing that it is about. */
import { withHeaderField } from '../execution/header.ts'
import { withVersionedHashes } from '../execution/transaction.ts'
import {
  blockBefore,
  type BlockView,
  type ExecutionView,
  type Place,
  placeIn,
  type TransactionView,
} from '../execution/view.ts'
import type { Fault, LieFault } from './faults.ts'

/** The chain, as these faults have it. */
export function lyingView(view: ExecutionView, faults: readonly Fault[]): ExecutionView {
  return faults.reduce<ExecutionView>(
    (before, fault) => (fault.kind === 'lie' ? { ...before, ...lied(before, fault) } : before),
    view,
  )
}

/** What changes by one lie. */
function lied(view: ExecutionView, { about, field = 'stateRoot' }: LieFault): Partial<ExecutionView> {
  switch (about) {
    case 'header':
      return ofEachBlock(view, (block) => ({
        ...block,
        header: withHeaderField(block.header, field, otherBytes),
      }))
    case 'versioned-hashes':
      return ofEachBlock(view, (block) => ({
        ...block,
        transactions: block.transactions.map(withOtherHashes),
      }))
    case 'missing-transaction':
      return {
        block: (id) =>
          map(view.block(id), (block) => ({ ...block, transactions: block.transactions.slice(0, -1) })),
      }
    case 'other-block':
      return { block: (id) => map(view.block(id), (block) => otherBlock(view, block)) }
    case 'moved-transaction':
      return ofEachPlace(view, (place) => ({ ...place, block: otherBlock(view, place.block) }))
    case 'other-index':
      return ofEachPlace(view, (place) => ({ ...place, index: place.index + 1 }))
    case 'other-transaction':
      return ofEachPlace(view, (place) => otherTransaction(view, place))
    case 'proof':
      return { proof: (place) => withLast(view.proof(place), otherBytes) }
  }
}

/** A lie about blocks holds wherever one is shown, the block of a transaction among them. */
function ofEachBlock(view: ExecutionView, change: (block: BlockView) => BlockView): Partial<ExecutionView> {
  return {
    block: (id) => map(view.block(id), change),
    transaction: (hash) => map(view.transaction(hash), ({ block, index }) => placeIn(change(block), index)),
  }
}

function ofEachPlace(view: ExecutionView, change: (place: Place) => Place): Partial<ExecutionView> {
  return { transaction: (hash) => map(view.transaction(hash), change) }
}

/** The block before; the one after, where there is none. */
function otherBlock(view: ExecutionView, block: BlockView): BlockView {
  return blockBefore(view, block) ?? view.block({ number: block.number + 1 }) ?? block
}

/** The next one in its block, or else one of a block before. */
function otherTransaction(view: ExecutionView, place: Place): Place {
  const { block, index } = place
  const next = placeIn(block, (index + 1) % block.transactions.length)
  if (next !== null && next.index !== index) return next
  for (let at = blockBefore(view, block); at !== null; at = blockBefore(view, at)) {
    const other = placeIn(at, 0)
    if (other !== null) return other
  }
  return place
}

/** Two hashes or more in the opposite order; a single one is changed. */
function withOtherHashes({ hash, bytes }: TransactionView): TransactionView {
  const changed = withVersionedHashes(bytes, (hashes) =>
    hashes.length > 1 ? [...hashes].reverse() : hashes.map(otherBytes),
  )
  return { hash, bytes: changed }
}

/** With the lowest bit of the last byte flipped; nothing becomes a 1. What was a number without leading zeros stays one. */
function otherBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(1)
  // The number 1 has no other bit: it becomes 2.
  if (bytes.length === 1 && bytes[0] === 1) return Uint8Array.of(2)
  const copy = new Uint8Array(bytes)
  copy[copy.length - 1] = copy[copy.length - 1]! ^ 1
  return copy
}

const withLast = <T>(list: readonly T[], change: (last: T) => T): T[] =>
  list.map((value, at) => (at === list.length - 1 ? change(value) : value))

function map<T, U>(value: T | null, make: (value: T) => U): U | null {
  return value === null ? null : make(value)
}
