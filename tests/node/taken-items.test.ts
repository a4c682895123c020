/** Memory on its way to a worker: what is copied into pooled buffers, and what was the caller's and travels as it is. */
import { describe, expect, it } from 'vitest'
import * as buffers from '../../dist/verifier/buffer-pool.js'
import * as takenItems from '../../dist/verifier/taken-items.js'
import type * as bufferSources from '../../ts/src/verifier/buffer-pool.ts'
import type * as takenSources from '../../ts/src/verifier/taken-items.ts'

// The declarations of the package leave out what is internal.
const { BufferPool, PooledCopies } = buffers as unknown as typeof bufferSources
const { TakenItems } = takenItems as unknown as typeof takenSources

const bytes = (length: number, byte = 1): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(byte)

describe('a pool of buffers', () => {
  it('lends again what came back, as much as it keeps, and nothing that was not its own', () => {
    const pool = new BufferPool(100, 2)
    const [a, b, c] = [pool.take(), pool.take(), pool.take()]
    expect([a, b, c].map(({ byteLength }) => byteLength)).toEqual([100, 100, 100])
    for (const other of [null, new ArrayBuffer(99), new ArrayBuffer(101)]) pool.giveBack(other)
    pool.giveBackAll([a, b, a, c])
    const again = [pool.take(), pool.take(), pool.take()]
    expect(again.slice(0, 2)).toEqual([b, a])
    expect([a, b, c]).not.toContain(again[2])
    // One that is detached is none.
    structuredClone(a, { transfer: [a] })
    pool.giveBack(a)
    expect(pool.take()).not.toBe(a)
  })
})

describe('copies', () => {
  it('lie one after the other in a buffer, and apart where there is no room', () => {
    const copies = new PooledCopies(new BufferPool(25, 1))
    expect([copies.buffer, copies.bytes]).toEqual([null, 0])
    const [first, second, third, fourth] = [10, 15, 1, 30].map((length, at) => copies.take(bytes(length, at)))
    expect([first, second, third, fourth]).toEqual([bytes(10, 0), bytes(15, 1), bytes(1, 2), bytes(30, 3)])
    expect([first, second].map((one) => [one!.buffer, one!.byteOffset])).toEqual([
      [copies.buffer, 0],
      [copies.buffer, 10],
    ])
    expect(copies.others).toEqual([third!.buffer, fourth!.buffer])
    expect(copies.bytes).toBe(56)
  })

  it('of what is too long are one byte longer than it may be, and of text what is too long for hex of that', () => {
    const copies = new PooledCopies(new BufferPool(100, 1), 10)
    const long = Uint8Array.from({ length: 50 }, (_, at) => at)
    expect(copies.take(long)).toEqual(long.subarray(0, 11))
    expect(copies.take(long.subarray(0, 11))).toEqual(long.subarray(0, 11))
    expect(copies.take(long.subarray(0, 10))).toEqual(long.subarray(0, 10))
    expect(copies.bytes).toBe(32)
    const text = (length: number): string => '0x'.padEnd(length, 'ab')
    expect([23, 24, 25, 90].map((length) => copies.takeText(text(length)).length)).toEqual([23, 24, 24, 24])
    expect(copies.takeText(text(90))).toBe(text(24))
  })

  it('of what has been detached are none, and nothing is used up', () => {
    const copies = new PooledCopies(new BufferPool(100, 1))
    const gone = bytes(10)
    const part = gone.subarray(2, 8)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    expect(() => copies.take(part)).toThrow(TypeError)
    expect(copies.bytes).toBe(0)
    expect(copies.take(bytes(5, 9)).byteOffset).toBe(0)
  })
})

describe('items whose memory was taken over', () => {
  const read = (items: InstanceType<typeof TakenItems>, at: number) => {
    const copies = new PooledCopies(new BufferPool(1_000, 1))
    const lent = new Set<takenSources.TakenBuffer>()
    return { value: items.read(at, copies, lent), copies, lent: [...lent] }
  }

  it('are handed on in their own buffers, wherever in an item they are', () => {
    const [one, two] = [bytes(10, 1), bytes(20, 2)]
    const items = new TakenItems([
      { list: [one, 'text', null, 7n], record: { part: two.subarray(5, 9) } },
      null,
      'text',
    ])
    expect([one.byteLength, two.byteLength]).toEqual([0, 0])
    const { value, copies, lent } = read(items, 0)
    expect(value).toEqual({ list: [bytes(10, 1), 'text', null, 7n], record: { part: bytes(4, 2) } })
    expect(lent.map(({ buffer }) => buffer.byteLength)).toEqual([10, 20])
    expect([copies.buffer, copies.bytes]).toEqual([null, 14])
    expect([read(items, 1).value, read(items, 2).value, read(items, 3).value]).toEqual([null, 'text', null])
  })

  it('are copied where several share a buffer, or where it cannot be taken', () => {
    const shared = bytes(30, 3)
    const fixed = new WebAssembly.Memory({ initial: 1 })
    const inWasm = new Uint8Array(fixed.buffer, 8, 4)
    const items = new TakenItems([shared.subarray(0, 10), [shared.subarray(10, 12), inWasm], bytes(3, 4)])
    expect(inWasm.byteLength).toBe(4)
    const first = read(items, 0)
    expect([first.value, first.lent, first.copies.bytes]).toEqual([bytes(10, 3), [], 10])
    const second = read(items, 1)
    expect([second.value, second.lent, second.copies.bytes]).toEqual([[bytes(2, 3), bytes(4, 0)], [], 6])
    expect(read(items, 2).lent).toHaveLength(1)
    // Twice in one item is once: it travels with that item alone.
    const twice = bytes(8, 5)
    const own = read(new TakenItems([[twice.subarray(0, 4), twice.subarray(4)]]), 0)
    expect(own.lent).toHaveLength(1)
    expect(own.value).toEqual([bytes(4, 5), bytes(4, 5)])
  })

  it('are lost where one of their buffers is; what is empty never was there', () => {
    const items = new TakenItems([[bytes(1), bytes(2)], bytes(3), new Uint8Array(0), null, { none: [] }])
    const [first, second] = read(items, 0).lent
    expect([0, 1, 2, 3, 4, 5].map((at) => items.isLost(at))).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ])
    second!.buffer = new ArrayBuffer(0)
    expect([0, 1, 2].map((at) => items.isLost(at))).toEqual([true, false, false])
    expect(first!.buffer.byteLength).toBe(1)
    const { value, lent, copies } = read(items, 2)
    expect([value, lent, copies.bytes]).toEqual([new Uint8Array(0), [], 0])
  })
})
