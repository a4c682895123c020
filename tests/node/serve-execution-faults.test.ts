/** Faults of an execution node of `blobcheck/serve`: how it lies, and about nothing else. */
import {
  createExecutionApp,
  type ExecutionApp,
  type Fault,
  type FaultRule,
  type MadeChain,
} from 'blobcheck/serve'
import { beforeAll, expect, it } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import {
  answerOf,
  type Block,
  callOf,
  everyBlock,
  executionChain,
  headerFields,
  headerRlp,
  keccak,
  post,
  quantity,
  type Transaction,
} from '../support/served-execution.ts'

let chain: MadeChain
let honest: ExecutionApp
beforeAll(async () => {
  chain = await executionChain()
  honest = createExecutionApp({ chain })
})

const call = async <T>(method: string, ...params: unknown[]): Promise<T> =>
  await callOf<T>(honest, method, ...params)

const faulty = (...rules: FaultRule[]): ExecutionApp => createExecutionApp({ chain, faults: { rules } })
const lying = (fault: Fault): ExecutionApp => faulty({ fault })
/** A block with two blob transactions or more, one of them with several hashes. */
async function busy(): Promise<Block> {
  for (const number of everyBlock(chain).reverse()) {
    const block = await call<Block>('eth_getBlockByNumber', quantity(number), true)
    if (block.transactions.filter(({ blobVersionedHashes: hashes = [] }) => hashes.length > 1).length > 1)
      return block
  }
  throw new Error('there is no such block')
}
const blobTransaction = (block: Block): Transaction =>
  block.transactions.find(({ blobVersionedHashes: hashes = [] }) => hashes.length > 1)!

it.each(headerFields)('lie about %s in a header, and about nothing else', async (field) => {
  const block = await busy()
  const liar = lying({ kind: 'lie', about: 'header', field })
  const told = await callOf<Block>(liar, 'eth_getBlockByHash', block['hash'], true)
  expect(told[field]).not.toBe(block[field])
  expect(told[field]).toMatch(/^0x[0-9a-f]+$/)
  // Each transaction says the time of its block, and the price of gas in it.
  const follower = { timestamp: 'blockTimestamp', baseFeePerGas: 'gasPrice' }[field]
  const transactions = block.transactions.map((transaction, at) =>
    follower === undefined ? transaction : { ...transaction, [follower]: told.transactions[at]?.[follower] },
  )
  expect({ ...told, [field]: block[field], size: block['size'] }).toEqual({ ...block, transactions })
  const raw = await callOf<string>(liar, 'debug_getRawHeader', block['hash'])
  expect(raw).toBe(toHex(headerRlp(told)))
  expect(keccak(fromHex(raw))).not.toBe(block['hash'])
})

it('answer with another block, which is true to itself', async () => {
  const block = await busy()
  const told = await callOf<Block>(
    lying({ kind: 'lie', about: 'other-block' }),
    'eth_getBlockByHash',
    block['hash'],
    true,
  )
  expect(told['hash']).toBe(block['parentHash'])
  expect(told).toEqual(await call('eth_getBlockByHash', told['hash'], true))
})

it('leave a transaction out', async () => {
  const block = await busy()
  const told = await callOf<Block>(
    lying({ kind: 'lie', about: 'missing-transaction' }),
    'eth_getBlockByHash',
    block['hash'],
    true,
  )
  expect(told).toEqual({ ...block, size: told['size'], transactions: block.transactions.slice(0, -1) })
})

it('change the order of versioned hashes, and the only one', async () => {
  const block = await busy()
  const liar = lying({ kind: 'lie', about: 'versioned-hashes' })
  const transaction = blobTransaction(block)
  const told = await callOf<Transaction>(liar, 'eth_getTransactionByHash', transaction['hash'])
  const reversed = [...transaction.blobVersionedHashes!].reverse()
  expect({ ...told, from: '' }).toEqual({ ...transaction, from: '', blobVersionedHashes: reversed })
  const within = await callOf<Block>(liar, 'eth_getBlockByHash', block['hash'], true)
  expect(within.transactions[Number(transaction['transactionIndex'])]).toEqual(told)
  const raw = fromHex(await callOf<string>(liar, 'debug_getRawTransaction', transaction['hash']))
  expect(keccak(raw)).not.toBe(transaction['hash'])

  const all = await Promise.all(
    everyBlock(chain).map((number) => call<Block>('eth_getBlockByNumber', quantity(number), true)),
  )
  const single = all
    .flatMap(({ transactions }) => transactions)
    .find(({ blobVersionedHashes }) => blobVersionedHashes?.length === 1)!
  const changed = await callOf<Transaction>(liar, 'eth_getTransactionByHash', single['hash'])
  expect(changed.blobVersionedHashes).toHaveLength(1)
  expect(changed.blobVersionedHashes).not.toEqual(single.blobVersionedHashes)
})

it('answer with another transaction, which is true to itself', async () => {
  const transaction = blobTransaction(await busy())
  const told = await callOf<Transaction>(
    lying({ kind: 'lie', about: 'other-transaction' }),
    'eth_getTransactionByHash',
    transaction['hash'],
  )
  expect(told['hash']).not.toBe(transaction['hash'])
  expect(told).toEqual(await call('eth_getTransactionByHash', told['hash']))
})

it('move a transaction to another block, and to another place', async () => {
  const block = await busy()
  const transaction = blobTransaction(block)
  const moved = lying({ kind: 'lie', about: 'moved-transaction' })
  expect(await callOf(moved, 'eth_getTransactionByHash', transaction['hash'])).toMatchObject({
    hash: transaction['hash'],
    blobVersionedHashes: transaction.blobVersionedHashes,
    blockHash: block['parentHash'],
    blockNumber: quantity(Number(block['number']) - 1),
  })
  // The blocks stay as they were.
  expect(await callOf(moved, 'eth_getBlockByHash', block['hash'], true)).toEqual(block)
  const transactionIndex = quantity(Number(transaction['transactionIndex']) + 1)
  expect(
    await callOf(
      lying({ kind: 'lie', about: 'other-index' }),
      'eth_getTransactionByHash',
      transaction['hash'],
    ),
  ).toEqual({ ...transaction, transactionIndex })
})

it('spoil a proof', async () => {
  const { hash } = blobTransaction(await busy())
  const proof = await call<{ txProof: string[] }>('proof_getTransactionByHash', hash, true)
  const told = await callOf<{ txProof: string[] }>(
    lying({ kind: 'lie', about: 'proof' }),
    'proof_getTransactionByHash',
    hash,
    true,
  )
  expect(told.txProof.slice(0, -1)).toEqual(proof.txProof.slice(0, -1))
  expect(told.txProof.at(-1)).not.toBe(proof.txProof.at(-1))
  expect({ ...told, txProof: proof.txProof }).toEqual(proof)
})

it('say that there is nothing, an error, or something to another call', async () => {
  const { hash } = chain.execution.head
  expect(await callOf(lying({ kind: 'no-result' }), 'eth_getBlockByHash', hash, true)).toBeNull()
  const refusing = lying({ kind: 'rpc-error', code: -32005, message: 'limit exceeded' })
  expect(await answerOf(refusing, 'eth_chainId')).toEqual({
    ...{ jsonrpc: '2.0', id: 7 },
    error: { code: -32005, message: 'limit exceeded' },
  })
  expect(await answerOf(lying({ kind: 'wrong-id' }), 'eth_syncing')).toMatchObject({ id: 8, result: false })
})

it('on the way are those of every server', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  expect((await post(lying({ kind: 'status', code: 500 }), body)).status).toBe(500)
  expect((await post(lying({ kind: 'rate-limit', perSecond: 0 }), body)).status).toBe(429)
  const cut = await post(lying({ kind: 'truncate', at: 0.5 }), body)
  await expect(cut.text()).rejects.toThrow('broken off')
  const other = await post(lying({ kind: 'content-type', value: 'text/html' }), body)
  expect(other.headers.get('content-type')).toBe('text/html')
})

it('are for the methods that they name: of a batch, for those calls', async () => {
  const mixed = faulty(
    { fault: { kind: 'no-result' }, routes: ['eth_chainId'] },
    { fault: { kind: 'status', code: 503 }, routes: ['eth_blockNumber', 'headers'] },
  )
  const one = (method: string): object => ({ jsonrpc: '2.0', id: method, method, params: [] })
  const batch = await post(mixed, JSON.stringify([one('eth_chainId'), one('net_version')]))
  expect(await batch.json()).toMatchObject([
    { id: 'eth_chainId', result: null },
    { id: 'net_version', result: chain.execution.chainId.toString() },
  ])
  expect((await post(mixed, JSON.stringify([one('net_version'), one('eth_blockNumber')]))).status).toBe(503)
  expect((await post(mixed, JSON.stringify(one('net_version')))).status).toBe(200)
})

it('leaves alone an answer that has no body, where it would give that another shape', async () => {
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' })
  for (const fault of [
    { kind: 'truncate', at: 0.5 },
    { kind: 'oversized', bytes: 10 },
    { kind: 'drip', bytes: 10, everyMs: 1 },
  ] as const) {
    const response = await post(lying(fault), notification)
    expect([response.status, await response.text()]).toEqual([204, ''])
  }
})
