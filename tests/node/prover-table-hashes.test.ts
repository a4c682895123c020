/** The pinned hashes are those of the tables that the module works out, for every shape that can be kept. */
import { tableBytes } from 'blobcheck/prover'
import { describe, expect, it } from 'vitest'
import { PINNED } from '../../dist/prover/tables/pinned.js'
import { freshTables, hashesOf, hashOf, ROWS, WIDTHS } from '../../scripts/table-hashes.mjs'

const digits = /^[0-9a-f]{512}$/

it('there is one for each shape that the option takes, and no other', () => {
  const shapes = [1, 2, 4, 8].flatMap((rows) => [4, 5, 6, 7, 8].map((width) => `${rows}x${width}`))
  expect(Object.keys(PINNED)).toEqual(shapes)
  expect(ROWS.flatMap((rows) => WIDTHS.map((width) => `${rows}x${width}`))).toEqual(shapes)
})

describe.each(ROWS)('%i rows', (rows) => {
  it('every width', () => {
    for (const [width, hashes] of Object.entries(hashesOf(rows))) {
      expect(hashes).toMatch(digits)
      expect(PINNED[`${rows}x${width}`]).toBe(hashes)
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
