/**
 * One data column in SSZ, a list of them, and some in a row without a table of offsets: which of these bytes are is told by their numbers, and an
 * index may be any of these.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isColumn, splitColumns } from '../../dist/beacon/ssz/layout.js'
import { entriesIn } from '../../dist/block-data/files.js'
import { recognise } from '../../dist/cli/verify/recognise.js'
import { contentsOf } from '../../web-demo/src/panels/file/contents.ts'
import { concat } from '../support/bytes.ts'
import { column as fuluColumn } from '../support/sample-context.ts'
import { CELL_BYTES, range } from '../support/make.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { listSsz } from '../support/ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** DataColumnSidecar of Gloas: index, two offsets, slot and root; then cells and proofs. */
function gloasColumn(index: number, blobs: number): Bytes {
  const bytes = new Uint8Array(56 + blobs * (CELL_BYTES + 48))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, index, true)
  view.setUint32(8, 56, true)
  view.setUint32(12, 56 + blobs * CELL_BYTES, true)
  view.setUint32(16, 13_500_000, true)
  return bytes
}

const COLUMNS = 128
const forks = [
  ['Fulu', fuluColumn],
  ['Gloas', gloasColumn],
] as const

describe.each(forks)('of %s', (_, column) => {
  it('one column is one, whatever its index', async () => {
    for (const index of range(COLUMNS)) {
      const bytes = column(index, 1)
      expect(isColumn(bytes), `${index}`).toBe(true)
      expect(recognise(bytes)).toMatchObject({ kind: 'data-column-sidecars', items: [bytes] })
      expect(contentsOf(bytes)).toMatchObject({ kind: 'data-column-sidecars', items: [bytes] })
      expect(await indicesIn(bytes)).toEqual([index])
    }
  })

  it.each([0, 1])(
    'a list of columns of %i blobs is none, whatever its length and its first index',
    (blobs) => {
      for (const length of range(130)) {
        const list = listSsz(range(length + 1).map((at) => column(at % COLUMNS, blobs)))
        const first = 4 * (length + 1)
        for (const index of range(COLUMNS)) {
          list[first] = index
          if (isColumn(list)) expect.unreachable(`${length + 1} columns, ${index} the first of them`)
        }
      }
    },
  )

  it.each([1, 2, 3])('%i columns in a list are as many, whatever the first index', async (length) => {
    for (const index of range(COLUMNS)) {
      const columns = range(length).map((at) => column((index + at) % COLUMNS, 1))
      const list = listSsz(columns)
      expect(recognise(list), `${index}`).toMatchObject({ kind: 'data-column-sidecars', items: columns })
      expect(contentsOf(list)).toMatchObject({ kind: 'data-column-sidecars', items: columns })
      expect(await indicesIn(list)).toEqual(columns.map(([index]) => index))
    }
  })

  it.each([2, 3, 128])('%i columns in a row are as many, whatever the first index', async (length) => {
    for (const index of length === 128 ? [0, 4, 127] : range(COLUMNS)) {
      const columns = range(length).map((at) => column((index + at) % COLUMNS, 1))
      const row = concat(...columns)
      expect(recognise(row), `${index}`).toMatchObject({ kind: 'data-column-sidecars', items: columns })
      expect(contentsOf(row)).toMatchObject({ kind: 'data-column-sidecars', items: columns })
      expect(await indicesIn(row)).toEqual(columns.map(([index]) => index))
    }
  })

  it('a row that is cut has all that is whole, and says that it is cut unless that is between two', async () => {
    const [first, second] = [column(5, 2), column(9, 2)]
    const row = concat(first, second)
    const { length } = first
    for (const end of [1, 8, 12, 55, 56, 355, 356, 400, length - 48, length - 1]) {
      const cut = row.slice(0, length + end)
      expect(splitColumns(cut, COLUMNS)).toEqual([first, second.subarray(0, end)])
      expect(recognise(cut)).toMatchObject({ items: [first, second.subarray(0, end)] })
      expect(contentsOf(cut)).toMatchObject({ items: [first, second.subarray(0, end)] })
      const { entries, incomplete, mayBeCut } = await entriesOf(cut)
      expect(entries.map(({ sidecar }) => sidecar)).toEqual([first])
      expect(incomplete).toMatchObject({
        kind: 'malformed',
        message: expect.stringContaining('1 of 2 sidecars') as string,
      })
      expect(mayBeCut).toBe(true)
    }
    for (const [bytes, count] of [
      [row, 2],
      [first, 1],
    ] as const) {
      const found = await entriesOf(bytes)
      expect(found).toMatchObject({ incomplete: null, mayBeCut: true })
      expect(found.entries).toHaveLength(count)
    }
    // The table says how many there are.
    for (const columns of [[first, second], [first]])
      expect(await entriesOf(listSsz(columns))).toMatchObject({ incomplete: null, mayBeCut: false })
    const nothing = { entries: [], incomplete: null, mayBeCut: false, status: 200 }
    expect(await entriesOf(new Uint8Array(0))).toEqual(nothing)
  })

  it('one that is none leaves its neighbours what they are, as far as its own lengths can be right', () => {
    const columns = range(3).map((at) => column(at + 1, 2))
    const [first, second, third] = columns as [Bytes, Bytes, Bytes]
    const row = (damage: (bytes: DataView) => void): Uint8Array[] | null => {
      const bytes = second.slice()
      damage(new DataView(bytes.buffer))
      return splitColumns(concat(first, bytes, third), COLUMNS)
    }
    const lengths = columns.map((bytes) => bytes.length)
    const lengthsOf = (split: Uint8Array[] | null): number[] => split!.map((bytes) => bytes.length)
    for (const index of [128n, 2n ** 32n, 2n ** 64n - 1n])
      expect(lengthsOf(row((bytes) => bytes.setBigUint64(0, index, true)))).toEqual(lengths)
    // Its cells and what follows them: nothing in them counts.
    expect(lengthsOf(row((bytes) => bytes.setUint32(second.length - 4, 0xffff_ffff, true)))).toEqual(lengths)
    for (const at of [8, 12])
      for (const offset of [0, 1, 55, 57, 355, 357, 2 ** 31, 2 ** 32 - 1])
        expect(lengthsOf(row((bytes) => bytes.setUint32(at, offset, true)))).toEqual([
          first.length,
          second.length + third.length,
        ])
    // The first one, too.
    const wild = first.slice()
    wild.fill(0xff, 0, 8)
    expect(lengthsOf(splitColumns(concat(wild, second, third), COLUMNS))).toEqual(lengths)
  })

  it('a row of more than there are columns is none', () => {
    const row = (length: number): Bytes => concat(...range(length).map((at) => column(at % COLUMNS, 0)))
    expect(splitColumns(row(128), COLUMNS)).toHaveLength(128)
    expect(splitColumns(row(129), COLUMNS)).toBe(null)
    expect(splitColumns(row(128), 127)).toBe(null)
  })
})

describe('any bytes', () => {
  const index = fc.oneof(
    fc.nat(127),
    fc.constantFrom(4, 8, 12, 56, 128, 356, 512, 2 ** 32 - 1),
    fc.constantFrom(4, 8, 56, 356).map((upper) => upper * 2 ** 32),
  )
  const one = fc
    .tuple(fc.constantFrom(fuluColumn, gloasColumn), index, fc.nat(2))
    .map(([column, index, blobs]) => {
      const bytes = column(0, blobs)
      new DataView(bytes.buffer).setBigUint64(0, BigInt(index), true)
      return bytes
    })
  const many = fc.array(one, { minLength: 1, maxLength: 4 })
  const row = many.map((columns) => concat(...columns))
  const list = many.map(listSsz)
  /** Numbers that decide, at the places where numbers are. */
  const word = fc.oneof(
    fc.constantFrom(0, 1, 4, 8, 12, 16, 56, 356, 400, 512, 516, 2_404, 2 ** 31, 2 ** 32 - 1),
    fc.nat(9_000),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  )
  const damaged = fc
    .tuple(fc.oneof(row, list), fc.array(fc.tuple(fc.nat(5), word), { maxLength: 3 }), fc.option(fc.nat()))
    .map(([bytes, words, end]) => {
      const view = new DataView(bytes.buffer)
      for (const [at, value] of words) view.setUint32(4 * at, value, true)
      return end === null ? bytes : bytes.slice(0, end % (bytes.length + 1))
    })
  const noise = fc
    .tuple(fc.array(word, { maxLength: 6 }), fc.uint8Array({ maxLength: 600 }))
    .map(([words, rest]) => concat(new Uint8Array(Uint32Array.from(words).buffer), rest))
  const runs = { seed: SEED, numRuns: timesRounds(2_000) }

  it('are split as they are the slow way, without gaps', () => {
    const places = (bytes: Uint8Array, entries: readonly Uint8Array[] | null): [number, number][] | null =>
      entries?.map((entry) => {
        expect(entry.buffer).toBe(bytes.buffer)
        return [entry.byteOffset - bytes.byteOffset, entry.length]
      }) ?? null
    fc.assert(
      fc.property(fc.oneof(row, list, damaged, noise), fc.nat(40), (all, at) => {
        const within = concat(new Uint8Array(at), all).subarray(at)
        expect(places(within, splitColumns(within, COLUMNS))).toEqual(splitSlowly(within))
      }),
      runs,
    )
  })

  it('that are a list of columns are no row, and a row is no list', () => {
    const indexed = fc.array(
      fc
        .tuple(fc.constantFrom(fuluColumn, gloasColumn), fc.nat(127), fc.nat(1))
        .map(([column, index, blobs]) => column(index, blobs)),
      { minLength: 1, maxLength: 100 },
    )
    fc.assert(
      fc.property(indexed, (columns) => {
        expect(splitColumns(listSsz(columns), COLUMNS)?.map(toNumbers)).toEqual(columns.map(toNumbers))
        expect(splitColumns(concat(...columns), COLUMNS)?.map(toNumbers)).toEqual(columns.map(toNumbers))
      }),
      { ...runs, numRuns: timesRounds(100) },
    )
  })
})

/** Enough to tell columns apart: how long each is, and its numbers. */
const toNumbers = (bytes: Uint8Array): number[] => [bytes.length, ...bytes.subarray(0, 20)]

/** Where the entries are and how long, by what an encoder would have written: as many blobs are tried as could have been. */
function splitSlowly(bytes: Uint8Array): [at: number, length: number][] | null {
  const number = (at: number): number =>
    [3, 2, 1, 0].reduce((sum, place) => 256 * sum + (bytes[at + place] ?? 0), 0)
  const lengthAt = (at: number): number | null => {
    const left = bytes.length - at
    const [isFulu, isGloas] = [left >= 356 && number(at + 8) === 356, left >= 56 && number(at + 8) === 56]
    if (!isFulu && !isGloas) return null
    for (let blobs = 0; 56 + blobs * 2_048 <= left + 2_048; blobs++) {
      if (isGloas && number(at + 12) === 56 + blobs * 2_048) return Math.min(left, 56 + blobs * 2_096)
      if (isFulu && number(at + 12) === 356 + blobs * 2_048 && number(at + 16) === 356 + blobs * 2_096)
        return Math.min(left, 356 + blobs * 2_144)
    }
    return left
  }
  const inARow = (): [number, number][] | null => {
    const entries: [number, number][] = []
    for (let at = 0; at < bytes.length; at += entries.at(-1)![1])
      entries.push([at, lengthAt(at) ?? bytes.length - at])
    return entries.length <= COLUMNS ? entries : null
  }
  if (lengthAt(0) !== null && number(4) === 0) return inARow()
  const table = number(0)
  if (bytes.length === 0) return []
  if (bytes.length >= 4 && table > 0 && table % 4 === 0 && table <= bytes.length && table / 4 <= COLUMNS) {
    const places = [...range(table / 4).map((at) => number(4 * at)), bytes.length]
    if (places.every((place, at) => at === 0 || place >= places[at - 1]!))
      return places.slice(0, -1).map((place, at) => [place, places[at + 1]! - place])
  }
  return lengthAt(0) === null ? null : inARow()
}

/** What is read of a file without a worker, as SSZ is. */
const entriesOf = async (bytes: Bytes): ReturnType<typeof entriesIn> =>
  await entriesIn({ name: 'columns', kind: 'data-column-sidecars', bytes }, 3, undefined as never)

async function indicesIn(bytes: Bytes): Promise<(number | null)[]> {
  const { entries, incomplete } = await entriesOf(bytes)
  expect(incomplete).toBe(null)
  return entries.map(({ index }) => index)
}
