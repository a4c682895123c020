/** One endpoint is asked for a transaction, and for what proves that it is in the block that the endpoint names. */
import type { Reply } from '../beacon/endpoint.ts'
import { BeaconFailure, isTransient } from '../beacon/failure.ts'
import { encodeHex } from '../util/hex.ts'
import type { Portable } from '../util/portable.ts'
import { askRawHeader } from './ask-header.ts'
import { blockFromRlp, MAX_TRANSACTIONS, provenBlock, transactionIn } from './block.ts'
import type { Conversation } from './conversation.ts'
import { ExecutionDataError, invalid } from './data-error.ts'
import type { ProvenTransaction } from './execution.ts'
import { headerFromJson } from './header-json.ts'
import { bytesOf, fieldsOf, indexOf, listOf } from './json-fields.ts'
import { NothingThere } from './json-rpc.ts'
import { orElse } from './second-way.ts'
import { transactionBytes } from './transaction.ts'
import { transactionFromProof } from './transaction-proof.ts'
import { inTurns, type Pause } from './turns.ts'

/** A transaction has most of a block, if it pays for it. */
const MAX_TRANSACTION_BYTES = 48 * 2 ** 20
/** A block has at most 8 MiB (EIP-7934), which are twice as much in hex; some servers give the input of each transaction twice. */
const MAX_BLOCK_BYTES = 64 * 2 ** 20
const MAX_RAW_BLOCK_BYTES = 24 * 2 ** 20
/** Transactions of a block that are asked for one by one, where nobody gives the whole block as bytes; and how many at the same time. */
const [MAX_SINGLE, SINGLE_AT_ONCE] = [64, 8]

/** What an endpoint says of where a transaction is. */
interface Place {
  readonly hash: string
  readonly blockHash: string
  readonly index: number
}

/** The endpoints that have shown that they give no proofs. */
export type WithoutProofs = Pick<WeakSet<object>, 'has' | 'add'>

/**
 * The transaction of this hash (0x hex) as one endpoint has it, proven: by the endpoint's own proof, if it gives any, which is short; else by
 * all transactions of the block. The failure is `NothingThere` where the endpoint says that no block has it.
 */
export async function askTransaction(
  endpoint: Conversation,
  hash: string,
  withoutProofs: WithoutProofs,
): Promise<Reply<ProvenTransaction>> {
  const place = await askPlace(endpoint, hash)
  if ('failure' in place) return place
  const proven = await askProof(endpoint, place.value, withoutProofs)
  return proven ?? (await askBlock(endpoint, place.value))
}

async function askPlace(endpoint: Conversation, hash: string): Promise<Reply<Place>> {
  const call = { method: 'eth_getTransactionByHash', params: [hash], maxBytes: MAX_TRANSACTION_BYTES }
  return await endpoint.call(call, (transaction) => {
    if (transaction === null) throw new NothingThere('no transaction of this hash')
    const fields = fieldsOf(transaction, 'transaction')
    if (`0x${encodeHex(bytesOf(fields['hash'], 'hash', 32))}` !== hash) throw invalid('another transaction')
    const { blockHash, transactionIndex } = fields
    if (blockHash === null || blockHash === undefined)
      throw new NothingThere('a transaction that is in no block yet', true)
    return {
      hash,
      blockHash: `0x${encodeHex(bytesOf(blockHash, 'blockHash', 32))}`,
      index: indexOf(transactionIndex, 'transactionIndex'),
    }
  })
}

/**
 * What the endpoint itself proves, of the block that it named, or null. Servers other than Nethermind know no such method. One that fails is
 * not asked for it again, unless it says that it has none of this transaction, or fails as anything may for a moment; it is not accused
 * either, since the block is still to come.
 */
async function askProof(
  conversation: Conversation,
  { hash, blockHash }: Place,
  withoutProofs: WithoutProofs,
): Promise<Reply<ProvenTransaction> | null> {
  const { endpoint } = conversation
  if (withoutProofs.has(endpoint)) return null
  const call = { method: 'proof_getTransactionByHash', params: [hash, true], maxBytes: MAX_TRANSACTION_BYTES }
  const reply = await conversation.call(call, async (proof) => {
    try {
      const proven = await transactionFromProof(proof, hash, conversation.pause)
      // The root of the transactions alone was needed: whether the rest of the header is right, its hash says.
      return proven.header.hash === blockHash ? proven : null
    } catch (error) {
      if (error instanceof ExecutionDataError) return null
      throw error
    }
  })
  if ('value' in reply && reply.value !== null) return { endpoint, value: reply.value }
  // Some servers call it an error of their own that they do not know a method. What is not there is this one transaction's proof.
  const isOpen =
    'failure' in reply &&
    (reply.failure instanceof NothingThere ||
      (isTransient(reply.failure.kind) && reply.failure.kind !== 'server-error'))
  if (!isOpen) withoutProofs.add(endpoint)
  return null
}

/** The transaction in its whole block: as JSON, or else as bytes. */
async function askBlock(endpoint: Conversation, place: Place): Promise<Reply<ProvenTransaction>> {
  const call = { method: 'eth_getBlockByHash', params: [place.blockHash, true], maxBytes: MAX_BLOCK_BYTES }
  const reply = await endpoint.call(call, async (block) => {
    if (block === null) throw new BeaconFailure('not-found', 'it does not have the block that it names')
    return await orElse(
      () => provenInJson(endpoint, place, block, new Map()),
      () => askBytes(endpoint, place, block),
    )
  })
  return 'failure' in reply && reply.failure.kind === 'too-large' ? await askRawBlock(endpoint, place) : reply
}

/** The transaction in a block of JSON; `raw` has the bytes of those that this version cannot write. Throws `ExecutionDataError`. */
async function provenInJson(
  endpoint: Conversation,
  { hash, blockHash, index }: Place,
  block: Portable,
  raw: ReadonlyMap<number, Uint8Array>,
): Promise<ProvenTransaction> {
  const { pause } = endpoint
  const transactions = await inTurns(
    transactionsOf(block),
    (entry, at) => raw.get(at) ?? transactionBytes(entry),
    pause,
  )
  const header = await orElse(
    () => headerFromJson(block, blockHash),
    () => askRawHeader(endpoint, blockHash),
  )
  return await transactionIn(await provenBlock(header, transactions, pause), hash, index, pause)
}

/** Where the JSON of a block does not do: the whole block as bytes, or those transactions of it that this version cannot write. */
async function askBytes(
  endpoint: Conversation,
  place: Place,
  block: Portable,
): Promise<Reply<ProvenTransaction>> {
  const whole = await askRawBlock(endpoint, place)
  if ('value' in whole || isTransient(whole.failure.kind)) return whole
  const missing = await unsupportedIn(block, endpoint.pause)
  if (missing.length === 0 || missing.length > MAX_SINGLE) return whole
  const raw = new Map<number, Uint8Array>()
  for (let from = 0; from < missing.length; from += SINGLE_AT_ONCE) {
    const some = missing.slice(from, from + SINGLE_AT_ONCE)
    const replies = await Promise.all(some.map((one) => askRawTransaction(endpoint, place, one)))
    for (const [at, reply] of replies.entries()) {
      if ('failure' in reply) return reply
      raw.set(some[at]!.index, reply.value)
    }
  }
  return { endpoint: endpoint.endpoint, value: await provenInJson(endpoint, place, block, raw) }
}

async function askRawBlock(
  endpoint: Conversation,
  { hash, blockHash, index }: Place,
): Promise<Reply<ProvenTransaction>> {
  const call = { method: 'debug_getRawBlock', params: [blockHash], maxBytes: MAX_RAW_BLOCK_BYTES }
  const { pause } = endpoint
  return await endpoint.call(call, async (block) =>
    transactionIn(await blockFromRlp(bytesOf(block, 'block'), blockHash, pause), hash, index, pause),
  )
}

/** A transaction of a block, as bytes. Whether they are right is for the root to say. */
async function askRawTransaction(
  endpoint: Conversation,
  { blockHash }: Place,
  { hash, index }: Unsupported,
): Promise<Reply<Uint8Array>> {
  const ask = (method: string, ...params: string[]): Promise<Reply<Uint8Array>> =>
    endpoint.call({ method, params, maxBytes: MAX_TRANSACTION_BYTES }, (bytes) =>
      bytesOf(bytes, 'transaction'),
    )
  const reply = await ask('eth_getRawTransactionByBlockHashAndIndex', blockHash, `0x${index.toString(16)}`)
  return 'value' in reply || isTransient(reply.failure.kind)
    ? reply
    : await ask('debug_getRawTransaction', hash)
}

/** A transaction of a type that this version cannot write. */
interface Unsupported {
  readonly index: number
  readonly hash: string
}

async function unsupportedIn(block: Portable, pause: Pause): Promise<Unsupported[]> {
  const unsupported = (entry: Portable, index: number): Unsupported[] => {
    try {
      transactionBytes(entry)
      return []
    } catch (error) {
      if (!(error instanceof ExecutionDataError) || error.fault !== 'unsupported') throw error
      return [{ index, hash: `0x${encodeHex(bytesOf(fieldsOf(entry, 'transaction')['hash'], 'hash', 32))}` }]
    }
  }
  return (await inTurns(transactionsOf(block), unsupported, pause)).flat()
}

function transactionsOf(block: Portable): Portable[] {
  return listOf(fieldsOf(block, 'block')['transactions'], 'transactions', MAX_TRANSACTIONS)
}
