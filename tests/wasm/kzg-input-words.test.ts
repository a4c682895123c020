/** What a `KzgInputError` says of bad input: of which field it is, what has to be, and what was given. */
import type { KzgInputCode } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { inputError } from '../../dist/kzg/input-words.js'
import { toHex } from '../support/bytes.ts'
import { blob, cell, commitment, errorOf, modulus, type Name, proof, zero } from '../support/kzg-calls.ts'
import { infinity, makeCell, range } from '../support/make.ts'

describe('an error names the field of what could be several, and says in words what has to be and what was given', () => {
  const tooLarge = (bytes: Uint8Array, at: number): Uint8Array => {
    const changed = new Uint8Array(bytes)
    changed.set(modulus, 32 * at)
    return changed
  }
  const remedy = '; 31 bytes of data fit into each element, as by viem’s toBlobs'
  const notBelow = (what: string): string => `${what} is not below BLS_MODULUS`
  const half = [range(64), range(64).map(() => cell)] as const
  const other = (makeCell(2, 64) as { cell: Uint8Array }).cell
  const six = new Uint8Array(48).fill(0x80, 0, 1)
  const cases: [
    code: KzgInputCode,
    name: Name,
    args: readonly unknown[],
    at: number,
    field: string,
    words: string,
  ][] = [
    [
      'scalar-length',
      'verifyKzgProof',
      [infinity, '0x', zero, infinity],
      0,
      'z',
      'must have 32 bytes; given: 0',
    ],
    [
      'scalar-length',
      'verifyKzgProof',
      [infinity, infinity, zero, infinity],
      0,
      'z',
      'must have 32 bytes; given: more',
    ],
    [
      'scalar-length',
      'verifyKzgProof',
      [infinity, zero, zero.subarray(1), infinity],
      1,
      'y',
      'must have 32 bytes; given: 31',
    ],
    ['scalar-not-canonical', 'verifyKzgProof', [infinity, modulus, modulus, infinity], 0, 'z', notBelow('z')],
    [
      'scalar-not-canonical',
      'verifyKzgProof',
      [infinity, zero, toHex(modulus), infinity],
      1,
      'y',
      notBelow('y'),
    ],
    [
      'scalar-not-canonical',
      'computeCells',
      [toHex(tooLarge(blob, 0))],
      0,
      'blob',
      notBelow('element 0 (from 0)') + remedy,
    ],
    [
      'scalar-not-canonical',
      'verifyBlobKzgProofBatch',
      [
        [blob, tooLarge(blob, 4095)],
        [commitment, commitment],
        [proof, proof],
      ],
      1,
      'blob',
      notBelow('element 4095 (from 0)') + remedy,
    ],
    [
      'scalar-not-canonical',
      'verifyBlobCommitments',
      [
        [blob, tooLarge(tooLarge(blob, 4000), 7)],
        [commitment, commitment],
      ],
      1,
      'blob',
      notBelow('element 7 (from 0)') + remedy,
    ],
    [
      'scalar-not-canonical',
      'recoverCells',
      [half[0], half[1].with(9, tooLarge(cell, 63))],
      9,
      'cell',
      notBelow('element 63 (from 0)'),
    ],
    [
      'scalar-not-canonical',
      'verifyCellKzgProofBatch',
      [[commitment], [3], [tooLarge(cell, 5)], [infinity]],
      0,
      'cell',
      notBelow('element 5 (from 0)'),
    ],
    ['blob-length', 'computeCells', [blob.subarray(1)], 0, '', 'must have 131072 bytes; given: 131071'],
    [
      'blob-length',
      'verifyBlobKzgProofBatch',
      [
        [blob, new Uint8Array(131_074)],
        [commitment, commitment],
        [proof, proof],
      ],
      1,
      '',
      'must have 131072 bytes; given: more',
    ],
    ['commitment-length', 'computeChallenge', [blob, '0x12'], 0, '', 'must have 48 bytes; given: 1'],
    ['proof-length', 'verifyKzgProof', [infinity, zero, zero, zero], 0, '', 'must have 48 bytes; given: 32'],
    [
      'cell-length',
      'recoverCells',
      [range(129), [...range(128).map(() => cell), zero]],
      128,
      '',
      'must have 2048 bytes; given: 32',
    ],
    [
      'array-lengths',
      'verifyCellKzgProofBatch',
      [[commitment], [3, 4], [], [infinity]],
      0,
      '',
      'lists are equally long; given: commitment 1, cell-index 2, cell 0, proof 1',
    ],
    [
      'array-lengths',
      'recoverCells',
      [range(128), range(129).map(() => cell)],
      0,
      '',
      'lists are equally long; given: cell-index 128, cell 129',
    ],
    [
      'array-lengths',
      'computeVerifyCellKzgProofBatchChallenge',
      [[commitment, infinity], [0, 1, 0], [1, 2, 3], [cell, cell, cell], [infinity]],
      0,
      '',
      'lists are equally long; given: commitment-index 3, cell-index 3, cell 3, proof 1',
    ],
    [
      'cell-index',
      'recoverCells',
      [half[0].with(63, 128), half[1]],
      63,
      '',
      'an integer from 0 to 127; given: 128',
    ],
    [
      'cell-index',
      'recoverCells',
      [half[0].with(1, -1), half[1]],
      1,
      '',
      'an integer from 0 to 127; given: -1',
    ],
    [
      'cell-index',
      'recoverCells',
      [(half[0] as unknown[]).with(2, 2n ** 40n), half[1]],
      2,
      '',
      'an integer from 0 to 127; given: 1099511627776',
    ],
    [
      'cell-index',
      'recoverCells',
      [(half[0] as unknown[]).with(3, '3'), half[1]],
      3,
      '',
      'an integer from 0 to 127; given: string',
    ],
    [
      'commitment-index',
      'computeVerifyCellKzgProofBatchChallenge',
      [[commitment], [1], [3], [cell], [infinity]],
      0,
      '',
      'no commitment has it; given: 1',
    ],
    [
      'cell-count',
      'recoverCells',
      [range(63), range(63).map(() => cell)],
      0,
      '',
      'from 64 to 128 cells are wanted; given: 63',
    ],
    [
      'cell-count',
      'recoverCells',
      [range(129), range(129).map(() => cell)],
      0,
      '',
      'from 64 to 128 cells are wanted; given: 129',
    ],
    ['cell-order', 'recoverCells', [half[0].with(1, 0), half[1]], 1, '', 'indices must ascend'],
    [
      'cells-inconsistent',
      'recoverCells',
      [range(65), [...half[1], other]],
      0,
      '',
      'no blob has all of them; verify each with its proof',
    ],
    [
      'commitment-encoding',
      'verifyBlobKzgProof',
      [blob, new Uint8Array(48), proof],
      0,
      '',
      'no point is encoded like this',
    ],
    [
      'proof-not-on-curve',
      'verifyBlobKzgProof',
      [blob, commitment, new Uint8Array(48).fill(0x80, 0, 1).fill(1, 47)],
      0,
      '',
      'no point has this x',
    ],
    ['commitment-not-in-subgroup', 'verifyBlobKzgProof', [blob, six, proof], 0, '', 'the point is not in G1'],
  ]
  it.each(cases)('%s of %s', (code, name, args, index, field, words) => {
    expect(errorOf(name, args)).toMatchObject({
      ...{ code, index, field: field === '' ? undefined : field },
      message: `${code} (${field === '' ? '' : `${field}, `}index ${index}): ${words}`,
    })
  })
})

it('a scalar that another thread has changed since is named without an element', () => {
  const error = inputError('scalar-not-canonical', 0, undefined, { cell: [cell] })
  expect(error).toMatchObject({ code: 'scalar-not-canonical', field: 'cell', index: 0 })
  expect(error.message).toBe('scalar-not-canonical (cell, index 0): an element is not below BLS_MODULUS')
})
