/** What the methods of the JSON-RPC read: the blocks of a chain and their transactions, with the hash by which each is named. */
import { encodeHex } from '../../util/hex.ts'
import { keccakHex } from '../../execution/keccak.ts'
import { orderedTrieProof } from '../../execution/trie.ts'
import type { ChainExecution, ExecutionBlock } from '../chain.ts'
import { headerField } from './header.ts'

/** A transaction, and the hash that is said of it. */
export interface TransactionView {
  /** 32 bytes as 0x hex. */
  readonly hash: string
  readonly bytes: Uint8Array
}

/** A block, and the hash that is said of it. */
export interface BlockView {
  /** 32 bytes as 0x hex. */
  readonly hash: string
  readonly number: number
  /** RLP. */
  readonly header: Uint8Array
  readonly transactions: readonly TransactionView[]
  readonly gasUsed: readonly number[]
  readonly blobGasPrice: bigint
}

/** A transaction in its block. */
export interface Place {
  readonly block: BlockView
  readonly index: number
  readonly transaction: TransactionView
}

/** A block by its hash, by its number, or by how final it is. */
export type BlockId =
  | { readonly hash: string }
  | { readonly number: number }
  | { readonly tag: 'head' | 'safe' | 'finalized' }

/** A chain as it is asked: true, or with lies. */
export interface ExecutionView {
  block(id: BlockId): BlockView | null
  transaction(hash: string): Place | null
  /** The nodes of the trie between the block's root and the transaction. */
  proof(place: Place): Uint8Array[]
}

/** The chain as it is. */
export function viewOf(execution: ChainExecution): ExecutionView {
  return {
    block(id) {
      const block =
        'hash' in id
          ? execution.byHash(id.hash)
          : 'number' in id
            ? execution.byNumber(id.number)
            : execution[id.tag]
      return block && blockViewOf(block)
    },
    transaction(hash) {
      const found = execution.transaction(hash)
      return found && placeIn(blockViewOf(found.block), found.index)
    },
    proof: ({ block, index }) =>
      orderedTrieProof(
        block.transactions.map(({ bytes }) => bytes),
        index,
      ),
  }
}

/** The transaction of a place; null where the block has not so many. */
export function placeIn(block: BlockView, index: number): Place | null {
  const transaction = block.transactions[index]
  return transaction === undefined ? null : { block, index, transaction }
}

/** The block before one; null for the first. */
export function blockBefore(view: ExecutionView, { header }: BlockView): BlockView | null {
  return view.block({ hash: `0x${encodeHex(headerField(header, 'parentHash') ?? new Uint8Array(0))}` })
}

const known = new WeakMap<ExecutionBlock, BlockView>()

/** Kept as long as the block is: hashes take their time. */
function blockViewOf(block: ExecutionBlock): BlockView {
  const before = known.get(block)
  if (before !== undefined) return before
  const { hash, number, header, gasUsed, blobGasPrice } = block
  const transactions = block.transactions.map((bytes) => ({ hash: keccakHex(bytes), bytes }))
  const view = { hash, number, header, transactions, gasUsed, blobGasPrice }
  known.set(block, view)
  return view
}
