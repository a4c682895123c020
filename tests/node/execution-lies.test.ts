/** Endpoints of the execution layer that lie, break or are silent, over real HTTP: no false answer, and an honest one wherever there is one. */
import { describe, expect, it } from 'vitest'
import type { ExecutionSource, ExecutionTally } from '../../dist/execution/execution.js'
import { provenBlock, transactionIn } from '../../dist/execution/block.js'
import { headerFromRlp } from '../../dist/execution/header.js'
import { createExecutionSource } from '../../dist/execution/source.js'
import { transactionBytes } from '../../dist/execution/transaction.js'
import { toHex } from '../support/bytes.ts'
import { type Json, recordedBlock } from '../support/execution.ts'
import { debug, honest, makeBlock, type MadeTransaction } from '../support/execution-chain.ts'
import {
  type Delivery,
  type Methods,
  plainly,
  RpcError,
  type RpcServer,
  startRpc,
} from '../support/json-rpc-server.ts'

const recorded = await recordedBlock()
const real = recorded.transactions.map((json): MadeTransaction => ({ json, raw: transactionBytes(json) }))
const some = [...real.slice(0, 3), ...real.filter(({ json }) => json['type'] === '0x3')]
const block = await makeBlock(some)
/** Another block, which is as good in itself. */
const other = await makeBlock(real.slice(3, 6))
const wanted = some.at(-1)!.json.hash
const truth = { hash: wanted, index: some.length - 1, header: { hash: block.hash } }

const { signal } = new AbortController()

interface Told {
  readonly source: ExecutionSource
  readonly tally: ExecutionTally
  /** What was said of endpoints, by their place in the list. */
  readonly failures: { at: number; kind: string; message: string }[]
}

function ask(servers: readonly RpcServer[], timeoutMs = 10_000): Told {
  const failures: Told['failures'] = []
  const tally: ExecutionTally = {
    requested() {},
    received() {},
    failed(endpoint, { kind, message }) {
      failures.push({ at: servers.findIndex(({ url }) => url.origin === endpoint), kind, message })
    },
  }
  const terms = {
    fetch: (url: string, init: object) => fetch(url, init),
    timeoutMs,
    now: Date.now,
    random: () => 0.5,
  }
  const source = createExecutionSource(
    servers.map(({ url }) => url),
    terms as never,
  )
  return { source, tally, failures }
}

const good = honest(block, other)
const blockOf = (hash: string, isFull = true): Json & { transactions: Json[] } =>
  structuredClone(good['eth_getBlockByHash']!(hash, isFull as never)) as Json & { transactions: Json[] }
const ofBlock = (spoil: (json: Json & { transactions: Json[] }) => unknown): Methods => ({
  ...good,
  eth_getBlockByHash: (hash, isFull) => spoil(blockOf(hash, isFull as never)),
})
const otherHex = (value: unknown): string =>
  `${String(value).slice(0, -1)}${String(value).endsWith('1') ? '2' : '1'}`

/** Lies about a transaction, each told by a server that is honest else. */
const lies: Record<string, Methods> = {
  'another transaction': { ...good, eth_getTransactionByHash: () => some[0]!.json },
  'another hash of the same transaction': {
    ...good,
    eth_getTransactionByHash: () => ({ ...some.at(-1)!.json, hash: `0x${'12'.repeat(32)}` }),
  },
  'another block, which lacks it': {
    ...good,
    eth_getTransactionByHash: () => ({
      ...some.at(-1)!.json,
      blockHash: other.hash,
      transactionIndex: '0x0',
    }),
  },
  'a block of another hash': ofBlock(() => blockOf(other.hash)),
  'a header with another root': ofBlock((json) => ({
    ...json,
    transactionsRoot: other.json['transactionsRoot']!,
  })),
  'a header with another time': ofBlock((json) => ({ ...json, timestamp: otherHex(json['timestamp']) })),
  'a header with another parent': ofBlock((json) => ({ ...json, parentHash: otherHex(json['parentHash']) })),
  'a header with another beacon block': ofBlock((json) => ({
    ...json,
    parentBeaconBlockRoot: otherHex(json['parentBeaconBlockRoot']),
  })),
  'a block without the transaction': ofBlock((json) => ({
    ...json,
    transactions: json.transactions.slice(0, -1),
  })),
  'a block without another transaction': ofBlock((json) => ({
    ...json,
    transactions: json.transactions.slice(1),
  })),
  'a block with one more': ofBlock((json) => ({
    ...json,
    transactions: [...json.transactions, other.transactions[0]!.json],
  })),
  'a block in another order': ofBlock((json) => ({ ...json, transactions: json.transactions.toReversed() })),
  'a block without any': ofBlock((json) => ({ ...json, transactions: [] })),
  'other versioned hashes': ofBlock((json) => {
    json.transactions.at(-1)!['blobVersionedHashes'] = [`0x01${'34'.repeat(31)}`]
    return json
  }),
  'another value': ofBlock((json) => {
    json.transactions[0]!['value'] = '0x123456'
    return json
  }),
}

describe('a lie about a transaction is named, and the honest endpoint is heard', () => {
  it.each(Object.entries(lies))('%s', async (_, methods) => {
    const liar = await startRpc(methods)
    const { source, tally, failures } = ask([liar, await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures.filter(({ at, kind }) => at === 0 && kind === 'invalid')).toHaveLength(1)
    expect(failures.filter(({ at, kind }) => at === 1 && kind !== 'no-route')).toEqual([])
    // Whoever lied is asked last from then on.
    const before = liar.called.length
    expect(await source.transaction(some[0]!.json.hash, { signal, tally })).toMatchObject({ index: 0 })
    expect(liar.called).toHaveLength(before)
  })

  it.each(Object.entries(lies))('alone it is no answer: %s', async (_, methods) => {
    const { source, tally } = ask([await startRpc(methods)])
    await expect(source.transaction(wanted, { signal, tally })).rejects.toMatchObject({
      name: 'BeaconUnavailableError',
      failures: [{ kind: 'invalid' }],
    })
  })

  it('a false block as bytes, too', async () => {
    const liar = await startRpc({ ...lies['another value']!, debug_getRawBlock: () => toHex(other.raw) })
    const { source, tally, failures } = ask([liar, await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures.filter(({ kind }) => kind === 'invalid').map(({ at }) => at)).toEqual([0, 0])
  })

  it('another block as bytes, though the transaction is in it', async () => {
    const forged = await makeBlock(some, { timestamp: Uint8Array.of(1, 2, 3) })
    const { source, tally } = ask([
      await startRpc({ ...lies['another value']!, debug_getRawBlock: () => toHex(forged.raw) }),
    ])
    await expect(source.transaction(wanted, { signal, tally })).rejects.toMatchObject({
      failures: [{ kind: 'invalid' }],
    })
  })

  it('is none yet, where what would show that the endpoint is right is not to be had just now', async () => {
    const delivery: Delivery = (text, response, call) => {
      if (call.method === 'debug_getRawBlock') status(503)(text, response, call)
      else plainly(text, response, call)
    }
    const { source, tally, failures } = ask([
      await startRpc({ ...lies['another value']!, ...debug(block) }, delivery),
    ])
    await expect(source.transaction(wanted, { signal, tally })).rejects.toMatchObject({
      failures: [{ kind: 'server-error' }],
    })
    expect(failures.map(({ kind }) => kind)).not.toContain('invalid')
  })

  it('what is wrong as JSON and right as bytes is right', async () => {
    const server = await startRpc({ ...lies['another value']!, ...debug(block) })
    const { source, tally, failures } = ask([server])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures.map(({ kind }) => kind)).toEqual(['no-route'])
  })
})

describe('a lie about a header is named', () => {
  it.each<[string, (json: Json) => unknown]>([
    ['another block', () => blockOf(other.hash, false)],
    ['another number', (json) => ({ ...json, number: '0x77' })],
    ['another beacon block', (json) => ({ ...json, parentBeaconBlockRoot: `0x${'77'.repeat(32)}` })],
    ['another hash beside a field of its own', (json) => ({ ...json, hash: other.hash, number: '0x77' })],
  ])('%s', async (_, spoil) => {
    const liar = await startRpc({
      eth_getBlockByHash: () => spoil(blockOf(block.hash, false)),
      debug_getRawHeader: () => toHex(other.header),
    })
    const { source, tally, failures } = ask([liar, await startRpc(good)])
    expect(await source.header(block.hash, { signal, tally })).toMatchObject({
      hash: block.hash,
      rlp: block.header,
    })
    expect(failures.some(({ at, kind }) => at === 0 && kind === 'invalid')).toBe(true)
  })
})

describe('a block that the endpoint made up', () => {
  it('proves itself, and whether it is of the chain is for the caller to find out', async () => {
    const forged = await makeBlock(some, { timestamp: Uint8Array.of(1, 2, 3) })
    const { source, tally } = ask([await startRpc(honest(forged)), await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject({
      ...truth,
      header: { hash: forged.hash },
    })
  })

  it('with junk for a blob transaction is an error of the endpoint', async () => {
    const junk: MadeTransaction = {
      raw: Uint8Array.of(3, 0xc1, 0x80),
      json: { type: '0x33', hash: `0x${'55'.repeat(32)}` },
    }
    const forged = await makeBlock([junk, ...some])
    const liar = await startRpc({ ...honest(forged), ...debug(forged) })
    const { source, tally, failures } = ask([liar, await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures).toContainEqual(expect.objectContaining({ at: 0, kind: 'malformed' }))
  })
})

describe('long transactions in a block that the endpoint made up', () => {
  const header = headerFromRlp(block.header)
  const long = Array<Uint8Array>(8).fill(new Uint8Array(2 ** 20))

  it('are looked through with pauses: for each 16 KiB of them', async () => {
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    const found = transactionIn({ header, transactions: long.slice(0, 1) }, wanted, 0, pause)
    await expect(found).rejects.toMatchObject({ fault: 'invalid' })
    expect(pauses).toBeGreaterThanOrEqual(64)
  })

  it('are refused before they are hashed where no block has so many bytes', async () => {
    const never = async (): Promise<void> => expect.unreachable('they were hashed')
    const proven = provenBlock(header, [...long, ...long], never)
    await expect(proven).rejects.toMatchObject({ fault: 'malformed' })
  })
})

const status =
  (code: number, headers: Record<string, string> = {}): Delivery =>
  (_text, response) => {
    response.writeHead(code, headers).end()
  }
const instead =
  (body: string, type = 'application/json'): Delivery =>
  (_text, response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }
const edited =
  (edit: (answer: Json) => unknown): Delivery =>
  (text, response, call) => {
    plainly(JSON.stringify(edit(JSON.parse(text) as Json)), response, call)
  }

/** Answers that are broken, and what is said of who gave them. */
const broken: [string, string, Delivery][] = [
  ['no JSON', 'malformed', instead('{')],
  ['nothing', 'malformed', instead('')],
  ['a page', 'malformed', instead('<html>', 'text/html')],
  [
    'what is no UTF-8',
    'malformed',
    (_text, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.of(0x22, 0xff, 0x22)),
  ],
  ['a number', 'malformed', instead('7')],
  ['null', 'malformed', instead('null')],
  ['a batch', 'malformed', edited((answer) => [answer])],
  ['the id of another call', 'malformed', edited((answer) => ({ ...answer, id: -1 }))],
  ['an id as a string', 'malformed', edited((answer) => ({ ...answer, id: String(answer['id']) }))],
  ['no id', 'malformed', edited(({ id: _, ...rest }) => rest)],
  ['no result', 'malformed', edited(({ result: _, ...rest }) => rest)],
  ['a word for a result', 'malformed', edited((answer) => ({ ...answer, result: 'yes' }))],
  ['a list for a result', 'malformed', edited((answer) => ({ ...answer, result: [answer['result']!] }))],
  ['an error without a code', 'malformed', edited(({ id }) => ({ id: id!, error: 'no' }))],
  ['brackets without end', 'malformed', instead('['.repeat(100_000))],
  ['a redirect', 'refused', status(302, { location: '/elsewhere' })],
  ['a broken connection', 'network', (_text, response) => void response.socket?.destroy()],
  [
    'half of it',
    'truncated',
    (text, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
    },
  ],
  [
    'more than any honest answer',
    'too-large',
    (_text, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 ** 30 })
      response.write('{"id":')
    },
  ],
  ['400', 'refused', status(400)],
  ['401', 'refused', status(401)],
  ['404', 'not-found', status(404)],
  ['405', 'no-route', status(405)],
  ['429', 'rate-limited', status(429)],
  ['503', 'server-error', status(503)],
]

const errors: [number, string][] = [
  [-32700, 'refused'],
  [-32600, 'refused'],
  [-32602, 'refused'],
  [-32601, 'no-route'],
  [-32004, 'no-route'],
  [-32603, 'server-error'],
  [-32000, 'server-error'],
  [-32016, 'server-error'],
  [-32005, 'rate-limited'],
  [-32001, 'not-found'],
  [4444, 'not-found'],
  [3, 'refused'],
]

describe('what is broken is named by its kind, and the honest endpoint is heard', () => {
  it.each(broken)('%s: %s', async (_, kind, delivery) => {
    const { source, tally, failures } = ask([await startRpc(good, delivery), await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures[0]).toMatchObject({ at: 0, kind })
  })

  it.each(errors)('error %i: %s', async (code, kind) => {
    const words = 'no\u001b[31m such thing'
    const methods: Methods = {
      eth_getBlockByHash: () => {
        throw new RpcError(code, words)
      },
    }
    const { source, tally, failures } = ask([await startRpc(methods), await startRpc(good)])
    expect(await source.header(block.hash, { signal, tally })).toMatchObject({ hash: block.hash })
    expect(failures[0]).toEqual({ at: 0, kind, message: `error ${code}: no\ufffd[31m such thing` })
  })

  it.each([
    ['a string', 'rate limited,\u001b upgrade your plan', 'rate limited,\ufffd upgrade your plan'],
    ['an object without a code', { message: 'no such plan' }, 'no such plan'],
    ['an object without words', { reason: 7 }, 'no message'],
    ['a number', 7, 'no message'],
    ['more than anyone reads', 'x'.repeat(1_000), 'x'.repeat(175)],
  ])('an error that is %s has the words that it gives', async (_, error, words) => {
    const { source, tally, failures } = ask([
      await startRpc(
        good,
        edited(({ id }) => ({ id: id!, error })),
      ),
    ])
    await expect(source.header(block.hash, { signal, tally })).rejects.toThrow()
    const message = `an error without a code: ${words}`
    expect(failures[0]).toEqual({ at: 0, kind: 'malformed', message })
  })

  it('an error whose call could not be read has no id', async () => {
    const delivery = edited(() => ({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } }))
    const { source, tally, failures } = ask([await startRpc(good, delivery), await startRpc(good)])
    expect(await source.header(block.hash, { signal, tally })).toMatchObject({ hash: block.hash })
    expect(failures[0]).toMatchObject({ at: 0, kind: 'refused' })
  })

  it('silence costs a second, and is named', async () => {
    const silent = await startRpc(good, () => {})
    const { source, tally, failures } = ask([silent, await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures).toContainEqual(expect.objectContaining({ at: 0, kind: 'timeout' }))
  })

  it('silence after a first answer, too', async () => {
    const silent: Delivery = (text, response, call) => {
      if (call.method === 'eth_getTransactionByHash') plainly(text, response, call)
    }
    const { source, tally, failures } = ask([await startRpc(good, silent), await startRpc(good)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures.filter(({ at }) => at === 0).map(({ kind }) => kind)).toContain('timeout')
    expect(failures.map(({ kind }) => kind)).not.toContain('invalid')
  })

  it('silence of everyone ends with the time that a request has', async () => {
    const { source, tally } = ask([await startRpc(good, () => {})], 200)
    await expect(source.header(block.hash, { signal, tally })).rejects.toMatchObject({
      failures: [{ kind: 'timeout' }],
    })
  })

  it('a block that is named, and not to be had', async () => {
    const { source, tally, failures } = ask([
      await startRpc({ ...good, eth_getBlockByHash: () => null }),
      await startRpc(good),
    ])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
    expect(failures).toContainEqual({
      at: 0,
      kind: 'not-found',
      message: 'it does not have the block that it names',
    })
  })

  it('a block that is too long as JSON is taken as bytes', async () => {
    const delivery: Delivery = (text, response, call) => {
      if (call.method !== 'eth_getBlockByHash') return plainly(text, response, call)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 ** 30 })
      response.write('{')
    }
    const { source, tally } = ask([await startRpc({ ...good, ...debug(block) }, delivery)])
    expect(await source.transaction(wanted, { signal, tally })).toMatchObject(truth)
  })
})

describe('a call that is called off', () => {
  it.each(['eth_getTransactionByHash', 'proof_getTransactionByHash', 'eth_getBlockByHash'])(
    'during %s ends with the reason',
    async (method) => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const delivery: Delivery = (text, response, call) => {
        if (call.method === method) controller.abort(reason)
        else plainly(text, response, call)
      }
      const { source, tally } = ask([await startRpc(good, delivery), await startRpc(good)])
      await expect(source.transaction(wanted, { signal: controller.signal, tally })).rejects.toBe(reason)
    },
  )

  it('before it begins asks nobody', async () => {
    const server = await startRpc(good)
    const { source, tally } = ask([server])
    const aborted = AbortSignal.abort(new Error('never'))
    await expect(source.header(block.hash, { signal: aborted, tally })).rejects.toThrow('never')
    expect(server.called).toEqual([])
  })
})

/** Whether every answer is what the honest block says, whatever the others do. */
describe('many liars and one honest endpoint', () => {
  it('give the truth for each transaction', async () => {
    const all = Object.values(lies)
    const liars = await Promise.all(all.slice(0, 7).map((methods) => startRpc(methods)))
    const { source, tally } = ask([...liars, await startRpc(good)])
    for (const [index, { json }] of block.transactions.entries())
      expect(await source.transaction(json.hash, { signal, tally })).toMatchObject({
        index,
        header: { hash: block.hash },
      })
  })
})
