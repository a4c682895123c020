/** What each method of the JSON-RPC answers. Sources: ethereum/execution-apis; `proof_`: Nethermind; raw transactions by index: Geth. */
import type { ChainExecution } from '../chain.ts'
import { hexOf } from '../ssz/types.ts'
import { blockJson, placesIn, rawBlock, receiptJson, transactionJson } from './json.ts'
import { codes, RpcError } from './json-rpc.ts'
import type { MethodName } from './method-names.ts'
import { readBlockId, readFlag, readHash, readNumber, readQuantity } from './params.ts'
import { quantityOf } from './quantity.ts'
import { type BlockId, type BlockView, type ExecutionView, type Place, placeIn } from './view.ts'

/** What a method answers from. */
export interface Asked {
  readonly chainId: ChainExecution['chainId']
  readonly view: ExecutionView
  readonly params: readonly unknown[]
}

type Method = (asked: Asked) => unknown

/** The methods that ask for something of the chain: where nothing of it is known, each answers null. */
export const methods: Readonly<Record<Exclude<MethodName, 'web3_clientVersion' | 'eth_syncing'>, Method>> = {
  net_version: ({ chainId }) => chainId.toString(),
  eth_chainId: ({ chainId }) => quantityOf(chainId),
  eth_blockNumber: ({ view }) => map(view.block({ tag: 'head' }), ({ number }) => quantityOf(number)),

  eth_getBlockByHash: ({ view, params: [hash, full] }) => blockOf(view, byHash(hash), full),
  eth_getBlockByNumber: ({ view, params: [number, full] }) => blockOf(view, readNumber(number), full),
  eth_getBlockReceipts: ({ view, params: [id] }) =>
    map(view.block(readBlockId(id)), (block) => placesIn(block).map(receiptJson)),
  eth_getBlockTransactionCountByHash: ({ view, params: [hash] }) => countOf(view, byHash(hash)),
  eth_getBlockTransactionCountByNumber: ({ view, params: [number] }) => countOf(view, readNumber(number)),

  eth_getTransactionByHash: ({ view, params: [hash] }) => map(placeOf(view, hash), transactionJson),
  eth_getTransactionByBlockHashAndIndex: ({ view, params: [hash, index] }) =>
    map(placeAt(view, byHash(hash), index), transactionJson),
  eth_getTransactionByBlockNumberAndIndex: ({ view, params: [number, index] }) =>
    map(placeAt(view, readNumber(number), index), transactionJson),
  eth_getTransactionReceipt: ({ view, params: [hash] }) => map(placeOf(view, hash), receiptJson),

  eth_getRawTransactionByHash: ({ view, params: [hash] }) => map(placeOf(view, hash), rawTransaction),
  eth_getRawTransactionByBlockHashAndIndex: ({ view, params: [hash, index] }) =>
    map(placeAt(view, byHash(hash), index), rawTransaction),

  debug_getRawHeader: ({ view, params: [id] }) => hexOf(found(view.block(readBlockId(id))).header),
  debug_getRawBlock: ({ view, params: [id] }) => hexOf(rawBlock(found(view.block(readBlockId(id))))),
  debug_getRawTransaction: ({ view, params: [hash] }) => map(placeOf(view, hash), rawTransaction),

  proof_getTransactionByHash({ view, params: [hash, withHeader] }) {
    const place = found(placeOf(view, hash))
    return {
      transaction: transactionJson(place),
      txProof: view.proof(place).map(hexOf),
      ...(readFlag(withHeader, 'includeHeader') && { blockHeader: hexOf(place.block.header) }),
    }
  },
}

const byHash = (hash: unknown): BlockId => ({ hash: readHash(hash, 'hash') })

const rawTransaction = ({ transaction }: Place): string => hexOf(transaction.bytes)

const placeOf = (view: ExecutionView, hash: unknown): Place | null => view.transaction(readHash(hash, 'hash'))

function placeAt(view: ExecutionView, id: BlockId, index: unknown): Place | null {
  const at = readQuantity(index, 'index')
  return map(view.block(id), (block) => placeIn(block, at))
}

function blockOf(view: ExecutionView, id: BlockId, isFull: unknown): object | null {
  const full = readFlag(isFull, 'full')
  return map(view.block(id), (block) => blockJson(block, full))
}

const countOf = (view: ExecutionView, id: BlockId): string | null =>
  map(view.block(id), ({ transactions }: BlockView) => quantityOf(transactions.length))

/** What is to be made of it, if there is anything. */
function map<T, U>(value: T | null, make: (value: T) => U): U | null {
  return value === null ? null : make(value)
}

/** Where servers answer with an error, and not with null. */
function found<T>(value: T | null): T {
  if (value === null) throw new RpcError(codes.notFound, 'not found')
  return value
}
