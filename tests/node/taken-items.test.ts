/** Memory that was the caller's, on its way to a worker: what travels as it is, and what is copied. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BufferPool, PooledCopies, type TakenBuffer, TakenItems } from '../support/internals.ts'

afterEach(() => void vi.unstubAllGlobals())

const bytes = (length: number, byte = 1): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(byte)

describe('items whose memory was taken over', () => {
  const read = (items: TakenItems, at: number) => {
    const copies = new PooledCopies(new BufferPool(1_000, 1), 9, Infinity)
    const lent = new Set<TakenBuffer>()
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

  it.each([1, 10])('are copied where the engine copies what it cannot take: %i bytes', (length) => {
    // Node 20 does, and says nothing.
    vi.stubGlobal('structuredClone', (buffer: ArrayBuffer) => buffer.slice())
    const own = bytes(length, 6)
    const { value, lent, copies } = read(new TakenItems([own]), 0)
    expect([value, lent, copies.bytes]).toEqual([own, [], length])
    expect(own).toHaveLength(length)
  })

  it('are lost where one of their buffers is; what is empty never was there', () => {
    const items = new TakenItems([[bytes(1), bytes(2)], bytes(3), new Uint8Array(0), null, { none: 'of it' }])
    const [first, second] = read(items, 0).lent
    expect([0, 1, 2, 3, 4, 5].map((at) => items.recall(at))).toEqual([true, true, true, true, true, true])
    second!.buffer = new ArrayBuffer(0)
    expect([0, 1, 2].map((at) => items.recall(at))).toEqual([false, true, true])
    expect(first!.buffer.byteLength).toBe(1)
    const { value, lent, copies } = read(items, 2)
    expect([value, lent, copies.bytes]).toEqual([new Uint8Array(0), [], 0])
  })

  it.each([0, 8])(
    'are null where memory that could not be taken was detached meanwhile, and the others are read (at byte %i)',
    (at) => {
      const growing = new WebAssembly.Memory({ initial: 1, maximum: 2 })
      const items = new TakenItems([{ a: bytes(3), b: new Uint8Array(growing.buffer, at, 4) }, bytes(5)])
      growing.grow(1)
      const lost = read(items, 0)
      expect([lost.value, lost.lent, lost.copies.bytes]).toEqual([null, [], 0])
      expect(read(items, 1).value).toEqual(bytes(5))
    },
  )

  it('are copied once they are to be read again', () => {
    const items = new TakenItems([bytes(3)])
    expect(read(items, 0).lent).toHaveLength(1)
    expect(items.recall(0)).toBe(true)
    const { value, lent, copies } = read(items, 0)
    expect([value, lent, copies.bytes]).toEqual([bytes(3), [], 3])
  })
})
