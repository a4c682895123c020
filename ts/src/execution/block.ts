/** Blocks of the execution layer, as far as the transactions in them are proven. */
import { ExecutionDataError, invalid } from './data-error.ts'
import type { ExecutionHeader, ProvenTransaction } from './execution.ts'
import { headerFromRlp } from './header.ts'
import { refuseLong } from './json-fields.ts'
import { keccakHexInTurns } from './keccak.ts'
import { itemsOf, readList } from './rlp.ts'
import { versionedHashesOf } from './transaction.ts'
import { orderedTrieRootInTurns } from './trie.ts'
import { inTurns, type Pause } from './turns.ts'

/** More than any block has: each transaction costs 21,000 gas. */
export const MAX_TRANSACTIONS: number = 2 ** 17
/** Header, transactions, uncles, withdrawals, and what forks to come may add. */
const MAX_BLOCK_PARTS = 16

/** A header, and the bytes of all transactions of its block, which have its `transactionsRoot`. */
export interface ProvenBlock {
  readonly header: ExecutionHeader
  readonly transactions: readonly Uint8Array[]
}

/**
 * The block of a header, given its transactions. Rejects with `ExecutionDataError`, `invalid` where they have another root, `malformed` where
 * they are more than a block has, and with what `pause` rejects with.
 */
export async function provenBlock(
  header: ExecutionHeader,
  transactions: readonly Uint8Array[],
  pause: Pause,
): Promise<ProvenBlock> {
  refuseLong(transactions, 'transactions')
  if ((await orderedTrieRootInTurns(transactions, pause)) !== header.transactionsRoot)
    throw invalid('transactions whose root is not the header’s')
  return { header, transactions }
}

/** The block that is all of `rlp` and has this hash (0x hex). Rejects with `ExecutionDataError`, and with what `pause` rejects with. */
export async function blockFromRlp(rlp: Uint8Array, hash: string, pause: Pause): Promise<ProvenBlock> {
  const [first, transactions] = readList(rlp, MAX_BLOCK_PARTS)
  if (first === undefined || transactions === undefined)
    throw new ExecutionDataError('malformed', 'a block that lacks its transactions')
  const header = headerFromRlp(first.encoded)
  if (header.hash !== hash) throw invalid('a block whose hash is another')
  // A transaction of before there were types is a list, any other a string.
  return await provenBlock(
    header,
    itemsOf(transactions, MAX_TRANSACTIONS).map(({ isList, encoded, payload }) =>
      isList ? encoded : payload,
    ),
    pause,
  )
}

/**
 * The transaction of this hash (0x hex) in a block. It is looked for at `guess` first, wherever an endpoint says that it is. Rejects with
 * `ExecutionDataError`, `invalid` where the block has no such transaction, and with what `pause` rejects with.
 */
export async function transactionIn(
  block: ProvenBlock,
  hash: string,
  guess: number,
  pause: Pause,
): Promise<ProvenTransaction> {
  const { header, transactions } = block
  const isThere = async (at: number): Promise<boolean> => {
    const transaction = transactions[at]
    return transaction !== undefined && (await keccakHexInTurns(transaction, pause)) === hash
  }
  let index = (await isThere(guess)) ? guess : -1
  for (let at = 0; index < 0 && at < transactions.length; at++) if (await isThere(at)) index = at
  const found = transactions[index]
  if (found === undefined) throw invalid('a block that does not have the transaction')
  const before = (await inTurns(transactions.slice(0, index), versionedHashesOf, pause)).flat()
  return { hash, index, versionedHashes: versionedHashesOf(found), firstBlob: before.length, header }
}
