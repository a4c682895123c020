/** The answer of Nethermind's `proof_getTransactionByHash(hash, true)`: a transaction, its block's header, and the way from the one to the other. */
import type { Portable } from '../util/portable.ts'
import { invalid } from './data-error.ts'
import type { ProvenTransaction } from './execution.ts'
import { headerFromRlp } from './header.ts'
import { bytesOf, fieldsOf, indexOf, listOf } from './json-fields.ts'
import { keccakHexInTurns } from './keccak.ts'
import { versionedHashesOf } from './transaction.ts'
import { MAX_PROOF_NODES, provenTrieValue } from './trie.ts'
import type { Pause } from './turns.ts'

/**
 * What the answer proves of the transaction of this hash (0x hex). Rejects with `ExecutionDataError`, `invalid` where it is something else, and
 * with what `pause` rejects with.
 */
export async function transactionFromProof(
  answer: Portable | undefined,
  hash: string,
  pause: Pause,
): Promise<ProvenTransaction> {
  const { transaction, txProof, blockHeader } = fieldsOf(answer, 'proof')
  const index = indexOf(fieldsOf(transaction, 'transaction')['transactionIndex'], 'transactionIndex')
  const header = headerFromRlp(bytesOf(blockHeader, 'blockHeader'))
  const nodes = listOf(txProof, 'txProof', MAX_PROOF_NODES).map((node) => bytesOf(node, 'txProof'))
  const bytes = await provenTrieValue(header.transactionsRoot, index, nodes, pause)
  if ((await keccakHexInTurns(bytes, pause)) !== hash) throw invalid('a proof of another transaction')
  return { hash, index, versionedHashes: versionedHashesOf(bytes), firstBlob: null, header }
}
