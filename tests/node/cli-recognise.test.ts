/** What a file is found to be, for any bytes at all: an answer or a reason, never a crash. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeParts, makeSidecars, slots, transactionOf } from '../support/blocks.ts'
import { concat, toHex } from '../support/bytes.ts'
import { blobSidecarSsz, dataColumnSidecarSsz, listSsz } from '../support/ssz.ts'
import { kinds, UndeterminedError } from '../../dist/cli/verify/input.js'
import { forkOfWrapper, placeOf, recognise } from '../../dist/cli/verify/recognise.js'

/** Recognises, and looks at all that is printed of the items. */
function lookAt(bytes: Uint8Array, as?: (typeof kinds)[number]): string | null {
  try {
    const found = recognise(new Uint8Array(bytes), as)
    if (found.kind === null) {
      expect(found.message).not.toBe('')
      return null
    }
    for (const item of found.items) {
      const place = placeOf(found.kind, item)
      for (const number of Object.values(place)) expect(number ?? '0').toMatch(/^\d{1,20}$/)
      if (item instanceof Uint8Array) expect(['osaka', 'prague']).toContain(forkOfWrapper(item))
    }
    return found.kind
  } catch (error) {
    expect(error).toBeInstanceOf(UndeterminedError)
    return null
  }
}

const asKind = fc.option(fc.constantFrom(...kinds), { nil: undefined })

describe('any bytes', () => {
  it('that are noise', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), asKind, (bytes, as) => void lookAt(bytes, as)))
  })

  it('that begin like something that is known', () => {
    const starts = [
      [3, 0xf9],
      [3, 0xff],
      [0, 0, 0, 0, 0, 0, 0, 0, 0x64, 1, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0],
      [4, 0, 0, 0],
      [8, 0, 0, 0],
      [0x30, 0x78],
    ]
    const start = fc.constantFrom(...starts)
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 1_000 }), asKind, (start, rest, as) => {
        lookAt(Uint8Array.from([...start, ...rest]), as)
      }),
    )
  })

  it('that are a column of Gloas without a cell, which is shorter than any of Fulu', () => {
    const [column, view] = [new Uint8Array(56), new DataView(new ArrayBuffer(8))]
    view.setUint32(0, column.length, true)
    view.setUint32(4, column.length, true)
    column.set(new Uint8Array(view.buffer), 8)
    expect(lookAt(column)).toBe('data-column-sidecars')
  })

  it('that are JSON', () => {
    const key = fc.constantFrom('data', 'blob', 'column', 'index', 'signed_block_header', 'message', 'slot')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.jsonValue({ maxDepth: 1 }), tie('list'), tie('record')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(value, asKind, (value, as) => {
        lookAt(new TextEncoder().encode(JSON.stringify(value)), as)
      }),
    )
  })
})

describe('what is whole', () => {
  it('is known at any length of a list, and not when it is cut', async () => {
    const block = await makeSidecars(slots.fulu, [1, 2])
    const columns = [7, 91, 127].map((index) => dataColumnSidecarSsz(block.column(index)))
    const sidecars = (await makeSidecars(slots.deneb, [1, 2])).sidecars.map(blobSidecarSsz)
    for (let count = 1; count <= columns.length; count++)
      expect(lookAt(listSsz(columns.slice(0, count)))).toBe('data-column-sidecars')
    for (const column of columns) expect(lookAt(column)).toBe('data-column-sidecars')
    for (let count = 1; count <= sidecars.length; count++)
      expect(lookAt(concat(...sidecars.slice(0, count)))).toBe('blob-sidecars')
    expect(lookAt(columns[0]!.subarray(0, 300))).toBe(null)
    expect(lookAt(sidecars[0]!.subarray(0, -1))).toBe(null)
  })
})

describe('what begins like a transaction', () => {
  const textOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
  /** A field element may begin with any byte up to 0x73: here with the type, and what the list of a transaction begins with. */
  const blob = (...start: number[]): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(131_072)
    bytes.set(start)
    return bytes
  }
  const [like, unlike] = [blob(3, 0xf9), blob(1)]

  it('is blobs where it has their length, and the list in it another one', () => {
    for (const first of [0xc0, 0xf7, 0xf8, 0xf9, 0xfa, 0xff]) {
      expect(lookAt(blob(3, first))).toBe('blobs')
      expect(lookAt(concat(blob(3, first), unlike))).toBe('blobs')
      expect(lookAt(new TextEncoder().encode(toHex(blob(3, first))))).toBe('blobs')
    }
    for (const list of [[like], [like, unlike], [unlike, like], [like, like]])
      expect(lookAt(textOf({ data: list.map(toHex) }))).toBe('blobs')
  })

  it('is a transaction where its list is as long as it says, or where it is as long as no blob', async () => {
    const transaction = transactionOf(await makeParts([6, 7], 7594))
    // A list of 131,072 bytes with its head.
    const long = blob(3, 0xfa, 1, 0xff, 0xfb)
    const damaged = transaction.slice()
    damaged[3]! ^= 1
    for (const bytes of [transaction, long, damaged, transaction.subarray(0, -1), Uint8Array.of(3, 0xc1)]) {
      expect(lookAt(bytes)).toBe('transaction')
      expect(lookAt(textOf([toHex(bytes)]))).toBe('transaction')
    }
  })

  it('does not take the blobs beside it for transactions where it is as long as neither', () => {
    const cut = like.subarray(0, -1)
    expect(lookAt(textOf([toHex(cut), toHex(unlike)]))).toBe('blobs')
  })
})

describe('a list in JSON of which some entries are nothing', () => {
  const textOf = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value))
  const nothing = [
    null,
    5,
    [],
    {},
    '0x',
    'a word',
    { index: '0', error: 'it has neither a blob nor a column' },
  ]

  it('is of the kind of the first entry that has one, wherever that stands', async () => {
    const [blobs, columns] = [await makeSidecars(slots.deneb, [1, 2]), await makeSidecars(slots.fulu, [1])]
    const transactions = [toHex(transactionOf(await makeParts([6], 7594)))]
    for (const [kind, good] of [
      ['blob-sidecars', blobs.sidecars],
      ['data-column-sidecars', [columns.column(7)]],
      ['blobs', blobs.sidecars.map(({ blob }) => blob)],
      ['transaction', transactions],
    ] as const)
      for (const list of [
        [...nothing, ...good],
        [...good, ...nothing],
      ]) {
        const found = recognise(textOf({ data: list }))
        expect(found.kind).toBe(kind)
        expect(found.kind !== null && found.items).toHaveLength(list.length)
      }
  })

  it('is nothing that is known where no entry has a kind', () => {
    const values = nothing.filter((value) => typeof value !== 'string')
    for (const value of [values, { data: values }, null, 5])
      expect(recognise(textOf(value))).toMatchObject({ kind: null, message: expect.stringContaining('JSON') })
  })
})
