/** Bad input to `blobcheck/kzg`: each kind throws `KzgInputError` with its documented code, and nothing else. */
import fc from 'fast-check'
import { type KzgInputCode, KzgInputError } from 'blobcheck/kzg'
import { beforeEach, describe, expect, it } from 'vitest'
import { badHex, everyForm, notBytes, notIndices, throwingProxy } from '../support/hostile.ts'
import { toHex } from '../support/bytes.ts'
import {
  blob,
  call,
  cell,
  codeOf,
  commitment,
  errorOf,
  fields,
  kzg,
  modulus,
  names,
  proof,
  replaced,
  valid,
  zero,
  type Name,
} from '../support/kzg-calls.ts'
import { infinity, makeBlob, makeCell, range } from '../support/make.ts'

/** Vitest compares large arrays entry by entry, at some length; a checksum by hand says the same sooner. */
const summary = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(summary).join()
  if (!(value instanceof Uint8Array)) return value
  return `${value.length} bytes ${value.reduce((sum, byte) => (sum * 31 + byte) % 4_294_967_291, 7)}`
}

const isBytes = (value: unknown): boolean => value instanceof Uint8Array
const positions = (name: Name, is: (value: unknown) => boolean): number[] =>
  range(valid[name].length).filter((position) => is(valid[name][position]))
const isArray = (value: unknown): boolean => Array.isArray(value)
const isIndex = (value: unknown): boolean => typeof value === 'number'
const listsOf = (name: Name, is: (value: unknown) => boolean): number[] =>
  positions(name, (value) => Array.isArray(value) && is(value[0]))

/** By the length of what is expected there; 48 bytes are a commitment or a proof, which have codes of their own. */
const lengthCodes: Readonly<Record<number, readonly KzgInputCode[]>> = {
  131_072: ['blob-length'],
  2_048: ['cell-length'],
  48: ['commitment-length', 'proof-length'],
  32: ['scalar-length'],
}

describe.each(names)('%s', (name) => {
  /** A test of what not each function has: it is made where there is some of it. */
  const itWith = (isThere: boolean, what: string, act: () => void): void => {
    if (isThere) it(what, act)
  }
  const hasLists = positions(name, isArray).length > 0

  it('answers to valid arguments, in bytes and in hex of either case', () => {
    const answer = call(name, valid[name])
    const written = (write: (bytes: Uint8Array) => string): unknown[] =>
      valid[name].map((value) =>
        Array.isArray(value)
          ? value.map((entry) => (isBytes(entry) ? write(entry as Uint8Array) : entry))
          : write(value as Uint8Array),
      )
    if (typeof answer === 'boolean') expect(answer).toBe(true)
    expect(summary(call(name, written(toHex)))).toEqual(summary(answer))
    expect(
      call(
        name,
        written((bytes) => `0x${toHex(bytes).slice(2).toUpperCase()}`),
      ),
    ).toEqual(answer)
  })

  it('takes every form that bytes have, and leaves them as they were', () => {
    const answer = summary(call(name, valid[name]))
    const hold = (form: Uint8Array, args: unknown[]): void => {
      const before = summary(new Uint8Array(form))
      expect(summary(call(name, args))).toEqual(answer)
      expect(summary(new Uint8Array(form))).toEqual(before)
    }
    for (const position of positions(name, isBytes)) {
      const bytes = valid[name][position] as unknown as Uint8Array
      for (const [, form] of everyForm(bytes)) hold(form, replaced(name, position, form))
    }
    for (const position of listsOf(name, isBytes)) {
      const [bytes] = valid[name][position] as unknown as Uint8Array[]
      for (const [, form] of everyForm(bytes!)) hold(form, replaced(name, position, form, 0))
    }
  })

  it('names the field of what could be any, and says it', () => {
    const last = (position: number): number => (valid[name][position] as unknown as unknown[]).length - 1
    for (const [position, field] of fields[name].entries()) {
      const isList = isArray(valid[name][position])
      // `y` is the second field element of its call.
      const at = isList && !field.endsWith('index') ? last(position) : field === 'y' ? 1 : 0
      const wrong: [value: unknown, code: KzgInputCode][] = field.endsWith('index')
        ? []
        : [
            [1, 'not-bytes'],
            ['0x0', 'bad-hex'],
          ]
      for (const [value, code] of wrong) {
        const error = errorOf(name, replaced(name, position, value, isList ? at : undefined))
        expect(error).toMatchObject({ code, index: at, field })
        const words =
          code === 'bad-hex'
            ? 'hex is 0x and an even number of digits'
            : 'bytes are a Uint8Array or 0x hex; given: number'
        expect(error.message).toBe(`${code} (${field}, index ${at}): ${words}`)
      }
      if (isList)
        expect(errorOf(name, replaced(name, position, null))).toMatchObject({
          ...{ code: 'not-an-array', field },
          message: `not-an-array (${field}, index 0): a list is an array; given: null`,
        })
    }
  })

  it('calls what is not bytes not-bytes, and names the element', () => {
    for (const [, value] of notBytes()) {
      for (const position of positions(name, isBytes)) {
        expect(codeOf(name, replaced(name, position, value))).toBe('not-bytes')
      }
      for (const position of listsOf(name, isBytes)) {
        const last = (valid[name][position] as unknown as unknown[]).length - 1
        expect(errorOf(name, replaced(name, position, value, last))).toMatchObject({
          code: 'not-bytes',
          index: last,
        })
      }
    }
  })

  it('calls bad hex bad-hex', () => {
    for (const text of badHex) {
      for (const position of positions(name, isBytes)) {
        expect(codeOf(name, replaced(name, position, text))).toBe('bad-hex')
      }
      for (const position of listsOf(name, isBytes)) {
        expect(codeOf(name, replaced(name, position, text, 0))).toBe('bad-hex')
      }
    }
  })

  it('refuses bytes that are too few or too many by their own code', () => {
    const wrong = (bytes: Uint8Array): unknown[] => {
      const longer = new Uint8Array(bytes.length + 1)
      longer.set(bytes)
      return ['0x', new Uint8Array(0), bytes.subarray(0, -1), longer, new Uint8Array(2 * bytes.length)]
    }
    for (const position of positions(name, isBytes)) {
      const bytes = valid[name][position] as unknown as Uint8Array
      for (const value of wrong(bytes)) {
        expect(lengthCodes[bytes.length]).toContain(codeOf(name, replaced(name, position, value)))
      }
    }
    for (const position of listsOf(name, isBytes)) {
      const list = valid[name][position] as unknown as Uint8Array[]
      const last = list.length - 1
      for (const value of wrong(list[last]!)) {
        const error = errorOf(name, replaced(name, position, value, last))
        expect(lengthCodes[list[last]!.length]).toContain(error.code)
        expect(error.index).toBe(last)
      }
    }
  })

  itWith(hasLists, 'refuses what is not an array where an array is due', () => {
    for (const position of positions(name, isArray)) {
      const iterable = new Set(valid[name][position] as unknown as unknown[])
      for (const value of [
        undefined,
        null,
        0,
        '0x',
        {},
        { length: 2 ** 32 },
        iterable,
        new Uint8Array(48),
        () => [],
      ]) {
        expect(codeOf(name, replaced(name, position, value))).toBe('not-an-array')
      }
    }
  })

  // One list alone matches itself.
  itWith(positions(name, isArray).length > 1, 'refuses lists that do not match', () => {
    const lists = positions(name, isArray)
    for (const position of lists) {
      // Distinct commitments are a list of their own.
      if (name === 'computeVerifyCellKzgProofBatchChallenge' && position === 0) continue
      const list = valid[name][position] as unknown as unknown[]
      for (const other of [[], list.slice(0, -1), [...list, list[0]]]) {
        expect(codeOf(name, replaced(name, position, other))).toBe('array-lengths')
      }
    }
  })

  itWith(hasLists, 'reads a hole as an element that is missing, however many there are', () => {
    for (const position of listsOf(name, isBytes)) {
      // As long as an array can be: to be refused at the first, not counted to the last.
      expect(codeOf(name, replaced(name, position, new Array(2 ** 32 - 1)))).toBe('not-bytes')
    }
    for (const position of listsOf(name, isIndex)) {
      expect(codeOf(name, replaced(name, position, new Array(2 ** 32 - 1)))).toMatch(
        /^(cell|commitment)-index$/,
      )
    }
  })

  itWith(listsOf(name, isIndex).length > 0, 'refuses indices that no cell has', () => {
    for (const position of listsOf(name, isIndex)) {
      const isCommitment = name === 'computeVerifyCellKzgProofBatchChallenge' && position === 1
      for (const index of notIndices) {
        const error = errorOf(name, replaced(name, position, index, 1))
        expect(error).toMatchObject({ code: isCommitment ? 'commitment-index' : 'cell-index', index: 1 })
      }
    }
  })

  it('refuses missing arguments', () => {
    for (const count of range(valid[name].length)) {
      expect(['not-bytes', 'not-an-array']).toContain(codeOf(name, valid[name].slice(0, count)))
    }
  })

  it('throws nothing but KzgInputError, whatever it is given', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    })
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom(...valid[name].flat().filter(isBytes)),
    )
    const argument = fc.oneof(
      anything,
      bytes,
      fc.array(fc.oneof(bytes, fc.integer(), anything), { maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 5 }), (args) => {
        try {
          const answer = call(name, args)
          // What it answers, it answers to arguments that can be judged, and the same again.
          expect(summary(call(name, args))).toEqual(summary(answer))
        } catch (error) {
          expect(error).toBeInstanceOf(KzgInputError)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the codes that only the contents have', () => {
  let args: unknown[]
  beforeEach(() => (args = [...valid.verifyBlobKzgProof]))

  it('scalar-not-canonical: the modulus itself, in a blob, a cell, z and y', () => {
    const tooLarge = new Uint8Array(blob)
    tooLarge.set(modulus, 131_072 - 32)
    args[0] = tooLarge
    expect(codeOf('verifyBlobKzgProof', args)).toBe('scalar-not-canonical')
    expect(
      errorOf('verifyBlobKzgProofBatch', replaced('verifyBlobKzgProofBatch', 0, tooLarge, 1)),
    ).toMatchObject({
      code: 'scalar-not-canonical',
      index: 1,
    })
    expect(codeOf('computeCells', [tooLarge])).toBe('scalar-not-canonical')
    const largeCell = new Uint8Array(cell)
    largeCell.set(modulus, 0)
    expect(
      errorOf('verifyCellKzgProofBatch', replaced('verifyCellKzgProofBatch', 2, largeCell, 1)),
    ).toMatchObject({
      code: 'scalar-not-canonical',
      index: 1,
    })
    expect(codeOf('recoverCells', replaced('recoverCells', 1, largeCell, 0))).toBe('scalar-not-canonical')
    for (const position of [1, 2]) {
      expect(codeOf('verifyKzgProof', replaced('verifyKzgProof', position, modulus))).toBe(
        'scalar-not-canonical',
      )
    }
  })

  it('scalar-not-canonical: not for the largest scalar, which is one below', () => {
    const largest = new Uint8Array(modulus)
    largest[31]!--
    expect(call('verifyKzgProof', [infinity, largest, zero, infinity])).toBe(true)
    expect(call('verifyKzgProof', [infinity, zero, largest, infinity])).toBe(false)
  })

  const points: [kind: string, point: Uint8Array][] = [
    ['encoding', new Uint8Array(48)], // the flag of compression is missing
    ['encoding', new Uint8Array(48).fill(0xff)], // x is above the field's modulus
    ['encoding', new Uint8Array(48).fill(0xe0, 0, 1)], // infinity has no sign
    ['encoding', new Uint8Array(48).fill(0xc0, 0, 1).fill(1, 47)], // infinity has no x
    ['not-on-curve', new Uint8Array(48).fill(0x80, 0, 1).fill(1, 47)], // x = 1: 5 is no square
    ['not-in-subgroup', new Uint8Array(48).fill(0x80, 0, 1)], // x = 0, y = 2: of order 3
  ]

  it.each(points)('commitment-%s and proof-%s', (kind, point) => {
    expect(codeOf('verifyBlobKzgProof', [blob, point, proof])).toBe(`commitment-${kind}`)
    expect(codeOf('verifyBlobKzgProof', [blob, commitment, point])).toBe(`proof-${kind}`)
    expect(codeOf('verifyKzgProof', [point, zero, zero, infinity])).toBe(`commitment-${kind}`)
    expect(codeOf('verifyKzgProof', [infinity, zero, zero, point])).toBe(`proof-${kind}`)
    for (const name of ['verifyBlobKzgProofBatch', 'verifyCellKzgProofBatch'] as const) {
      const [commitments, proofs] = name === 'verifyBlobKzgProofBatch' ? [1, 2] : [0, 3]
      expect(errorOf(name, replaced(name, commitments, point, 1))).toMatchObject({
        code: `commitment-${kind}`,
        index: 1,
      })
      expect(errorOf(name, replaced(name, proofs, point, 1))).toMatchObject({
        code: `proof-${kind}`,
        index: 1,
      })
    }
  })

  it('cell-count, cell-order, cells-inconsistent: recovery', () => {
    const from = (indices: readonly number[]): unknown[] => [indices, indices.map(() => cell)]
    expect(codeOf('recoverCells', from([]))).toBe('cell-count')
    expect(codeOf('recoverCells', from(range(63)))).toBe('cell-count')
    expect(codeOf('recoverCells', from([...range(128), 127]))).toBe('cell-count')
    expect(codeOf('recoverCells', from([...range(63), 62]))).toBe('cell-order')
    expect(codeOf('recoverCells', from(range(64).reverse()))).toBe('cell-order')
    const other = (makeCell(2, 64) as { cell: Uint8Array }).cell
    expect(errorOf('recoverCells', [range(65), [...range(64).map(() => cell), other]])).toMatchObject({
      code: 'cells-inconsistent',
      index: 0,
    })
    expect(summary(call('recoverCells', from(range(128))))).toEqual(summary(range(128).map(() => cell)))
  })

  it('64 cells are those of some blob, also where one of them is altered', () => {
    const { cell: other } = makeCell(2, 64) as { cell: Uint8Array }
    const given = range(64).map((at) => (at === 63 ? other : (cell as Uint8Array)))
    const recovered = kzg.recoverCells(range(64), given)
    expect(recovered.slice(0, 64)).toEqual(given)
    expect(recovered[64]).not.toEqual(cell)
  })

  it('empty batches are true', () => {
    expect(kzg.verifyBlobKzgProofBatch([], [], [])).toBe(true)
    expect(kzg.verifyCellKzgProofBatch([], [], [], [])).toBe(true)
  })

  it('an index may be a bigint, as JSON parsers give them', () => {
    expect(call('verifyCellKzgProofBatch', replaced('verifyCellKzgProofBatch', 1, 3n, 0))).toBe(true)
  })

  it('a list that is a revoked proxy is no array', () => {
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    expect(codeOf('verifyBlobKzgProofBatch', [proxy, [], []])).toBe('not-an-array')
  })

  it('a list is what is in its places, whatever its iterator gives', () => {
    const odd = (...values: unknown[]): unknown[] =>
      Object.defineProperty(values, Symbol.iterator, { value: function* () {} })
    const other = makeBlob(2).commitment
    expect(call('verifyBlobKzgProofBatch', [odd(blob), odd(commitment), odd(proof)])).toBe(true)
    expect(call('verifyBlobKzgProofBatch', [odd(blob), odd(other), odd(proof)])).toBe(false)
    expect(codeOf('verifyCellKzgProofBatch', [odd(commitment), odd(128), odd(cell), odd(proof)])).toBe(
      'cell-index',
    )
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 32, Infinity, '1', null, undefined])(
    'a proxy that says it is %s long is no array, and one that counts on is asked once',
    (length) => {
      const liar = (said: () => unknown): unknown =>
        new Proxy([], { get: (_, key) => (key === 'length' ? said() : blob) })
      const error = errorOf('verifyBlobKzgProofBatch', [liar(() => length), [], []])
      expect(error).toMatchObject({ code: 'not-an-array', field: 'blob' })
      expect(error.message).toBe('not-an-array (blob, index 0): a list is an array; given: a proxy')
      let count = 0
      expect(codeOf('verifyBlobKzgProofBatch', [liar(() => count++), [blob], [proof]])).toBe('array-lengths')
      expect(count).toBe(1)
    },
  )

  it('an array whose traps throw does so by its own fault, and the next call is unharmed', () => {
    expect(() => call('verifyBlobKzgProofBatch', [throwingProxy([]), [], []])).toThrow(
      'the trap of a hostile object',
    )
    expect(kzg.verifyBlobKzgProof(blob, commitment, proof)).toBe(true)
  })

  it.each([0, 47, 48, 49, 2 ** 31, -1, Number.NaN])(
    'a subclass that says it is %d long is as long as it is, and the next call is unharmed',
    (said) => {
      class Liar extends Uint8Array {
        override get length(): number {
          return said
        }
        override get byteLength(): number {
          return said
        }
        override get byteOffset(): number {
          return said
        }
        override get buffer(): ArrayBuffer {
          return new ArrayBuffer(0)
        }
      }
      // Longer than what would be set aside for it, and full of what would be found elsewhere.
      const long = new Liar(200_000).fill(0xaa)
      expect(codeOf('verifyBlobKzgProof', [blob, long, proof])).toBe('commitment-length')
      expect(codeOf('verifyKzgProof', [infinity, zero, zero, long])).toBe('proof-length')
      expect(codeOf('computeCells', [long])).toBe('blob-length')
      expect(codeOf('verifyCellKzgProofBatch', [[commitment], [3], [long], [infinity]])).toBe('cell-length')
      expect(kzg.verifyBlobKzgProof(new Liar(blob), new Liar(commitment), new Liar(proof))).toBe(true)
      expect(kzg.verifyBlobKzgProof(blob, commitment, proof)).toBe(true)
    },
  )

  it('an array in memory that grows is as long as it is when it is read', () => {
    type Resizable = ArrayBuffer & { resize(bytes: number): void }
    const memory: Resizable = Reflect.construct(ArrayBuffer, [48, { maxByteLength: 2 ** 20 }])
    const growing = new Uint8Array(memory)
    growing.set(commitment)
    expect(kzg.verifyBlobKzgProof(blob, growing, proof)).toBe(true)
    for (const bytes of [49, 47, 0]) {
      memory.resize(bytes)
      expect(codeOf('verifyBlobKzgProof', [blob, growing, proof])).toBe('commitment-length')
    }
  })

  it('a detached array is empty', () => {
    const detached = new Uint8Array(blob)
    structuredClone(detached.buffer, { transfer: [detached.buffer] })
    expect(codeOf('verifyBlobKzgProof', [detached, commitment, proof])).toBe('blob-length')
  })
})
