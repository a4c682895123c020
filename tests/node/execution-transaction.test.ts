/** Transactions as bytes, from their JSON: those of a real block, the ways in which servers differ, and what is no transaction. */
import { decode, encode, type Input } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionBytes, versionedHashesOf } from '../../dist/execution/transaction.js'
import { orderedTrieRoot } from '../../dist/execution/trie.js'
import { concat, toHex } from '../support/bytes.ts'
import { expectFault, type Json, keccakOf, orFault, recordedBlock } from '../support/execution.ts'
import { readTestFile } from '../support/files.ts'

const block = await recordedBlock()
const ofType = (type: string): Json & { hash: string } =>
  block.transactions.find((one) => one['type'] === type)!
const hashOf = (transaction: Json): string => keccakOf(transactionBytes(transaction))
/** One of each type that the block has. */
const examples = ['0x0', '0x2', '0x3', '0x4'].map(ofType)

describe('the transactions of mainnet 24476000', () => {
  it('are bytes that have their hashes, and together the root in the header', () => {
    for (const transaction of block.transactions) expect(hashOf(transaction)).toBe(transaction.hash)
    expect(orderedTrieRoot(block.transactions.map((one) => transactionBytes(one)))).toBe(
      block['transactionsRoot'],
    )
  })

  it('name as many blobs as the block paid for, each as the JSON has it', () => {
    const named = block.transactions.flatMap((one) => versionedHashesOf(transactionBytes(one)))
    expect(named).toEqual(block.transactions.flatMap((one) => one['blobVersionedHashes'] ?? []))
    expect(named).toHaveLength(Number(block['blobGasUsed']) / 2 ** 17)
  })
})

describe('what servers write differently', () => {
  it.each<[string, (one: Json) => Json]>([
    ['data in the place of input', ({ input, ...rest }) => ({ ...rest, data: input! })],
    ['both of them', (one) => ({ ...one, data: one['input']! })],
    ['no yParity', ({ yParity: _, ...rest }) => rest],
    ['yParity that is null', (one) => ({ ...one, yParity: null })],
    ['r and s with zeros in front', (one) => ({ ...one, r: padded(one['r']), s: padded(one['s']) })],
    ['the type as a number', (one) => ({ ...one, type: Number(one['type']) })],
    ['the type in two digits', (one) => ({ ...one, type: `0x0${Number(one['type'])}` })],
    ['hex in capitals', (one) => ({ ...one, input: `0x${String(one['input']).slice(2).toUpperCase()}` })],
    ['more fields', (one) => ({ ...one, blockTimestamp: '0x1', accessListGas: null })],
  ])('is read all the same: %s', (_, rewrite) => {
    for (const example of examples) expect(hashOf(rewrite(example))).toBe(example.hash)
  })

  it('is read all the same: no type, before there were types', () => {
    const { type: _, ...rest } = ofType('0x0')
    expect(hashOf(rest)).toBe(ofType('0x0').hash)
  })
})

const padded = (value: unknown): string => `0x${String(value).slice(2).padStart(64, '0')}`

describe('what is no transaction', () => {
  const fields = [
    ...['nonce', 'gas', 'value', 'input', 'r', 's', 'chainId', 'maxFeePerGas', 'maxPriorityFeePerGas'],
    ...['accessList', 'maxFeePerBlobGas', 'blobVersionedHashes', 'authorizationList', 'gasPrice'],
  ]

  it.each(fields)('lacks %s, where its type has it', (name) => {
    let lacking = 0
    for (const example of examples) {
      const { [name]: _, ...rest } = example
      if (orFault(() => transactionBytes(rest)) === null) lacking++
      else expect(hashOf(rest)).toBe(example.hash)
    }
    expect(lacking).toBeGreaterThan(0)
  })

  it.each([...fields, 'to', 'yParity', 'type'])('has %s of another form', (name) => {
    for (const example of examples)
      for (const junk of [true, {}, [7], 'word', '0xg', `0x${'1'.repeat(5)}zz`, [{}], [[]]]) {
        const bytes = orFault(() => transactionBytes({ ...example, [name]: junk } as Json))
        if (bytes !== null) expect(keccakOf(bytes)).toBe(example.hash)
      }
  })

  it('is anything else', () => {
    for (const junk of [null, undefined, 1, 'hash', [], true])
      expectFault(() => transactionBytes(junk), 'malformed')
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...fields, 'type', 'to', 'v'),
        fc.constantFrom(...examples),
        (value, name, example) => {
          orFault(() => transactionBytes({ ...example, [name]: value } as Json))
          orFault(() => transactionBytes(value as Json))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it.each(['0x5', '0x7e', 5, 127, '0xff'])(
    'of type %s, which is to come, is not supported, and accuses nobody',
    (type) => {
      expectFault(() => transactionBytes({ ...ofType('0x2'), type }), 'unsupported')
    },
  )

  it.each(['0x100', '', '0x', 'two', -1, 1.5, 256, true])('of type %s is malformed', (type) => {
    expectFault(() => transactionBytes({ ...ofType('0x2'), type }), 'malformed')
  })

  it('has lists without end', () => {
    const hashes = new Array<string>(4097).fill(`0x${'01'.repeat(32)}`)
    expectFault(() => transactionBytes({ ...ofType('0x3'), blobVersionedHashes: hashes }), 'malformed')
  })
})

describe('what no block has room for', () => {
  const keys = (count: number): string[] => Array<string>(count).fill(`0x${'01'.repeat(32)}`)
  const entry = (count: number): Json => ({ address: `0x${'02'.repeat(20)}`, storageKeys: keys(count) })

  it('is refused: storage keys that cost more gas than a block has, in however many entries', () => {
    const most = { ...ofType('0x2'), accessList: [entry(30_000), entry(5_000)] }
    expect(transactionBytes(most).length).toBeGreaterThan(35_000 * 32)
    expectFault(() => transactionBytes({ ...most, accessList: [entry(36_000)] }), 'malformed')
    expectFault(() => transactionBytes({ ...most, accessList: Array(8).fill(entry(5_000)) }), 'malformed')
    expectFault(() => transactionBytes({ ...most, accessList: Array(30_000).fill(entry(0)) }), 'malformed')
  })

  it('is refused: authorizations that cost more gas than a block has', () => {
    const [authorization] = ofType('0x4')['authorizationList'] as Json[]
    const of = (count: number): Json => ({
      ...ofType('0x4'),
      authorizationList: Array<Json>(count).fill(authorization!),
    })
    expect(transactionBytes(of(5_000)).length).toBeGreaterThan(5_000 * 60)
    expectFault(() => transactionBytes(of(6_000)), 'malformed')
  })

  it('is refused: an input of more bytes than a beacon block is passed on with', () => {
    const of = (bytes: number): Json => ({ ...ofType('0x2'), input: `0x${'00'.repeat(bytes)}` })
    expect(transactionBytes(of(10 * 2 ** 20)).length).toBeGreaterThan(10 * 2 ** 20)
    expectFault(() => transactionBytes(of(10 * 2 ** 20 + 1)), 'malformed')
  })
})

describe('versioned hashes', () => {
  const raw = transactionBytes(ofType('0x3'))

  it('are none in transactions of other types, whatever is in these', () => {
    for (const type of ['0x0', '0x2', '0x4'])
      expect(versionedHashesOf(transactionBytes(ofType(type)))).toEqual([])
    expect(versionedHashesOf(new Uint8Array(0))).toEqual([])
    expect(versionedHashesOf(Uint8Array.of(0x7e, 1, 2, 3))).toEqual([])
  })

  it('are not read from the network form, which is in no block', async () => {
    expectFault(
      () => versionedHashesOf(concat(Uint8Array.of(3), encode([[1, 2], [3], [4], [5]]))),
      'malformed',
    )
    const network = await readTestFile('vectors/real/txs-4844/2.rlp')
    const from = network[0] === 3 ? network : network.subarray(network.indexOf(3))
    expectFault(() => versionedHashesOf(from), 'malformed')
  })

  it('are not read from what is spoilt: each is 32 bytes, or an error of the one class', () => {
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(255), (at, byte) => {
        const bytes = new Uint8Array(raw)
        bytes[at] = byte
        const hashes = orFault(() => versionedHashesOf(bytes))
        for (const hash of hashes ?? []) expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
      }),
      { numRuns: 2_000 },
    )
    expectFault(() => versionedHashesOf(raw.subarray(0, -1)), 'malformed')
    expectFault(() => versionedHashesOf(concat(raw, Uint8Array.of(0))), 'malformed')
    expectFault(() => versionedHashesOf(Uint8Array.of(3)), 'malformed')
    const fields = decode(raw.subarray(1)) as Input[]
    expect(versionedHashesOf(concat(Uint8Array.of(3), encode(fields)))).toEqual(
      ofType('0x3')['blobVersionedHashes'],
    )
    for (const some of [fields.slice(0, 10), fields.slice(0, 13), [...fields, fields[0]!]])
      expectFault(() => versionedHashesOf(concat(Uint8Array.of(3), encode(some))), 'malformed')
    expect(toHex(raw.subarray(0, 1))).toBe('0x03')
  })
})
