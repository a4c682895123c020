/** The execution layer by endpoints that are honest, over real HTTP: what is asked, what comes back, and by which way it is proven. */
import { decode, encode } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { createExecutionSource } from '../../dist/execution/source.js'
import type { ExecutionSource, ExecutionTally } from '../../dist/execution/execution.js'
import { transactionBytes } from '../../dist/execution/transaction.js'
import { toHex } from '../support/bytes.ts'
import { recordedBlock } from '../support/execution.ts'
import {
  debug,
  futureTransaction,
  honest,
  makeBlock,
  type MadeBlock,
  type MadeTransaction,
} from '../support/execution-chain.ts'
import {
  type Delivery,
  type Methods,
  plainly,
  RpcError,
  type RpcServer,
  startRpc,
} from '../support/json-rpc-server.ts'
import { sepoliaAmsterdam } from '../support/execution-headers.ts'

const recorded = await recordedBlock()
const real = recorded.transactions.map((json): MadeTransaction => ({ json, raw: transactionBytes(json) }))
const ofType = (type: string): MadeTransaction[] => real.filter(({ json }) => json['type'] === type)
/** Some transactions of each type, those with blobs last. */
const some = [...ofType('0x0').slice(0, 2), ...ofType('0x2').slice(0, 2), ...ofType('0x4'), ...ofType('0x3')]

const quiet: ExecutionTally = { requested() {}, received() {}, failed() {} }
const terms = { signal: new AbortController().signal, tally: quiet }
const sourceOf = (...servers: readonly RpcServer[]): ExecutionSource =>
  createExecutionSource(
    servers.map(({ url }) => url),
    { fetch: (url, init) => fetch(url, init), timeoutMs: 10_000, now: Date.now, random: Math.random },
  )

const ofRecorded: Methods = {
  eth_getTransactionByHash: (hash) => recorded.transactions.find((one) => one.hash === hash),
  eth_getBlockByHash: (hash, isFull) =>
    hash === recorded.hash
      ? {
          ...recorded,
          transactions: isFull ? recorded.transactions : recorded.transactions.map((one) => one.hash),
        }
      : null,
}

describe('a header', () => {
  it.each([
    ['mainnet', () => recorded],
    ['sepolia', () => sepoliaAmsterdam],
  ])('of %s is asked for by its hash', async (_, block) => {
    const { hash } = block() as { hash: string }
    const server = await startRpc({
      eth_getBlockByHash: (asked, isFull) => (asked === hash && !isFull ? block() : null),
    })
    const header = await sourceOf(server).header(hash.toUpperCase().replace('0X', '0x'), terms)
    expect(header?.hash).toBe(hash)
    expect(server.called).toEqual(['eth_getBlockByHash'])
  })

  it('is asked for as bytes where its JSON has fields that nobody knows', async () => {
    const block = await makeBlock(some)
    const more = Object.fromEntries([1, 2, 3, 4, 5].map((field) => [`field${field}`, `0x${field}`]))
    const { blockAccessListHash: _, ...rest } = block.json
    const server = await startRpc({ eth_getBlockByHash: () => ({ ...rest, ...more }), ...debug(block) })
    expect(await sourceOf(server).header(block.hash, terms)).toMatchObject({
      hash: block.hash,
      rlp: block.header,
    })
    expect(server.called).toEqual(['eth_getBlockByHash', 'debug_getRawHeader'])
  })
})

describe('a transaction', () => {
  it('of mainnet is proven by all transactions of its block', async () => {
    const server = await startRpc(ofRecorded)
    const source = sourceOf(server)
    let before = 0
    for (const { json } of ofType('0x3')) {
      const versionedHashes = json['blobVersionedHashes'] as string[]
      expect(await source.transaction(json.hash, terms)).toMatchObject({
        ...{ hash: json.hash, index: Number(json['transactionIndex']), versionedHashes, firstBlob: before },
        header: { hash: recorded.hash, number: 24_476_000 },
      })
      before += versionedHashes.length
    }
    const { json } = ofType('0x2').at(-1)!
    expect(await source.transaction(json.hash, terms)).toMatchObject({
      versionedHashes: [],
      index: Number(json['transactionIndex']),
    })
    // A proof is asked for once: the server has shown that it gives none.
    const each = ['eth_getTransactionByHash', 'eth_getBlockByHash']
    expect(server.called).toEqual([each[0], 'proof_getTransactionByHash', each[1], ...each, ...each, ...each])
  })

  it('of each type is found where it is', async () => {
    const block = await makeBlock(some)
    const source = sourceOf(await startRpc(honest(block)))
    for (const [index, { json }] of some.entries())
      expect(await source.transaction(json.hash, terms)).toMatchObject({
        index,
        header: { hash: block.hash },
      })
  })

  it('is found though the endpoint is wrong about its place', async () => {
    const block = await makeBlock(some)
    const index = some.length - 1
    const methods = honest(block)
    const server = await startRpc({
      ...methods,
      eth_getTransactionByHash: (hash) => ({
        ...(methods['eth_getTransactionByHash']!(hash) as object),
        transactionIndex: '0x1',
      }),
    })
    expect(await sourceOf(server).transaction(some[index]!.json.hash, terms)).toMatchObject({ index })
  })
})

/** As Nethermind answers `proof_getTransactionByHash(hash, true)`. */
async function prover(block: MadeBlock): Promise<Methods> {
  const proofs = await Promise.all(block.transactions.map((_, index) => block.proof(index)))
  return {
    ...honest(block),
    proof_getTransactionByHash: (hash, withHeader) => {
      const index = block.transactions.findIndex(({ json }) => json.hash === hash)
      if (index === -1 || !withHeader) return null
      return {
        transaction: block.transactions[index]!.json,
        txProof: proofs[index],
        blockHeader: toHex(block.header),
      }
    },
  }
}

/** All of it is true, of another transaction than the one that was asked for. */
const first = await makeBlock(some)
const ofFirst = {
  transaction: first.transactions[0]!.json,
  txProof: await first.proof(0),
  blockHeader: toHex(first.header),
}
/** The same transactions in a block of another time: what proves the one proves the other. */
const otherTime = await makeBlock(some, { timestamp: Uint8Array.of(1, 2, 3) })

describe('a server’s own proof', () => {
  it('is enough, and its block is not asked for', async () => {
    const block = await makeBlock(some)
    const server = await startRpc(await prover(block))
    const source = sourceOf(server)
    for (const [index, { json }] of some.entries())
      expect(await source.transaction(json.hash, terms)).toEqual({
        ...{ hash: json.hash, index, versionedHashes: json['blobVersionedHashes'] ?? [], firstBlob: null },
        header: await source.header(block.hash, terms),
      })
    expect(server.called.filter((method) => method.startsWith('proof'))).toHaveLength(some.length)
    expect(server.requests.filter(({ body }) => JSON.stringify(body).includes('true]'))).toHaveLength(
      some.length,
    )
  })

  it.each<[string, (proof: { txProof: string[]; blockHeader: string; transaction: object }) => unknown]>([
    ['nothing', () => null],
    ['no nodes', (proof) => ({ ...proof, txProof: [] })],
    ['another place', (proof) => ({ ...proof, transaction: { transactionIndex: '0x0' } })],
    ['of another transaction', () => ofFirst],
    ['no place', (proof) => ({ ...proof, transaction: {} })],
    ['no header', (proof) => ({ ...proof, blockHeader: null })],
    ['a header that is none', (proof) => ({ ...proof, blockHeader: '0xc0' })],
    ['of another header', (proof) => ({ ...proof, blockHeader: toHex(otherTime.header) })],
    ['a node that is none', (proof) => ({ ...proof, txProof: ['0x00', ...proof.txProof.slice(1)] })],
    ['words', () => 'proven'],
    ['too many nodes', (proof) => ({ ...proof, txProof: new Array<string>(33).fill(proof.txProof[0]!) })],
  ])('that is %s costs one request, and the block proves it', async (_, spoil) => {
    const block = await makeBlock(some)
    const methods = await prover(block)
    const server = await startRpc({
      ...methods,
      proof_getTransactionByHash: (...params) =>
        spoil(methods['proof_getTransactionByHash']!(...params) as never),
    })
    const source = sourceOf(server)
    for (const { json } of some.slice(-2))
      expect(await source.transaction(json.hash, terms)).toMatchObject({
        hash: json.hash,
        header: { hash: block.hash },
      })
    expect(server.called.filter((method) => method.startsWith('proof'))).toHaveLength(1)
  })
})

describe('a server that gives no proofs', () => {
  const refusals: [string, Delivery][] = [-32601, -32600, -32000, -32603].map((code) => [
    `error ${code}`,
    (_text, response, { id }) =>
      plainly(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'unsupported' } }), response, {
        id,
        method: '',
        params: [],
      }),
  ])
  const statuses = [400, 403, 404, 405, 500].map((status): [string, Delivery] => [
    `status ${status}`,
    (_text, response) => void response.writeHead(status).end(),
  ])

  it.each([...refusals, ...statuses])('and says so by %s is asked for one once', async (_, refuse) => {
    const block = await makeBlock(some)
    const server = await startRpc(honest(block), (text, response, call) =>
      (call.method.startsWith('proof') ? refuse : plainly)(text, response, call),
    )
    const source = sourceOf(server)
    for (const { json } of some.slice(0, 3))
      expect(await source.transaction(json.hash, terms)).toMatchObject({ header: { hash: block.hash } })
    expect(server.called.filter((method) => method.startsWith('proof'))).toHaveLength(1)
  })

  it('of one transaction may give that of another', async () => {
    const block = await makeBlock(some)
    const methods = await prover(block)
    const [first, second] = some
    const server = await startRpc({
      ...methods,
      proof_getTransactionByHash(...params) {
        if (params[0] === first!.json.hash) throw new RpcError(-32001, 'no receipt')
        return methods['proof_getTransactionByHash']!(...params)
      },
    })
    const source = sourceOf(server)
    expect(await source.transaction(first!.json.hash, terms)).toMatchObject({ firstBlob: 0 })
    expect(await source.transaction(second!.json.hash, terms)).toMatchObject({ firstBlob: null })
  })

  it('but may, when it is less busy, is asked again', async () => {
    const block = await makeBlock(some)
    let isBusy = true
    const server = await startRpc(await prover(block), (text, response, call) => {
      if (isBusy && call.method.startsWith('proof')) response.writeHead(429).end()
      else plainly(text, response, call)
    })
    const source = sourceOf(server)
    const { hash } = some[0]!.json
    expect(await source.transaction(hash, terms)).toMatchObject({ firstBlob: 0 })
    isBusy = false
    expect(await source.transaction(hash, terms)).toMatchObject({ firstBlob: null })
  })
})

describe('a block with transactions of a type that is to come', () => {
  const future = [futureTransaction(1), futureTransaction(2)]
  const all = [future[0]!, ...some, future[1]!]
  const last = some.at(-1)!.json.hash
  const calls = ['eth_getTransactionByHash', 'proof_getTransactionByHash', 'eth_getBlockByHash']

  it('is taken as bytes', async () => {
    const block = await makeBlock(all)
    const server = await startRpc({ ...honest(block), ...debug(block) })
    const found = await sourceOf(server).transaction(last, terms)
    expect(found).toMatchObject({ index: all.length - 2, header: { hash: block.hash }, firstBlob: 2 })
    expect(server.called).toEqual([...calls, 'debug_getRawBlock'])
  })

  it.each(['eth_getRawTransactionByBlockHashAndIndex', 'debug_getRawTransaction'])(
    'or those of it alone are, by %s',
    async (method) => {
      const block = await makeBlock(all)
      const single: Methods = {
        eth_getRawTransactionByBlockHashAndIndex: (hash, index) =>
          hash === block.hash ? toHex(block.transactions[Number(index)]!.raw) : null,
        debug_getRawTransaction: (hash) => toHex(all.find(({ json }) => json.hash === hash)!.raw),
      }
      const server = await startRpc({ ...honest(block), [method]: single[method]! })
      expect(await sourceOf(server).transaction(last, terms)).toMatchObject({
        index: all.length - 2,
        firstBlob: 2,
      })
      expect(server.called.filter((one) => one === method)).toHaveLength(2)
    },
  )

  it('accuses nobody where there are no bytes of it', async () => {
    const block = await makeBlock(all)
    const server = await startRpc(honest(block))
    await expect(sourceOf(server).transaction(last, terms)).rejects.toMatchObject({
      name: 'BeaconUnavailableError',
      failures: [{ kind: 'unsupported-fork' }],
    })
  })

  it('is proven, too, for the transaction of that type itself', async () => {
    const block = await makeBlock(all)
    const source = sourceOf(await startRpc({ ...honest(block), ...debug(block) }))
    const { hash } = future[0]!.json
    expect(await source.transaction(hash, terms)).toMatchObject({
      hash,
      index: 0,
      versionedHashes: [],
      firstBlob: 0,
    })
  })
})

describe('what is not there', () => {
  const hash = `0x${'ab'.repeat(32)}`
  const pending = (): unknown => ({ ...some[0]!.json, hash, blockHash: null, transactionIndex: null })

  it('is null, if every endpoint says so', async () => {
    const empty = await startRpc(honest())
    const unknown = await startRpc({
      eth_getTransactionByHash: () => {
        throw new RpcError(-32001, 'no such thing')
      },
      eth_getBlockByHash: () => undefined,
    })
    const source = sourceOf(empty, unknown)
    expect(await source.transaction(hash, terms)).toBeNull()
    expect(await source.header(hash, terms)).toBeNull()
    expect(empty.called).toContain('eth_getTransactionByHash')
  })

  it('is pending, if one of them says so, and no other knows more', async () => {
    const empty = await startRpc(honest())
    const inPool = await startRpc({ ...honest(), eth_getTransactionByHash: pending })
    expect(await sourceOf(empty, inPool).transaction(hash, terms)).toBe('pending')
    expect(await sourceOf(inPool, empty).transaction(hash, terms)).toBe('pending')
    const wrongUrl = await startRpc({}, (_, response) => void response.writeHead(404).end())
    await expect(sourceOf(inPool, wrongUrl).transaction(hash, terms)).rejects.toThrow('in no block yet')
  })

  it('is not known, if one of them says nothing', async () => {
    const empty = await startRpc(honest())
    const wrongUrl = await startRpc({}, (_, response) => void response.writeHead(404).end())
    const source = sourceOf(empty, wrongUrl)
    const failures = [{ kind: 'not-found' }, { kind: 'not-found', detail: 'status 404' }]
    await expect(source.transaction(hash, terms)).rejects.toMatchObject({ failures })
    await expect(source.header(hash, terms)).rejects.toThrow(
      'no execution endpoint gave an answer that can be used',
    )
  })

  it('for one endpoint may be there for another', async () => {
    const block = await makeBlock(some)
    const source = sourceOf(await startRpc(honest()), await startRpc(honest(block)))
    expect(await source.transaction(some[0]!.json.hash, terms)).toMatchObject({
      header: { hash: block.hash },
    })
    expect(await source.header(block.hash, terms)).toMatchObject({ hash: block.hash })
  })
})

describe('requests', () => {
  it('are posted to the URL as it is, with a key in it, and no cookies', async () => {
    const block = await makeBlock(some)
    const server = await startRpc(honest(block), plainly, '/v3/key/?token=secret#part')
    await sourceOf(server).header(block.hash, terms)
    const [{ path, headers, body }] = server.requests as [RpcServer['requests'][number]]
    expect(path).toBe('POST /v3/key/?token=secret')
    expect(headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    expect(headers.cookie).toBeUndefined()
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'eth_getBlockByHash',
      params: [block.hash, false],
    })
  })

  it('have an id each, and are counted', async () => {
    const block = await makeBlock(some)
    const server = await startRpc(honest(block))
    const events: string[] = []
    const tally: ExecutionTally = {
      requested: (endpoint) => events.push(`requested ${endpoint}`),
      received: (endpoint, bytes) => events.push(`received ${endpoint} ${bytes > 50}`),
      failed: (endpoint, { kind }) => events.push(`failed ${endpoint} ${kind}`),
    }
    await sourceOf(server).transaction(some[0]!.json.hash, { ...terms, tally })
    const { origin } = server.url
    expect(events).toEqual([
      ...[`requested ${origin}`, `received ${origin} true`],
      ...[`requested ${origin}`, `received ${origin} true`, `failed ${origin} no-route`],
      ...[`requested ${origin}`, `received ${origin} true`],
    ])
    const ids = server.requests.map(({ body }) => (body as { id: unknown }).id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('end with the signal while a large block is hashed, and let the thread go meanwhile', async () => {
    const block = await makeBlock(some)
    const items = Array.from({ length: 2 ** 14 }, (_, at) => {
      const bytes = new Uint8Array(50).fill(2)
      new DataView(bytes.buffer).setUint32(1, at)
      return bytes
    })
    const large = encode([decode(block.header), items, [], []])
    const leave = new AbortController()
    const reason = new Error('enough')
    const server = await startRpc({
      ...honest(block),
      eth_getBlockByHash: () => ({ transactions: 'none' }),
      debug_getRawBlock: () => toHex(large),
    })
    const tally: ExecutionTally = {
      ...quiet,
      received: (_, bytes) => void (bytes > 2 ** 20 && setImmediate(() => leave.abort(reason))),
    }
    const asked = sourceOf(server).transaction(some[0]!.json.hash, { signal: leave.signal, tally })
    await expect(asked).rejects.toBe(reason)
  })

  it('are not sent for what is no hash', async () => {
    const server = await startRpc({})
    const source = sourceOf(server)
    for (const hash of [
      '',
      '0x',
      '0x12',
      `0x${'zz'.repeat(32)}`,
      `${'ab'.repeat(32)}`,
      `0x${'ab'.repeat(33)}`,
    ]) {
      await expect(source.header(hash, terms)).rejects.toThrow(TypeError)
      await expect(source.transaction(hash, terms)).rejects.toThrow(TypeError)
    }
    expect(server.called).toEqual([])
  })
})
