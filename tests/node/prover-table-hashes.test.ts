/**
 * The pinned hashes are those of the tables that the module works out, for every shape that can be kept: of all parts for one row, of two
 * parts for more, which take as many times as long. A hash that is wrong costs time and nothing else: that part is worked out anew.
 */
import { tableBytes } from 'blobcheck/prover'
import { describe, expect, it } from 'vitest'
import { PINNED } from '../../dist/prover/tables/pinned.js'
import { freshTables, hashesOf, hashOf, PARTS, ROWS, WIDTHS } from '../../scripts/table-hashes.mjs'

const digits = /^[0-9a-f]{512}$/
const all = Array.from({ length: PARTS }, (_, part) => part)

it('there is one for each shape that the option takes, and no other', () => {
  const shapes = [1, 2, 4, 8].flatMap((rows) => [4, 5, 6, 7, 8].map((width) => `${rows}x${width}`))
  expect(Object.keys(PINNED)).toEqual(shapes)
  expect(ROWS.flatMap((rows) => WIDTHS.map((width) => `${rows}x${width}`))).toEqual(shapes)
})

describe.each(ROWS)('%i rows', (rows) => {
  it('every width', () => {
    // Another two for each number of rows.
    const parts = rows === 1 ? all : [rows, 2 * rows - 1]
    for (const [width, hashes] of Object.entries(hashesOf(rows, parts))) {
      const pinned = PINNED[`${rows}x${width}`]!
      expect(pinned).toMatch(digits)
      expect(hashes).toEqual(parts.map((part) => pinned.slice(part * 32, (part + 1) * 32)))
    }
  })

  // The others are cut out of the widest.
  it('a narrow one, worked out as such', () => {
    const prover = freshTables(rows, 5)
    const part = prover.tablePart(9)
    expect(part).toHaveLength(tableBytes({ rows, width: 5 }) / 16)
    expect(PINNED[`${rows}x5`]!.slice(9 * 32, 10 * 32)).toBe(hashOf(part))
  })
})
