/** Blocks, transactions and receipts in the JSON of the JSON-RPC (execution-apis, schemas/block.yaml, transaction.yaml and receipt.yaml). */
import { GAS_PER_BLOB } from '../../beacon/constants.ts'
import { encodeRlp, type RlpInput } from '../../execution/rlp.ts'
import { hexOf } from '../ssz/types.ts'
import { headerField, headerJson, readHeader } from './header.ts'
import { bigintOf, quantityOf } from './quantity.ts'
import { type ReadTransaction, readTransaction, transactionFieldsJson } from './transaction.ts'
import { type BlockView, type Place, placeIn, type TransactionView } from './view.ts'

/** A block, with its transactions or with their hashes. */
export function blockJson(block: BlockView, isFull: boolean): object {
  return {
    hash: block.hash,
    ...headerJson(block.header),
    size: quantityOf(rawBlock(block).length),
    uncles: [],
    transactions: isFull ? placesIn(block).map(transactionJson) : block.transactions.map(({ hash }) => hash),
    withdrawals: [],
  }
}

/** All transactions of a block, in order. */
export function placesIn(block: BlockView): Place[] {
  return block.transactions.map((_transaction, index) => placeIn(block, index)!)
}

/** A transaction in its block. */
export function transactionJson({ block, index, transaction }: Place): object {
  const read = readTransaction(transaction.bytes)
  return {
    blockHash: block.hash,
    blockNumber: quantityOf(block.number),
    blockTimestamp: quantityOf(headerField(block.header, 'timestamp') ?? 0),
    hash: transaction.hash,
    transactionIndex: quantityOf(index),
    type: quantityOf(read.type),
    from: hexOf(read.sender()),
    ...transactionFieldsJson(read),
    gasPrice: quantityOf(gasPriceOf(block, read)),
  }
}

/** What a transaction did: it succeeded, and logged nothing. */
export function receiptJson({ block, index, transaction }: Place): object {
  const read = readTransaction(transaction.bytes)
  const cumulative = block.gasUsed.slice(0, index + 1).reduce((sum, gas) => sum + gas, 0)
  const blobs = read.versionedHashes.length
  return {
    blockHash: block.hash,
    blockNumber: quantityOf(block.number),
    transactionHash: transaction.hash,
    transactionIndex: quantityOf(index),
    type: quantityOf(read.type),
    status: '0x1',
    from: hexOf(read.sender()),
    to: transactionFieldsJson(read)['to'],
    contractAddress: null,
    gasUsed: quantityOf(block.gasUsed[index] ?? 0),
    cumulativeGasUsed: quantityOf(cumulative),
    effectiveGasPrice: quantityOf(gasPriceOf(block, read)),
    ...(blobs > 0 && {
      blobGasUsed: quantityOf(GAS_PER_BLOB * blobs),
      blobGasPrice: quantityOf(block.blobGasPrice),
    }),
    logs: [],
    logsBloom: hexOf(new Uint8Array(256)),
  }
}

/** A whole block as RLP: header, transactions, uncles, withdrawals (EIP-4895). */
export function rawBlock({ header, transactions }: BlockView): Uint8Array {
  return encodeRlp([readHeader(header), transactions.map(inBlock), [], []])
}

/** Transactions without a type are lists in a block, and others strings (EIP-2718). */
function inBlock({ bytes }: TransactionView): RlpInput {
  const { type, fields } = readTransaction(bytes)
  return type === 0 ? [...fields.values()] : bytes
}

/** What was paid for a unit of gas: what is offered, up to the base fee and the tip (EIP-1559). */
function gasPriceOf({ header }: BlockView, { fields }: ReadTransaction): bigint {
  const price = (name: string): bigint | null => {
    const value = fields.get(name)
    return value instanceof Uint8Array ? bigintOf(value) : null
  }
  const most = price('maxFeePerGas')
  if (most === null) return price('gasPrice') ?? 0n
  const wanted =
    bigintOf(headerField(header, 'baseFeePerGas') ?? new Uint8Array(0)) +
    (price('maxPriorityFeePerGas') ?? 0n)
  return wanted < most ? wanted : most
}
