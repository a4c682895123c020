/** The execution layer of made chains, and the JSON-RPC over it: what it says, in its order and forms. */
import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt'
import { encode } from '@ethereumjs/rlp'
import {
  createBeaconApp,
  createExecutionApp,
  type ExecutionApp,
  holeskyAsIfFulu,
  type MadeChain,
  realChain,
} from 'blobcheck/serve'
import { readEmbeddedSidecars, serveExecution } from 'blobcheck/serve/node'
import { networks } from 'blobcheck'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'
import { ask, handChain, insideOf } from '../support/served.ts'
import {
  answerOf,
  type Block,
  callOf,
  executionChain,
  everyBlock,
  headerRlp,
  keccak,
  post,
  quantity,
  type Transaction,
} from '../support/served-execution.ts'

const FORK = 4 * 32

let chain: MadeChain
let app: ExecutionApp
beforeAll(async () => {
  chain = await executionChain()
  app = createExecutionApp({ chain })
})

async function call<T>(method: string, ...params: unknown[]): Promise<T> {
  return await callOf<T>(app, method, ...params)
}

type Receipt = Record<string, unknown>

const blockOf = async (hash: string): Promise<Block> => await call('eth_getBlockByHash', hash, true)

async function trieRoot(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT()
  for (const [at, value] of values.entries()) await trie.put(encode(at), value)
  return toHex(trie.root())
}

const rawsOf = async (block: Block): Promise<Uint8Array[]> =>
  await Promise.all(
    block.transactions.map(async ({ hash }) => fromHex(await call<string>('debug_getRawTransaction', hash!))),
  )

describe('the execution layer of a made chain', () => {
  it('has blocks whose hashes are those of their headers, each on the one before', async () => {
    let parent = `0x${'00'.repeat(32)}`
    for (const number of everyBlock(chain)) {
      const block = await call<Block>('eth_getBlockByNumber', quantity(number), true)
      expect(keccak(headerRlp(block))).toBe(block['hash'])
      expect(await call('debug_getRawHeader', quantity(number))).toBe(toHex(headerRlp(block)))
      expect([block['number'], block['parentHash']]).toEqual([quantity(number), parent])
      parent = block['hash']!
    }
    expect(parent).toBe(chain.execution.head.hash)
  })

  it('has roots of transactions and receipts that a library gets, too', async () => {
    for (const number of everyBlock(chain).slice(-40)) {
      const block = await call<Block>('eth_getBlockByNumber', quantity(number), true)
      const raws = await rawsOf(block)
      expect(await trieRoot(raws)).toBe(block['transactionsRoot'])
      expect(raws.map(keccak)).toEqual(block.transactions.map(({ hash }) => hash))
      const receipts = await call<Receipt[]>('eth_getBlockReceipts', quantity(number))
      const encoded = receipts.map(({ type, cumulativeGasUsed, logsBloom }) => {
        const fields = [
          Uint8Array.of(1),
          BigInt(cumulativeGasUsed as string),
          fromHex(logsBloom as string),
          [],
        ]
        const kind = Number(type)
        return Uint8Array.from([...(kind === 0 ? [] : [kind]), ...encode(fields)])
      })
      expect(await trieRoot(encoded)).toBe(block['receiptsRoot'])
      expect(BigInt(block['gasUsed']!)).toBe(BigInt(21_000 * receipts.length))
    }
  })

  it('belongs to the beacon chain: payloads, and the roots of the blocks before them', async () => {
    let [before, withheld] = ['', 0]
    for (const slot of range(100).map((at) => 64 + at)) {
      const block = chain.at(slot)
      if (block === null) continue
      const execution = block.execution
      if (execution === null) {
        withheld++
        expect(await call('eth_getBlockByHash', toHex(insideOf(block).payload.block_hash), false)).toBeNull()
      } else {
        expect(execution.hash).toBe(toHex(insideOf(block).payload.block_hash))
        const found = await blockOf(execution.hash)
        // The block before on the beacon chain, also where its payload was never revealed.
        expect(found['parentBeaconBlockRoot']).toBe(toHex(block.header.message.parent_root))
        expect(BigInt(found['timestamp']!)).toBe(BigInt(chain.network.genesisTime + 12 * slot))
        expect(found['slotNumber']).toBe(slot >= FORK ? quantity(slot) : undefined)
        expect(found['blockAccessListHash']).toBe(slot >= FORK ? keccak(Uint8Array.of(0xc0)) : undefined)
        if (before !== '') expect(found['parentHash']).toBe(before)
        before = execution.hash
        const hashes = found.transactions.flatMap(({ blobVersionedHashes = [] }) => blobVersionedHashes)
        expect(hashes).toHaveLength(block.blobs.length)
        expect(BigInt(found['blobGasUsed']!)).toBe(BigInt(2 ** 17 * block.blobs.length))
      }
    }
    expect(withheld).toBeGreaterThan(3)
  })

  it('mixes its transactions, each of which is there once', async () => {
    const seen = new Map<string, string>()
    const nonces = new Map<string, number>()
    for (const number of everyBlock(chain)) {
      const block = await call<Block>('eth_getBlockByNumber', quantity(number), true)
      for (const transaction of block.transactions) {
        seen.set(transaction['hash']!, transaction['type']!)
        expect(transaction['chainId']).toBe(quantity(chain.execution.chainId))
        // Of each sender in order, without a gap.
        const nonce = nonces.get(transaction['from']!) ?? 0
        expect(transaction['nonce']).toBe(quantity(nonce))
        nonces.set(transaction['from']!, nonce + 1)
      }
    }
    const counts = [...seen.values()].reduce(
      (sums, type) => ({ ...sums, [type]: (sums[type] ?? 0) + 1 }),
      {} as Record<string, number>,
    )
    expect(Object.keys(counts).sort()).toEqual(['0x0', '0x2', '0x3'])
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10)
    // The addresses of the secret keys 1, 2 and 3.
    expect([...nonces.keys()].sort()).toEqual([
      '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
      '0x6813eb9362372eef6200f3b1dbc3f819671cba69',
      '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
    ])
    const places = [...seen]
      .filter(([, type]) => type === '0x3')
      .map(async ([hash]) => await call<Transaction>('eth_getTransactionByHash', hash))
    const indices = new Set((await Promise.all(places)).map(({ transactionIndex }) => transactionIndex))
    expect(indices.size).toBeGreaterThan(2)
  })

  it('grows with the chain', async () => {
    const grown = await handChain({ slots: 3 })
    const own = createExecutionApp({ chain: grown })
    expect(await callOf(own, 'eth_blockNumber')).toBe('0x3')
    expect(await callOf(own, 'eth_getBlockByNumber', '0x4', false)).toBeNull()
    grown.advance(2)
    expect(await callOf(own, 'eth_blockNumber')).toBe('0x5')
    const { hash } = await callOf<Block>(own, 'eth_getBlockByNumber', '0x5', false)
    expect(hash).toBe(grown.head.execution?.hash)
    expect(await callOf(own, 'eth_getBlockByHash', hash, false)).toMatchObject({ number: '0x5' })
  })

  it('has a chain id that the spec says, too', async () => {
    const { json } = await ask(createBeaconApp({ chain }), '/eth/v1/config/spec')
    expect(json['data']!['DEPOSIT_CHAIN_ID']).toBe(chain.execution.chainId.toString())
    expect(await call('eth_chainId')).toBe(quantity(chain.execution.chainId))
    expect(await call('net_version')).toBe(chain.execution.chainId.toString())
  })
})

describe('methods', () => {
  it('find blocks by words', async () => {
    const numberOf = async (word: string): Promise<number> =>
      Number((await call<Block>('eth_getBlockByNumber', word, false))['number'])
    const [latest, safe, finalized, earliest] = await Promise.all(
      ['latest', 'safe', 'finalized', 'earliest'].map(numberOf),
    )
    expect(earliest).toBe(0)
    expect(latest).toBe(Number(await call('eth_blockNumber')))
    expect(finalized).toBeLessThan(safe!)
    expect(safe).toBeLessThan(latest!)
    // A block of Gloas does not settle its own payload.
    const settled =
      chain.finalized.slot >= FORK
        ? insideOf(chain.finalized).settledPayload.block
        : chain.finalized.execution
    expect(finalized).toBe(settled!.number)
    expect(await call('eth_syncing')).toBe(false)
    expect(await call('web3_clientVersion')).toMatch(/^blobcheck-serve/)
  })

  it('say the same of a transaction, however it is asked for', async () => {
    const block = await blockOf(chain.execution.head.hash)
    const hashes = await call<Block>('eth_getBlockByHash', block['hash'], false)
    expect(hashes.transactions).toEqual(block.transactions.map(({ hash }) => hash))
    expect(await call('eth_getBlockTransactionCountByHash', block['hash'])).toBe(
      quantity(block.transactions.length),
    )
    expect(await call('eth_getBlockTransactionCountByNumber', 'latest')).toBe(
      quantity(block.transactions.length),
    )
    const raws = await rawsOf(block)
    for (const [index, transaction] of block.transactions.entries()) {
      const { hash } = transaction
      expect(transaction).toMatchObject({ blockHash: block['hash'], transactionIndex: quantity(index) })
      expect(await call('eth_getTransactionByHash', hash)).toEqual(transaction)
      const at = quantity(index)
      expect(await call('eth_getTransactionByBlockHashAndIndex', block['hash'], at)).toEqual(transaction)
      expect(await call('eth_getTransactionByBlockNumberAndIndex', 'latest', at)).toEqual(transaction)
      expect(await call('eth_getRawTransactionByHash', hash)).toBe(toHex(raws[index]!))
      expect(await call('eth_getRawTransactionByBlockHashAndIndex', block['hash'], at)).toBe(
        toHex(raws[index]!),
      )
      const receipt = await call<Receipt>('eth_getTransactionReceipt', hash)
      const blobs = transaction.blobVersionedHashes?.length
      expect(receipt).toMatchObject({
        ...{ transactionHash: hash, transactionIndex: at, from: transaction['from'], status: '0x1' },
        ...(blobs !== undefined && { blobGasUsed: quantity(blobs * 2 ** 17), blobGasPrice: '0x1' }),
      })
      expect('blobGasUsed' in receipt).toBe(blobs !== undefined)
    }
    const receipts = await call<Receipt[]>('eth_getBlockReceipts', 'latest')
    expect(receipts.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed))).toEqual(
      receipts.map((_, at) => 21_000 * (at + 1)),
    )
  })

  it('give blocks as bytes: header, transactions, uncles, withdrawals', async () => {
    const block = await blockOf(chain.execution.head.hash)
    const raw = fromHex(await call<string>('debug_getRawBlock', 'latest'))
    expect(block['size']).toBe(quantity(raw.length))
    const raws = await rawsOf(block)
    const header = toHex(headerRlp(block)).slice(2)
    // A transaction without a type is a list by itself, and any other a string.
    const list = raws.map((one) => toHex(one[0]! >= 0xc0 ? one : encode(one)).slice(2)).join('')
    const content = `${header}${prefix(list.length / 2)}${list}c0c0`
    expect(toHex(raw)).toBe(`0x${prefix(content.length / 2)}${content}`)
    expect(await call('debug_getRawBlock', { blockHash: block['hash'] })).toBe(toHex(raw))
  })

  it('prove that a transaction is in its block', async () => {
    for (const number of everyBlock(chain).slice(-20)) {
      const block = await call<Block>('eth_getBlockByNumber', quantity(number), true)
      for (const [index, { hash }] of block.transactions.entries()) {
        const { transaction, txProof, blockHeader } = await call<{
          transaction: Transaction
          txProof: string[]
          blockHeader: string
        }>('proof_getTransactionByHash', hash, true)
        expect(transaction).toEqual(block.transactions[index])
        expect(keccak(fromHex(blockHeader))).toBe(block['hash'])
        const root = fromHex(block['transactionsRoot']!)
        const proof = txProof.map(fromHex)
        const value = await verifyMPTWithMerkleProof(await createMPT(), root, encode(index), proof)
        expect(value && keccak(value)).toBe(hash)
      }
    }
    const some = (await blockOf(chain.execution.head.hash)).transactions[0]!
    expect(await call('proof_getTransactionByHash', some['hash'])).not.toHaveProperty('blockHeader')
  })

  it('answer null, or an error, for what is not there', async () => {
    const nobody = `0x${'ab'.repeat(32)}`
    for (const [method, ...params] of [
      ['eth_getBlockByHash', nobody, true],
      ['eth_getBlockByNumber', '0xffffff', false],
      ['eth_getBlockReceipts', nobody],
      ['eth_getTransactionByHash', nobody],
      ['eth_getTransactionReceipt', nobody],
      ['eth_getTransactionByBlockHashAndIndex', chain.execution.head.hash, '0xfff'],
      ['eth_getRawTransactionByHash', nobody],
      ['debug_getRawTransaction', nobody],
      ['eth_getBlockTransactionCountByHash', nobody],
    ])
      expect(await call(method as string, ...params), method as string).toBeNull()
    for (const [method, ...params] of [
      ['debug_getRawHeader', nobody],
      ['debug_getRawBlock', '0xffffff'],
      ['proof_getTransactionByHash', nobody, true],
    ])
      expect((await answerOf(app, method as string, ...params)).error?.code, method as string).toBe(-32001)
  })
})

/** The prefix of a list whose items have so many bytes, beyond 55. */
function prefix(length: number): string {
  const digits = length.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return `${(0xf7 + even.length / 2).toString(16)}${even}`
}

describe('JSON-RPC', () => {
  const json = async (body: unknown): Promise<unknown> =>
    await (await post(app, typeof body === 'string' ? body : JSON.stringify(body))).json()

  it.each([
    ['{', -32700, null],
    ['[]', -32600, null],
    ['7', -32600, null],
    ['null', -32600, null],
    [{ id: 1, method: 'eth_chainId' }, -32600, null],
    [{ jsonrpc: '2.0', id: 1 }, -32600, null],
    [{ jsonrpc: '2.0', id: 'a', method: 'eth_call', params: [] }, -32601, 'a'],
    [{ jsonrpc: '2.0', id: 2, method: 'toString', params: [] }, -32601, 2],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getBlockByHash', params: ['0x12', true] }, -32602, 3],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getBlockByHash' }, -32602, 3],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getBlockByNumber', params: ['newest', true] }, -32602, 3],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getBlockByNumber', params: ['constructor', true] }, -32602, 3],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getBlockByNumber', params: ['0x1', 'yes'] }, -32602, 3],
    [{ jsonrpc: '2.0', id: 3, method: 'eth_getTransactionByHash', params: { hash: '0x' } }, -32602, 3],
  ])('answers %j with the error %d', async (body, code, id) => {
    expect(await json(body)).toMatchObject({ jsonrpc: '2.0', id, error: { code } })
  })

  it('answers a batch in order, and nothing to notifications', async () => {
    const answers = await json([
      { jsonrpc: '2.0', id: 5, method: 'eth_syncing' },
      { jsonrpc: '2.0', method: 'eth_chainId' },
      7,
      { jsonrpc: '2.0', id: null, method: 'eth_nothing' },
    ])
    expect(answers).toMatchObject([
      { id: 5, result: false },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32601 } },
    ])
    const silent = await post(app, JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' }))
    expect([silent.status, await silent.text()]).toEqual([204, ''])
  })

  it('takes POST alone, from pages of any origin', async () => {
    const get = (await app.fetch(new Request('http://execution.test/'))) as Response
    expect(get.status).toBe(405)
    const preflight = (await app.fetch(
      new Request('http://execution.test/', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://page.test',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      }),
    )) as Response
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  })

  it('is heard on a port, by many at once over connections that stay open', async () => {
    const server = await serveExecution({ chain })
    const warnings: Error[] = []
    process.on('warning', (warning) => warnings.push(warning))
    const ask = async (): Promise<unknown> => {
      const response = await fetch(`${server.url}/v3/some-key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      })
      // One without a body, too, over the same connections.
      expect((await fetch(server.url)).status).toBe(405)
      return await response.json()
    }
    const wanted = { jsonrpc: '2.0', id: 1, result: await call('eth_blockNumber') }
    for (let round = 0; round < 20; round++)
      expect(await Promise.all(range(8).map(ask))).toEqual(range(8).map(() => wanted))
    await server.close()
    // Nothing is left behind on a connection by what was asked over it.
    expect(warnings.map(({ message }) => message)).toEqual([])
  })
})

describe('chains of which no execution layer is known', () => {
  it('answer null', async () => {
    const network = { ...networks.holesky, label: holeskyAsIfFulu.label }
    const real = createExecutionApp({
      chain: await realChain({ sidecars: await readEmbeddedSidecars(), network }),
    })
    for (const method of ['eth_chainId', 'eth_blockNumber', 'eth_getBlockByNumber', 'debug_getRawHeader'])
      expect(await callOf(real, method, 'latest')).toBeNull()
    expect(await callOf(real, 'web3_clientVersion')).toContain('blobcheck-serve')
    expect((await answerOf(real, 'eth_call')).error?.code).toBe(-32601)
  })
})
