/** Headers of execution blocks: those of every fork, from JSON and from RLP, and what is none. */
import { decode, encode } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerFromRlp, MAX_HEADER_BYTES } from '../../dist/execution/header.js'
import { headerFromJson } from '../../dist/execution/header-json.js'
import { fromHex, toHex } from '../support/bytes.ts'
import {
  expectFault,
  headerJson,
  headerNames,
  type Json,
  keccakOf,
  makeHeader,
  orFault,
  recordedBlock,
} from '../support/execution.ts'
import { knownHeaders, sepoliaAmsterdam } from '../support/execution-headers.ts'

const valuesOf = (rlp: Uint8Array): Uint8Array[] => decode(rlp) as Uint8Array[]

describe('the header of', () => {
  it.each(knownHeaders)('$name is read from RLP and from JSON', ({ hash, rlp: digits, fields }) => {
    const rlp = fromHex(`0x${digits}`)
    const header = headerFromRlp(rlp)
    expect(header.hash).toBe(hash)
    const values = valuesOf(rlp)
    expect(values).toHaveLength(fields)
    const json = headerJson(values)
    expect(headerFromJson({ ...json, hash }, hash)).toEqual(header)
    expect(header).toMatchObject({
      parentHash: json['parentHash'],
      transactionsRoot: json['transactionsRoot'],
      number: Number(json['number']),
      timestamp: Number(json['timestamp']),
      blobGasUsed: 'blobGasUsed' in json ? Number(json['blobGasUsed']) : null,
      parentBeaconBlockRoot: json['parentBeaconBlockRoot'] ?? null,
      slotNumber: null,
    })
  })

  it('mainnet 24476000, Prague', async () => {
    const block = await recordedBlock()
    expect(headerFromJson(block, block.hash)).toMatchObject({
      hash: block.hash,
      number: 24_476_000,
      timestamp: 1_771_324_655,
      blobGasUsed: 3 * 2 ** 17,
      parentBeaconBlockRoot: block['parentBeaconBlockRoot'],
      slotNumber: null,
    })
  })

  it('sepolia 11856337, Amsterdam', () => {
    const hash = sepoliaAmsterdam['hash']!
    const header = headerFromJson(sepoliaAmsterdam, hash)
    expect(header).toMatchObject({
      hash,
      number: 11_856_337,
      blobGasUsed: 4 * 2 ** 17,
      slotNumber: 353_024 * 32,
    })
    expect(valuesOf(header.rlp)).toHaveLength(23)
    expect(headerFromRlp(header.rlp)).toEqual(header)
  })

  it('any fork, each field of which may be the last', () => {
    for (let fields = 15; fields <= headerNames.length; fields++) {
      const { rlp, json, hash } = makeHeader({}, headerNames.slice(0, fields))
      expect(headerFromJson(json, hash)).toEqual(headerFromRlp(rlp))
    }
  })
})

describe('fields of a fork to come', () => {
  const { json } = makeHeader()
  const known = valuesOf(makeHeader().rlp)
  const root = new Uint8Array(32).fill(9)
  const withMore = (...more: readonly Uint8Array[]): { rlp: Uint8Array; hash: string } => {
    const rlp = encode([...known, ...more])
    return { rlp, hash: keccakOf(rlp) }
  }

  it.each<[string, Json, Uint8Array[]]>([
    ['one number', { futureGas: '0x1ff' }, [Uint8Array.of(1, 255)]],
    ['a number that is zero', { futureGas: '0x0' }, [new Uint8Array(0)]],
    ['one root', { futureRoot: toHex(root) }, [root]],
    ['no bytes', { futureData: '0x' }, [new Uint8Array(0)]],
    ['a byte that is zero', { futureData: '0x00' }, [Uint8Array.of(0)]],
    ['several, in the order of the JSON', { a: '0x1', b: toHex(root) }, [Uint8Array.of(1), root]],
    [
      'several, in another order',
      { a: toHex(root), b: '0x1', c: '0x22' },
      [Uint8Array.of(1), Uint8Array.of(0x22), root],
    ],
    ['some of what is there', { a: '0x77', b: '0x1', c: '0x22' }, [Uint8Array.of(0x22), Uint8Array.of(1)]],
    [
      'beside what is of no header',
      { a: '0x5', tx: ['0x1'], b: true, totalDifficulty: '0x7', c: 'word' },
      [Uint8Array.of(5)],
    ],
  ])('are found by the hash: %s', (_, more, values) => {
    const { rlp, hash } = withMore(...values)
    expect(headerFromJson({ ...more, ...json }, hash)).toEqual(headerFromRlp(rlp))
  })

  it('are found where one that is known has another name', () => {
    const { hash, json: renamed } = makeHeader()
    const { blockAccessListHash, ...rest } = renamed
    expect(headerFromJson({ ...rest, balHash: blockAccessListHash! }, hash).hash).toBe(hash)
  })

  it('that are too many are not tried, and accuse nobody', () => {
    const more = [1, 2, 3, 4, 5].map((byte) => Uint8Array.of(byte))
    const names = Object.fromEntries(more.map((value, at) => [`field${at}`, toHex(value)]))
    expectFault(() => headerFromJson({ ...json, ...names }, withMore(...more).hash), 'unsupported')
  })

  it('may be anything in RLP, but for lists', () => {
    expect(headerFromRlp(withMore(new Uint8Array(100), Uint8Array.of(0, 0)).rlp).slotNumber).not.toBeNull()
    expectFault(() => headerFromRlp(encode([...known, [Uint8Array.of(1)]])), 'malformed')
  })
})

describe('JSON that is not the header of the hash', () => {
  const { json, hash } = makeHeader()

  it.each(headerNames.slice(0, 15))('lacks %s', (name) => {
    const { [name]: _, ...rest } = json
    expectFault(() => headerFromJson(rest, hash), 'malformed')
    expectFault(() => headerFromJson({ ...json, [name]: null }, hash), 'malformed')
  })

  it.each(headerNames)('has another %s', (name) => {
    const value = json[name] as string
    const other = value.endsWith('1') ? `${value.slice(0, -1)}2` : `${value.slice(0, -1)}1`
    expectFault(() => headerFromJson({ ...json, [name]: other }, hash), 'invalid')
    for (const junk of [7, true, ['0x1'], {}, 'word', '0xg0', '12', `0x${'1'.repeat(600)}`, `${value}zz`])
      if (!(name === 'extraData' && junk === `0x${'1'.repeat(600)}`))
        expectFault(() => headerFromJson({ ...json, [name]: junk }, hash), 'malformed')
  })

  it.each(headerNames.slice(15))('lacks %s, and has what follows it', (name) => {
    const { [name]: _, ...rest } = json
    expectFault(() => headerFromJson(rest, hash))
  })

  it('is of another hash, whatever it says itself', () => {
    expectFault(() => headerFromJson(json, `0x${'11'.repeat(32)}`), 'invalid')
  })

  it('is anything else', () => {
    for (const junk of [undefined, null, 1, 'block', [], [json], true])
      expectFault(() => headerFromJson(junk, hash), 'malformed')
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...headerNames), (value, name) => {
        expect(orFault(() => headerFromJson({ ...json, [name]: value } as never, hash))?.hash ?? hash).toBe(
          hash,
        )
        expect(orFault(() => headerFromJson(value as never, hash))).toBeNull()
      }),
    )
  })
})

describe('RLP that is no header', () => {
  const { rlp } = makeHeader()
  const values = valuesOf(rlp)
  const replaced = (at: number, value: Uint8Array): Uint8Array =>
    encode(values.map((one, i) => (i === at ? value : one)))

  it.each(headerNames.map((name, at) => [name, at] as const))('has %s of a wrong form', (name, at) => {
    if (name === 'extraData')
      return void expect(headerFromRlp(replaced(at, new Uint8Array(97))).number).toBe(6)
    const isNumber = values[at]!.length === 1
    const wrong = isNumber
      ? [Uint8Array.of(0), Uint8Array.of(0, 1), new Uint8Array(33).fill(1)]
      : [new Uint8Array(0), values[at]!.subarray(1), new Uint8Array(values[at]!.length + 1)]
    for (const value of wrong) expectFault(() => headerFromRlp(replaced(at, value)), 'malformed')
    const nested = values.map((one, i) => (i === at ? [one] : one))
    expectFault(() => headerFromRlp(encode(nested)), 'malformed')
  })

  it('has a number or a time that no chain has', () => {
    for (const name of ['number', 'timestamp', 'blobGasUsed', 'slotNumber'])
      expectFault(
        () => headerFromRlp(replaced(headerNames.indexOf(name), new Uint8Array(8).fill(255))),
        'malformed',
      )
  })

  it('is too short, too long, or has too many fields', () => {
    expectFault(() => headerFromRlp(encode(values.slice(0, 14))), 'malformed')
    expectFault(
      () => headerFromRlp(encode([...values, ...new Array<Uint8Array>(42).fill(values[0]!)])),
      'malformed',
    )
    expectFault(() => headerFromRlp(replaced(12, new Uint8Array(MAX_HEADER_BYTES))), 'malformed')
    expectFault(() => headerFromRlp(Uint8Array.of(...rlp, 0)), 'malformed')
    expectFault(() => headerFromRlp(rlp.subarray(0, -1)), 'malformed')
    expectFault(() => headerFromRlp(new Uint8Array(0)), 'malformed')
  })

  it('or is the header of its own hash: nothing between', () => {
    fc.assert(
      fc.property(fc.nat(rlp.length - 1), fc.nat(255), (at, byte) => {
        const bytes = new Uint8Array(rlp)
        bytes[at] = byte
        const header = orFault(() => headerFromRlp(bytes))
        if (header !== null) expect(header).toMatchObject({ hash: keccakOf(bytes), rlp: bytes })
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        expect(orFault(() => headerFromRlp(bytes))).toBeNull()
      }),
    )
  })
})
