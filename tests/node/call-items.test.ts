/** The items of a call on their way to the checks: how many travel at a time, who delivered them, and what becomes of memory that is lost. */
import { runInNewContext } from 'node:vm'
import { fromSource } from 'blobcheck'
import { describe, expect, it, vi } from 'vitest'
import { blobSidecar } from '../../dist/beacon/ssz/layout.js'
import { concat } from '../support/bytes.ts'
import { BufferPool, CallItems, type ItemChunk, sidecarsOf, SourcedSidecar } from '../support/internals.ts'
import { BLOB_BYTES } from '../support/make.ts'

const pool = new BufferPool(1_000, 2)
const bytes = (length: number, byte = 1): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(byte)
const placesOf = ({ items }: ItemChunk): number[] => items.map(({ at }) => at)
const contents = ({ items }: ItemChunk): unknown[] => items.map(({ item }) => item)

const throwing = (error: Error): (() => never) => {
  return () => {
    throw error
  }
}
/** What throws while it is read. `RangeError` is what lack of memory throws, too. */
const hostile: readonly (readonly [name: string, make: () => unknown])[] = [
  [
    'a getter that throws',
    () => Object.defineProperty({}, 'x', { enumerable: true, get: throwing(new Error('mine')) }),
  ],
  [
    'a getter that throws a RangeError',
    () => Object.defineProperty({}, 'x', { enumerable: true, get: throwing(new RangeError('mine')) }),
  ],
  [
    'a getter that asks itself',
    () => {
      const itself = {
        get x(): unknown {
          return itself.x
        },
      }
      return itself
    },
  ],
  ['a proxy without keys', () => new Proxy({}, { ownKeys: throwing(new RangeError('mine')) })],
  [
    'a list whose entry throws',
    () => Object.defineProperty([1], 0, { get: throwing(new RangeError('mine')) }),
  ],
  ['a list without a length', () => new Proxy([1], { get: throwing(new RangeError('mine')) })],
  [
    'a list with a length that is none',
    () =>
      new Proxy([1], {
        get: (list, key) => (key === 'length' ? { valueOf: () => 1 } : Reflect.get(list, key)) as unknown,
      }),
  ],
]

describe('items', () => {
  it('are read from a place on: one at least, and as many as items and bytes allow', () => {
    const items = new CallItems(
      'transaction',
      [bytes(10, 0), bytes(10, 1), bytes(10, 2), bytes(10, 3)],
      false,
    )
    expect(items.length).toBe(4)
    const places = (from: number, maxItems: number, maxBytes: number): number[] =>
      placesOf(items.read(from, maxItems, maxBytes, pool))
    expect(places(0, 2, 1_000)).toEqual([0, 1])
    expect(places(2, 9, 1_000)).toEqual([2, 3])
    expect(places(0, 9, 20)).toEqual([0, 1])
    expect(places(0, 9, 21)).toEqual([0, 1, 2])
    expect(places(1, 9, 0)).toEqual([1])
    expect(places(4, 9, 1_000)).toEqual([])
    const chunk = items.read(1, 2, 1_000, pool)
    expect(chunk).toMatchObject({ disposable: [], taken: [], buffer: { byteLength: 40 } })
    expect(chunk.items).toEqual([
      { kind: 'transaction', at: 1, item: bytes(10, 1) },
      { kind: 'transaction', at: 2, item: bytes(10, 2) },
    ])
  })

  it('longer than any good one are cut off behind it, and lie apart where there is no room', () => {
    const [long] = contents(
      new CallItems('cell', [{ cell: bytes(5_000) }], false).read(0, 1, 1, new BufferPool(1e4, 1)),
    )
    expect((long as { cell: Uint8Array }).cell).toHaveLength(2_049)
    const chunk = new CallItems('blob', [{ blob: bytes(1) }, { blob: bytes(BLOB_BYTES) }], false).read(
      0,
      2,
      9,
      pool,
    )
    expect(chunk.disposable.map(({ byteLength }) => byteLength)).toEqual([BLOB_BYTES])
    const most = 64 << 20
    const [transaction] = contents(
      new CallItems('transaction', [new Uint8Array(most + 9)], false).read(0, 1, 1, pool),
    )
    expect((transaction as Uint8Array).length).toBe(most + 1)
  })

  it('of blobs and cells have the fields that are theirs, of their own or of their class, whatever else is there', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`note ${at}`, at]))
    const rows = Array.from({ length: 5_000 }, () => ({ at: [1, 2, 3] }))
    const fields = { blob: bytes(5), commitment: '0x01', proof: '0x02', versionedHash: '0x03' }
    class Item {
      get blob(): Uint8Array {
        return fields.blob
      }
      get commitment(): string {
        return fields.commitment
      }
      proof = fields.proof
      versionedHash = fields.versionedHash
    }
    const items = [{ ...many, rows, ...fields }, new Item(), Object.create(fields) as object]
    for (const transfer of [false, true]) {
      const read = contents(new CallItems('blob', items, transfer).read(0, 9, 1e6, pool))
      expect(read).toEqual(items.map(() => ({ ...fields, blob: bytes(5) })))
      fields.blob = bytes(5)
    }
    const cell = { commitment: '0x01', cellIndex: 7, cell: '0x04', proof: '0x02' }
    const [read] = contents(new CallItems('cell', [{ rows, ...cell }], false).read(0, 9, 1e6, pool))
    expect(read).toEqual(cell)
  })

  it('have nothing that somebody has put on all objects, and are not asked for more than their fields', () => {
    const polluted = Object.prototype as { proof?: string }
    const picture = bytes(9)
    const trap = vi.fn()
    const item = {
      blob: bytes(5),
      picture,
      get other() {
        return trap()
      },
    }
    try {
      polluted.proof = '0xbad'
      const [read] = contents(new CallItems('blob', [item], true).read(0, 9, 1e6, pool))
      expect(Object.keys(read as object)).toEqual(['blob'])
      const own = { proof: '0x02' }
      expect(contents(new CallItems('blob', [own], true).read(0, 9, 1e6, pool))).toEqual([own])
    } finally {
      delete polluted.proof
    }
    expect(trap).not.toHaveBeenCalled()
    expect([item.blob.length, picture.length]).toEqual([0, 9])
  })

  it('that there is no memory for are not taken for others: what is read throws, however deep the bytes lie', () => {
    const none = new BufferPool(1_000, 2)
    vi.spyOn(none, 'take').mockImplementation(() => {
      throw new RangeError('Array buffer allocation failed')
    })
    for (const item of [bytes(10), { data: [{ blob: bytes(10) }] }]) {
      const items = new CallItems('transaction', [item], false)
      expect(() => items.read(0, 1, 1, none)).toThrow(RangeError)
      expect(placesOf(items.read(0, 1, 1, pool))).toEqual([0])
    }
  })

  it('that cannot be copied are nobody’s fault: what is read throws what the platform throws', () => {
    const foreign = new BufferPool(1_000, 2)
    const denied = new Error('Permission denied to access object')
    vi.spyOn(foreign, 'take').mockImplementation(throwing(denied))
    for (const item of [bytes(10), { data: [{ blob: bytes(10) }] }]) {
      const items = new CallItems('transaction', [fromSource(item as Uint8Array, 'honest')], false)
      expect(() => items.read(0, 1, 1, foreign)).toThrow(denied)
      expect(placesOf(items.read(0, 1, 1, pool))).toEqual([0])
    }
    const detached = bytes(10)
    structuredClone(detached.buffer, { transfer: [detached.buffer] })
    const gone = new CallItems('transaction', [fromSource(detached, 'honest'), bytes(2)], false)
    expect(() => gone.read(0, 2, 1e6, pool)).toThrow(TypeError)
    const other = bytes(3)
    expect(() => new CallItems('transaction', [other, { deep: [detached] }], true)).toThrow(TypeError)
    expect(other).toEqual(bytes(3))
  })

  it('are copied into memory of this realm alone, whosever a buffer is that comes back', () => {
    const buffers = new BufferPool(1_000, 2)
    const theirs = runInNewContext('new ArrayBuffer(1000)') as ArrayBuffer
    const own = new ArrayBuffer(1_000)
    buffers.giveBackAll([own, theirs])
    expect([buffers.take(1e6) === own, buffers.take(1e6) instanceof ArrayBuffer]).toEqual([true, true])
  })

  it.each(hostile)(
    'that the caller’s own code makes unreadable are null, and their neighbours are read: %s',
    (_name, make) => {
      for (const transfer of [false, true]) {
        const items = [bytes(3), make(), { deeper: [make()] }, bytes(4)]
        const read = contents(new CallItems('transaction', items, transfer).read(0, 9, 1e6, pool))
        expect(read).toEqual([bytes(3), null, { deeper: [null] }, bytes(4)])
      }
    },
  )

  it('are read by their places, whatever a list says of its own values', () => {
    const list = Object.assign([bytes(1), 'text'], {
      *[Symbol.iterator]() {
        for (;;) yield 1
      },
    })
    const sparse = [bytes(1)]
    sparse[2] = bytes(2)
    const read = contents(new CallItems('transaction', [list, sparse], false).read(0, 9, 1e6, pool))
    expect(read).toEqual([
      [bytes(1), 'text'],
      [bytes(1), null, bytes(2)],
    ])
  })

  it('are copies, of which the caller’s arrays know nothing', () => {
    const own = bytes(10)
    const items = new CallItems('transaction', [own], false)
    const [copy] = contents(items.read(0, 1, 1, pool))
    expect(copy).toEqual(own)
    expect((copy as Uint8Array).buffer).not.toBe(own.buffer)
    expect(own.byteLength).toBe(10)
  })
})

describe('who delivered an item', () => {
  const sourcesOf = (
    kind: ConstructorParameters<typeof CallItems>[0],
    items: readonly unknown[],
  ): unknown[] => {
    const own = new CallItems(kind, items, false)
    own.read(0, items.length, 1e6, pool)
    return items.map((_, at) => own.source(at))
  }
  const hostile = {
    get source(): string {
      throw new Error('no')
    },
  }

  it.each(['blob', 'cell'] as const)('is in the item itself: %s', (kind) => {
    const items = [{ source: 'Ann' }, { source: 7 }, {}, null, 'text', undefined, hostile, { source: '' }]
    expect(sourcesOf(kind, items)).toEqual(['Ann', ...Array<undefined>(6).fill(undefined), ''])
    // What is no item has no source.
    expect(sourcesOf(kind, [Object.assign(() => {}, { source: 'Bob' })])).toEqual([undefined])
    const own = new CallItems(kind, items, false)
    expect(contents(own.read(6, 1, 1, pool))).toEqual([null])
    expect(contents(own.read(3, 2, 1, pool))).toEqual([null, 'text'])
  })

  it.each(['blob-sidecar', 'data-column-sidecar', 'transaction'] as const)(
    'is beside it, and never what it says itself: %s',
    (kind) => {
      const items = [
        fromSource('0x00', 'Ann'),
        { source: 'Bob' },
        fromSource({ source: 'Bob' }, 'Cem'),
        null,
        hostile,
      ]
      expect(sourcesOf(kind, items)).toEqual(['Ann', undefined, 'Cem', undefined, undefined])
      const read = contents(new CallItems(kind, items, false).read(0, 3, 1e6, pool))
      expect(read).toEqual(['0x00', { source: 'Bob' }, { source: 'Bob' }])
    },
  )

  it('is told of a value of fromSource alone', () => {
    expect(SourcedSidecar.open(fromSource('0x00', 'Ann'))).toEqual(['0x00', 'Ann'])
    for (const value of [null, undefined, 'text', {}, Object.create(SourcedSidecar.prototype)])
      expect(SourcedSidecar.open(value)).toBeUndefined()
    for (const source of [undefined, null, 7, {}])
      expect(() => fromSource('0x00', source as never)).toThrow(new TypeError('source must be a string'))
  })
})

describe('memory that was taken over', () => {
  it('is the caller’s no more, and travels as it is', async () => {
    const own = bytes(10)
    const items = new CallItems('transaction', [own], true)
    expect(own.byteLength).toBe(0)
    const { taken, buffer, items: read } = items.read(0, 1, 1, pool)
    expect(taken.map((one) => one.buffer.byteLength)).toEqual([10])
    expect(buffer).toBeNull()
    expect(read[0]!.item).toEqual(bytes(10))
    expect(await items.isThere(0)).toBe(true)
  })

  /** Items whose memory is lost, as with a worker that has died. */
  function lost(count: number, reload?: () => Promise<readonly unknown[]>): CallItems {
    const items = new CallItems(
      'transaction',
      Array.from({ length: count }, () => bytes(10)),
      true,
      reload,
    )
    for (const one of items.read(0, count, 1e6, pool).taken) one.buffer = new ArrayBuffer(0)
    return items
  }

  it('is lost with a worker that died of it, where nobody has it once more', async () => {
    expect(await lost(1).isThere(0)).toBe(false)
    expect(await new CallItems('transaction', [bytes(1)], false).isThere(0)).toBe(true)
  })

  it('is had once more where it can be, for all at once', async () => {
    const reload = vi.fn(async () => [bytes(10, 7), bytes(10, 8)])
    const items = lost(3, reload)
    expect([await items.isThere(0), await items.isThere(1), await items.isThere(2)]).toEqual([
      true,
      true,
      false,
    ])
    expect(await items.isThere(0)).toBe(true)
    expect(reload).toHaveBeenCalledOnce()
    expect(contents(items.read(0, 2, 1e6, pool))).toEqual([bytes(10, 7), bytes(10, 8)])
    expect(items.read(0, 2, 1e6, pool).taken).toEqual([])
  })
})

describe('an answer of the Beacon API', () => {
  it('is a list, the data of one in JSON, or the sidecars of one in SSZ', () => {
    const list = [{}, 'two']
    expect(sidecarsOf('blob-sidecar', list)).toBe(list)
    expect(sidecarsOf('blob-sidecar', { data: list })).toBe(list)
    const two = bytes(2 * blobSidecar.end, 3)
    expect(sidecarsOf('blob-sidecar', two)).toEqual([
      two.subarray(0, blobSidecar.end),
      two.subarray(blobSidecar.end),
    ])
    const offsets = Uint8Array.from([8, 0, 0, 0, 10, 0, 0, 0])
    const columns = concat(offsets, bytes(2, 5), bytes(3, 6))
    expect(sidecarsOf('data-column-sidecar', columns)).toEqual([bytes(2, 5), bytes(3, 6)])
  })

  it('that cannot be split is one item, which the checks refuse', () => {
    for (const odd of [bytes(blobSidecar.end + 1), bytes(7)])
      expect(sidecarsOf('blob-sidecar', odd)).toEqual([odd])
    expect(sidecarsOf('data-column-sidecar', bytes(7))).toEqual([bytes(7)])
    for (const answer of [null, 7, true, {}, { data: 'none' }, { data: null }])
      expect(sidecarsOf('blob-sidecar', answer)).toEqual([{}])
  })

  it('that was handed over before is not an empty list', () => {
    const handedOver = bytes(2 * blobSidecar.end)
    structuredClone(handedOver.buffer, { transfer: [handedOver.buffer] })
    for (const kind of ['blob-sidecar', 'data-column-sidecar'] as const) {
      expect(sidecarsOf(kind, new Uint8Array(0))).toEqual([])
      expect(() => sidecarsOf(kind, handedOver)).toThrow(TypeError)
    }
  })

  it('is nothing else', () => {
    const sourced = fromSource('0x00', 'honest')
    for (const answer of [
      undefined,
      'text',
      () => {},
      Symbol.iterator,
      new Map(),
      new Float64Array(1),
      1n,
      sourced,
    ])
      expect(() => sidecarsOf('blob-sidecar', answer)).toThrow(
        /^sidecars must be an array, a Beacon API answer/,
      )
  })
})
