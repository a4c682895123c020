/** Roots and proofs of a block's transactions, held against the trie of ethereumjs. */
import { createMerkleProof, createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt'
import { encode, type Input } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderedTrieRoot, orderedTrieRootInTurns, provenTrieValue } from '../../dist/execution/trie.js'
import { concat, toHex } from '../support/bytes.ts'
import { keccakOf } from '../support/execution.ts'

async function theirTrie(values: readonly Uint8Array[]): Promise<MerklePatriciaTrie> {
  const trie = await createMPT()
  for (const [index, value] of values.entries()) await trie.put(encode(index), value)
  return trie
}

/** Values of a length each, all different. */
const valuesOf = (lengths: readonly number[]): Uint8Array[] =>
  lengths.map((length, at) => Uint8Array.from({ length }, (_, byte) => (at * 31 + byte * 7 + 1) & 255))

const noPause = async (): Promise<void> => {}

/** What the nodes prove, or the fault of the `ExecutionDataError` that they are refused with; any other error gets out. */
async function proven(root: string, index: number, nodes: readonly Uint8Array[]): Promise<unknown> {
  try {
    return await provenTrieValue(root, index, nodes, noPause)
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionDataError')
      return (error as { fault?: unknown }).fault
    throw error
  }
}

const counts = [0, 1, 2, 3, 15, 16, 17, 55, 127, 128, 129, 130, 200, 255, 256, 257, 272, 300, 700]

describe('the root of a list', () => {
  it.each(counts)('of %i values is that of ethereumjs', async (count) => {
    const values = valuesOf(Array.from({ length: count }, (_, at) => 1 + ((at * 13) % 300)))
    expect(orderedTrieRoot(values)).toBe(toHex((await theirTrie(values)).root()))
  })

  it.each(counts)('of %i values is the same with pauses', async (count) => {
    const values = valuesOf(Array.from({ length: count }, (_, at) => 1 + ((at * 13) % 300)))
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    expect(await orderedTrieRootInTurns(values, pause)).toBe(orderedTrieRoot(values))
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(count / 100))
  })

  it.each([
    [1, 500_000],
    [3, 100_000],
    [64, 4_000],
    [128, 2_000],
  ])('of %i values of %i bytes is the same, with a pause for each 16 KiB of them', async (count, length) => {
    const values = valuesOf(Array<number>(count).fill(length))
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    expect(await orderedTrieRootInTurns(values, pause)).toBe(orderedTrieRoot(values))
    expect(pauses).toBeGreaterThanOrEqual(Math.floor((count * length) / 16_384))
  })

  it('ends where a pause does not', async () => {
    const reason = new Error('enough')
    let left = 5
    const pause = async (): Promise<void> => {
      if (left-- === 0) throw reason
    }
    await expect(orderedTrieRootInTurns(valuesOf(Array(300).fill(40)), pause)).rejects.toBe(reason)
    expect(left).toBe(-1)
  })

  it('of values of any lengths is that of ethereumjs: short ones stand in their parents', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 150 }),
        async (values) => {
          expect(orderedTrieRoot(values)).toBe(toHex((await theirTrie(values)).root()))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a proof', () => {
  const lengths = [1, 2, 5, 20, 31, 32, 33, 60, 200, 1000]

  it.each([1, 2, 17, 128, 129, 300])(
    'of each of %i values proves it, whatever the order of its nodes',
    async (count) => {
      const values = valuesOf(Array.from({ length: count }, (_, at) => lengths[at % lengths.length]!))
      const trie = await theirTrie(values)
      const root = toHex(trie.root())
      for (const [index, value] of values.entries()) {
        const proof = await createMerkleProof(trie, encode(index))
        expect(await proven(root, index, proof)).toEqual(value)
        expect(await proven(root, index, proof.toReversed())).toEqual(value)
      }
    },
  )

  it('is none of another index, of one that is not there, or of another root', async () => {
    const values = valuesOf(Array.from({ length: 140 }, () => 50))
    const trie = await theirTrie(values)
    const root = toHex(trie.root())
    const proof = await createMerkleProof(trie, encode(5))
    for (const index of [0, 4, 6, 127, 128, 139, 140, 256, 2 ** 31 - 1])
      expect(await proven(root, index, proof)).toBe('invalid')
    for (const index of [140, 200, 255, 256, 70_000, 2 ** 31 - 1]) {
      const ofNothing = await createMerkleProof(trie, encode(index))
      expect(await proven(root, index, ofNothing)).toBe('invalid')
    }
    expect(await proven(keccakOf(new Uint8Array(1)), 5, proof)).toBe('invalid')
    expect(await proven(root, 5, [])).toBe('invalid')
    for (let at = 0; at < proof.length; at++)
      expect(
        await proven(
          root,
          5,
          proof.filter((_, other) => other !== at),
        ),
      ).toBe('invalid')
    expect(await proven(root, 5, new Array<Uint8Array>(33).fill(proof[0]!))).toBe('malformed')
  })

  it('of one entry is none of another whose key parts from its own, with all nodes at hand', async () => {
    const one = await theirTrie(valuesOf([40]))
    const alone = await createMerkleProof(one, encode(0))
    for (const index of [1, 2, 127, 128, 300])
      expect(await proven(toHex(one.root()), index, alone)).toBe('invalid')
    // 0x8188 and 0x81c8: after an extension of 8 there is the same nibble, 8.
    const many = await theirTrie(valuesOf(Array.from({ length: 140 }, () => 50)))
    const proof = await createMerkleProof(many, encode(136))
    expect(await proven(toHex(many.root()), 136, proof)).toEqual(
      new Uint8Array(valuesOf(Array(140).fill(50))[136]!),
    )
    expect(await proven(toHex(many.root()), 200, proof)).toBe('invalid')
  })

  it('with a long value is hashed with pauses, and ends where a pause does not', async () => {
    const values = valuesOf([40, 500_000])
    const trie = await theirTrie(values)
    const nodes = await createMerkleProof(trie, encode(1))
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    expect(await provenTrieValue(toHex(trie.root()), 1, nodes, pause)).toEqual(values[1])
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(500_000 / 16_384))
    const reason = new Error('enough')
    const never = async (): Promise<void> => {
      throw reason
    }
    await expect(provenTrieValue(toHex(trie.root()), 1, nodes, never)).rejects.toBe(reason)
  })

  it('of more bytes than any block has is refused before it is hashed', async () => {
    const nodes = Array<Uint8Array>(11).fill(new Uint8Array(2 ** 20))
    const never = async (): Promise<void> => expect.unreachable('it was hashed')
    await expect(provenTrieValue(keccakOf(nodes[0]!), 0, nodes, never)).rejects.toMatchObject({
      fault: 'malformed',
    })
  })

  it('that is spoilt in any byte is none', async () => {
    const values = valuesOf(Array.from({ length: 20 }, () => 40))
    const trie = await theirTrie(values)
    const proof = await createMerkleProof(trie, encode(17))
    for (const [node, bytes] of proof.entries())
      for (let at = 0; at < bytes.length; at++) {
        const spoilt = proof.map((one, other) =>
          other === node ? one.map((byte, i) => (i === at ? byte ^ 1 : byte)) : one,
        )
        expect(await proven(toHex(trie.root()), 17, spoilt)).toBeTypeOf('string')
      }
  })

  it('of junk, under a root that was made for it, is what it says, or an error of the one class', async () => {
    const path = fc.constantFrom(
      Uint8Array.of(0x20, 0x05),
      Uint8Array.of(0x00, 0x05),
      Uint8Array.of(0x30),
      Uint8Array.of(0x15),
      Uint8Array.of(0x00),
      new Uint8Array(0),
      Uint8Array.of(0x80),
    )
    const item = fc.oneof<fc.Arbitrary<Input>[]>(
      fc.uint8Array({ maxLength: 33 }),
      fc.constant([Uint8Array.of(0x35), Uint8Array.of(7)]),
    )
    const node = fc.oneof(
      fc.tuple(path, item).map((pair) => encode(pair)),
      fc.array(item, { minLength: 17, maxLength: 17 }).map((items) => encode(items)),
      fc.array(item, { maxLength: 20 }).map((items) => encode(items)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 3 }), fc.nat(20), async (nodes, index) => {
        const value = await proven(keccakOf(nodes[0]!), index, nodes)
        if (typeof value !== 'string') expect(value).toBeInstanceOf(Uint8Array)
      }),
      { numRuns: 3_000 },
    )
  })

  it('is followed downwards alone: nodes that name each other, or themselves, end', async () => {
    // An extension whose path is empty would lead on for ever, if there were one that has its own hash.
    const inner = encode([Uint8Array.of(0x00), new Uint8Array(32).fill(7)])
    expect(await proven(keccakOf(inner), 5, [inner])).toBe('malformed')
    const deep = concat(Uint8Array.of(0xfa, 0x0f, 0xff, 0xf0), new Uint8Array(0x0ffff0).fill(0xc0))
    expect(await proven(keccakOf(deep), 5, [deep])).toBe('malformed')
  })
})
