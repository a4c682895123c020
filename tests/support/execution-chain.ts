/** A block of the execution layer that is made for a test, and a server that is honest about it. */
import { decode, encode, type Input } from '@ethereumjs/rlp'
import { createMerkleProof, createMPT } from '@ethereumjs/mpt'
import { toHex } from './bytes.ts'
import { type Json, keccakOf, makeHeader } from './execution.ts'
import type { Methods } from './json-rpc-server.ts'

/** A transaction in both forms. */
export interface MadeTransaction {
  readonly json: Json & { hash: string }
  readonly raw: Uint8Array
}

export interface MadeBlock {
  readonly hash: string
  /** RLP of the header. */
  readonly header: Uint8Array
  /** The block as JSON, without its transactions. */
  readonly json: Json
  readonly transactions: readonly MadeTransaction[]
  /** RLP of the whole block. */
  readonly raw: Uint8Array
  /** The nodes from the root of the transactions to one of them. */
  proof(index: number): Promise<string[]>
}

/** A block with these transactions; `more` are fields of its header in the place of any. */
export async function makeBlock(
  transactions: readonly MadeTransaction[],
  more: Readonly<Record<string, Uint8Array>> = {},
): Promise<MadeBlock> {
  const trie = await createMPT()
  for (const [index, { raw }] of transactions.entries()) await trie.put(encode(index), raw)
  const { rlp: header, hash, json } = makeHeader({ transactionsRoot: new Uint8Array(trie.root()), ...more })
  const placed = transactions.map(({ json: fields, raw }, index) => ({
    json: {
      ...fields,
      blockHash: hash,
      blockNumber: json['number']!,
      transactionIndex: `0x${index.toString(16)}`,
    },
    raw,
  }))
  return {
    ...{ hash, header, json, transactions: placed },
    raw: blockRlp(header, placed),
    proof: async (index) => (await createMerkleProof(trie, encode(index))).map(toHex),
  }
}

/** Header, transactions, uncles, withdrawals. Transactions of before there were types are lists in a block, all others strings. */
function blockRlp(header: Uint8Array, transactions: readonly MadeTransaction[]): Uint8Array {
  const items = transactions.map(({ raw }): Input => (raw[0]! >= 0xc0 ? decode(raw) : raw))
  return encode([decode(header), items, [], []])
}

/** The methods of a server that knows these blocks, and is honest. */
export function honest(...blocks: readonly MadeBlock[]): Methods {
  const transactions = blocks.flatMap((block) => block.transactions)
  return {
    eth_getTransactionByHash: (hash) => transactions.find(({ json }) => json.hash === hash)?.json,
    eth_getBlockByHash: (hash, isFull) => {
      const block = blocks.find((one) => one.hash === hash)
      if (block === undefined) return null
      return {
        ...block.json,
        transactions: block.transactions.map(({ json }) => (isFull ? json : json.hash)),
      }
    },
  }
}

/** What a server with `debug` methods has beyond that. */
export function debug(...blocks: readonly MadeBlock[]): Methods {
  const find = (hash: string): MadeBlock | undefined => blocks.find((one) => one.hash === hash)
  return {
    debug_getRawHeader: (hash) => toHexOrNull(find(hash)?.header),
    debug_getRawBlock: (hash) => toHexOrNull(find(hash)?.raw),
  }
}

const toHexOrNull = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : toHex(bytes)

/** A transaction of a type that is to come. */
export function futureTransaction(seed: number): MadeTransaction {
  const raw = Uint8Array.from([0x33, 0xc1 + 1, seed, seed])
  return { raw, json: { type: '0x33', hash: keccakOf(raw), nonce: '0x1', future: [toHex(raw)] } }
}
