/** One data column in SSZ, and a list of them: which of the two bytes are is told by their numbers, and an index may be any of these. */
import { describe, expect, it } from 'vitest'
import { isColumn } from '../../dist/beacon/ssz/layout.js'
import { entriesIn } from '../../dist/block-data/files.js'
import { recognise } from '../../dist/cli/verify/recognise.js'
import { contentsOf } from '../../web-demo/src/panels/file/contents.ts'
import { column as fuluColumn } from '../support/sample-context.ts'
import { CELL_BYTES, range } from '../support/make.ts'
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
})

/** The indices of the columns in a file, read without a worker, as SSZ is. */
async function indicesIn(bytes: Bytes): Promise<(number | null)[]> {
  const file = { name: 'columns', kind: 'data-column-sidecars', bytes } as const
  const { entries, incomplete } = await entriesIn(file, 1, undefined as never)
  expect(incomplete).toBe(null)
  return entries.map(({ index }) => index)
}
