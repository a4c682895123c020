/** RLP as it is read here, and as another implementation reads it: the same values, or an error of one class. */
import { decode, encode, type Input } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRlp, itemsOf, readList, type RlpInput, type RlpItem } from '../../dist/execution/rlp.js'
import { fromHex } from '../support/bytes.ts'
import { expectFault, orFault } from '../support/execution.ts'

type Tree = Uint8Array | Tree[]

/** Everything in an item, down to the last string: what the code under test leaves to its callers. */
const treeOf = (item: RlpItem): Tree =>
  item.isList ? itemsOf(item, Number.POSITIVE_INFINITY).map(treeOf) : new Uint8Array(item.payload)

const read = (bytes: Uint8Array): Tree => readList(bytes, Number.POSITIVE_INFINITY).map(treeOf)

const lengths = { maxLength: 70 }
const { list } = fc.letrec<{ list: Tree[]; tree: Tree }>((tie) => ({
  list: fc.array(tie('tree'), { maxLength: 20 }),
  tree: fc.oneof({ maxDepth: 4 }, fc.uint8Array(lengths), tie('list')),
}))

describe('RLP', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(list, (values) => {
        expect(read(encode(values as Input))).toEqual(values)
      }),
      { numRuns: 500 },
    )
  })

  it('is written as another implementation writes it', () => {
    fc.assert(
      fc.property(list, (values) => {
        expect(encodeRlp(values as RlpInput)).toEqual(encode(values as Input))
      }),
      { numRuns: 500 },
    )
    for (const length of [0, 1, 55, 56, 255, 256, 65_535, 65_536]) {
      const bytes = new Uint8Array(length)
      for (const one of [bytes, [bytes], Array.from(bytes, (): Uint8Array => new Uint8Array(0))])
        expect(encodeRlp(one)).toEqual(encode(one as Input))
    }
  })

  it('is written of lists of any length', () => {
    // More items than a function can be called with.
    const size = 2 ** 20
    const written = encodeRlp(Array.from({ length: size }, () => Uint8Array.of(7)))
    expect(readList(written, size)).toHaveLength(size)
  })

  it('has the same meaning, or none, for another implementation, whatever the bytes are', () => {
    const spoilt = fc.tuple(list, fc.nat(), fc.nat(255)).map(([values, at, byte]) => {
      const bytes = encode(values as Input)
      bytes[at % bytes.length] = byte
      return bytes
    })
    const anyList = fc.uint8Array({ minLength: 1, maxLength: 12 }).filter(([first]) => first! >= 0xc0)
    fc.assert(
      fc.property(fc.oneof(spoilt, anyList), (bytes) => {
        if (bytes[0]! < 0xc0) return void expectFault(() => readList(bytes, 100), 'malformed')
        let theirs: unknown = null
        try {
          theirs = decode(bytes)
        } catch {
          // No RLP.
        }
        expect(orFault(() => read(bytes))).toEqual(theirs)
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['', 'nothing'],
    ['80', 'a string'],
    ['c1', 'a list that ends too early'],
    ['c000', 'a byte too many'],
    ['c18100', 'a byte that is its own encoding, written as a string'],
    ['c2b800', 'a length of no bytes, written long'],
    ['f800', 'a length that is short, written long'],
    ['f90037' + '00'.repeat(55), 'a length that is short, with a zero in front'],
    ['f90038' + '00'.repeat(56), 'a length with a zero in front'],
    ['ff' + 'ff'.repeat(8), 'a length beyond all memory'],
    ['fd' + 'ff'.repeat(6), 'a length beyond the bytes'],
  ])('is not %s: %s', (hex) => expectFault(() => read(fromHex(`0x${hex}`)), 'malformed'))

  it('is bounded in its number of items', () => {
    const bytes = encode([1, 2, 3])
    expect(readList(bytes, 3)).toHaveLength(3)
    expectFault(() => readList(bytes, 2), 'malformed')
  })

  it('is read one level at a time: a million lists in each other cost no more than one', () => {
    const size = 4_000_000
    const bytes = new Uint8Array(size)
    for (let at = 0; at + 4 <= size; at += 4) bytes.set([0xfa, ...lengthOf(size - at - 4)], at)
    expect(readList(bytes, 1)[0]).toMatchObject({ isList: true, encoded: { length: size - 4 } })
  })
})

const lengthOf = (length: number): number[] => [length >> 16, (length >> 8) & 255, length & 255]
