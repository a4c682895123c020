/** The memory that callers' bytes are copied into: nothing of one copy is seen in another, and it is used again. */
import { describe, expect, it } from 'vitest'
import { bufferPoolFor } from '../../dist/verifier/check-items.js'
import { PooledCopies, BufferPool } from '../../dist/verifier/buffer-pool.js'
import { range } from '../support/make.ts'

/** So many items, or bytes, that they lie in a buffer of the pool. */
const MANY = 1e6
const MUCH = 1e6

const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)

describe('copies', () => {
  it('lie one after the other in a buffer, and where there is no room in memory of their own', () => {
    const copies = new PooledCopies(new BufferPool(100, 2), MANY, Infinity)
    expect([copies.buffer, copies.bytes]).toEqual([null, 0])
    const parts = [30, 0, 71, 70, 1].map((length, at) => filled(length, at + 1))
    const ours = parts.map((part) => copies.take(part))
    expect(ours.map((part) => [...part])).toEqual(parts.map((part) => [...part]))
    expect(ours.map(({ buffer }) => buffer === copies.buffer)).toEqual([true, true, false, true, false])
    expect(copies.others).toEqual([ours[2]!.buffer, ours[4]!.buffer])
    expect(copies.bytes).toBe(172)
    parts.forEach((part) => part.fill(9))
    expect(ours[0]![0]).toBe(1)
  })

  it('are as long as what they are of, whatever a subclass says', () => {
    class Liar extends Uint8Array {
      override get length(): number {
        return 3
      }
    }
    const buffers = new BufferPool(100, 1)
    buffers.giveBack(filled(100, 7).buffer as ArrayBuffer)
    const copy = new PooledCopies(buffers, MANY, Infinity).take(new Liar([1, 2]))
    expect([...copy]).toEqual([1, 2])
  })

  it('take nothing of what is detached', () => {
    const detached = filled(10, 1)
    structuredClone(detached.buffer, { transfer: [detached.buffer as ArrayBuffer] })
    const copies = new PooledCopies(new BufferPool(100, 1), MANY, Infinity)
    expect(() => copies.take(detached)).toThrow(TypeError)
    expect([...copies.take(filled(2, 5))]).toEqual([5, 5])
    expect(copies.bytes).toBe(2)
  })
})

describe('copies with a limit', () => {
  it('of what is too long are one byte longer than it may be, and of text what is too long for hex of that', () => {
    const copies = new PooledCopies(new BufferPool(100, 1), MANY, 10)
    const long = Uint8Array.from({ length: 50 }, (_, at) => at)
    for (const length of [50, 11, 10])
      expect([...copies.take(long.subarray(0, length))]).toEqual([...long.subarray(0, Math.min(length, 11))])
    expect(copies.bytes).toBe(32)
    const text = (length: number): string => '0x'.padEnd(length, 'ab')
    expect([23, 24, 25, 90].map((length) => copies.takeText(text(length)).length)).toEqual([23, 24, 24, 24])
    expect(copies.takeText(text(90))).toBe(text(24))
  })

  it.each([
    ['a cell', 1, [2_048, 48, 48]],
    ['some cells', 60, Array.from({ length: 60 }, () => [2_048, 48, 48]).flat()],
    ['a blob', 1, [131_072, 48, 48, 32]],
    ['two of which the first is empty', 2, [0, 48]],
  ])('of few items lie in memory of their own, which is small: %s', (_name, items, lengths) => {
    const pool = new BufferPool(2 ** 22, 1)
    const copies = new PooledCopies(pool, items, Infinity)
    for (const length of lengths) copies.take(filled(length, 1))
    const all = [copies.buffer!, ...copies.others].reduce((sum, { byteLength }) => sum + byteLength, 0)
    expect(all).toBeGreaterThanOrEqual(copies.bytes)
    expect(all).toBeLessThanOrEqual(2 * copies.bytes)
    expect(copies.others.length).toBeLessThan(2)
    // It is nobody's who comes next.
    pool.giveBack(copies.buffer)
    expect(pool.take(MUCH)).not.toBe(copies.buffer)
  })

  it('of many items lie in a buffer of the pool, as those of six blobs and of 128 cells do', () => {
    for (const [items, length] of [
      [6, 131_072],
      [128, 2_048],
    ] as const) {
      const copies = new PooledCopies(new BufferPool(2 ** 22, 1), items, Infinity)
      copies.take(filled(length, 1))
      expect(copies.buffer!.byteLength).toBe(2 ** 22)
    }
  })

  it('lie in a buffer up to its last byte', () => {
    const copies = new PooledCopies(new BufferPool(25, 1), MANY, Infinity)
    const [first, second, third] = [10, 15, 1].map((length) => copies.take(filled(length, 1)))
    expect([first, second].map((one) => [one!.buffer === copies.buffer, one!.byteOffset])).toEqual([
      [true, 0],
      [true, 10],
    ])
    expect(copies.others).toEqual([third!.buffer])
  })
})

describe('buffers', () => {
  it('that were not of the pool stay out of it, and one that comes back twice is there once', () => {
    const pool = new BufferPool(100, 2)
    const [a, b, c] = [pool.take(MUCH), pool.take(MUCH), pool.take(MUCH)]
    for (const other of [null, new ArrayBuffer(99), new ArrayBuffer(101)]) pool.giveBack(other)
    pool.giveBackAll([a, b, a, c])
    const again = [pool.take(MUCH), pool.take(MUCH), pool.take(MUCH)]
    expect(again.map((one) => [a, b, c].indexOf(one))).toEqual([1, 0, -1])
    structuredClone(a, { transfer: [a] })
    pool.giveBack(a)
    expect(pool.take(MUCH)).not.toBe(a)
  })

  it('are used again, and no more of them are kept than are needed', () => {
    const buffers = new BufferPool(100, 2)
    const taken = range(4).map(() => buffers.take(MUCH))
    expect(new Set(taken).size).toBe(4)
    taken.forEach((buffer) => buffers.giveBack(buffer))
    buffers.giveBack(null)
    buffers.giveBack(new ArrayBuffer(0)) // detached: it has not come home
    const again = range(3).map(() => buffers.take(MUCH))
    expect(again.map((buffer) => taken.indexOf(buffer))).toEqual([1, 0, -1])
  })

  it.each([0, 1, 2, 3, 8, 50])(
    'of a call with %i workers are small together, and all come back',
    (workers) => {
      const buffers = bufferPoolFor({ workers } as never)
      const first = buffers.take(MUCH)
      // A blob with its commitment and proof fits in beside what was copied before.
      expect(first.byteLength).toBeGreaterThan(131_168)
      expect(Math.max(workers, 1) * (first.byteLength - (256 << 10))).toBeLessThanOrEqual(4 << 20)
      buffers.giveBack(first)
      expect(buffers.take(MUCH)).toBe(first)
    },
  )
})
