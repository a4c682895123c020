/** Slots of which nothing is known are told of in as few lines as there can be, in whatever order their ranges come. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Blank, Blanks } from '../../../dist/cli/audit/blanks.js'
import { range } from '../../support/make.ts'

/** Ranges of four slots, from slot 8 on. */
const SLOTS_OF_RANGE = 4
const FROM = 8

/** The blanks of one range: the reason of each slot as a letter; a point is a slot of which something is known. */
function blanksOf(from: number, letters: string): Blank[] {
  return [...letters].flatMap((detail, at) =>
    detail === '.' ? [] : [{ from: from + at, to: from + at, detail }],
  )
}

/** The slow twin: all slots at once, in order. */
function inOrder(letters: string): Blank[] {
  const blanks: Blank[] = []
  for (const blank of blanksOf(FROM, letters)) {
    const last = blanks.at(-1)
    if (last?.detail === blank.detail && last.to + 1 === blank.from)
      blanks.push({ ...blanks.pop()!, to: blank.to })
    else blanks.push(blank)
  }
  return blanks
}

const pieces = fc
  .array(fc.string({ unit: fc.constantFrom('.', 'A', 'A', 'B'), minLength: 4, maxLength: SLOTS_OF_RANGE }), {
    minLength: 1,
    maxLength: 8,
  })
  .chain((letters) =>
    fc.record({
      letters: fc.constant(letters),
      order: fc.shuffledSubarray(range(letters.length), { minLength: letters.length }),
    }),
  )

describe('slots of which nothing is known', () => {
  it('are joined in whatever order ranges come, and are told of once', () => {
    fc.assert(
      fc.property(pieces, ({ letters, order }) => {
        const to = FROM + SLOTS_OF_RANGE * letters.length - 1
        const blanks = new Blanks({ from: FROM, to })
        const told = order.flatMap((at) => {
          const from = FROM + SLOTS_OF_RANGE * at
          return blanks.add({ from, to: from + SLOTS_OF_RANGE - 1 }, blanksOf(from, letters[at]!))
        })
        // Of a whole audit nothing is left to be told at its end.
        expect(blanks.rest()).toEqual([])
        expect(told.sort((a, b) => a.from - b.from)).toEqual(inOrder(letters.join('')))
      }),
    )
  })

  it('are told of as soon as it is known where they end, and the others at the end', () => {
    const blanks = new Blanks({ from: 8, to: 23 })
    expect(blanks.add({ from: 16, to: 19 }, blanksOf(16, 'AAAA'))).toEqual([])
    expect(blanks.add({ from: 8, to: 11 }, blanksOf(8, 'BB.A'))).toEqual([{ from: 8, to: 9, detail: 'B' }])
    expect(blanks.rest()).toEqual([
      { from: 11, to: 11, detail: 'A' },
      { from: 16, to: 19, detail: 'A' },
    ])
    expect(blanks.rest()).toEqual([])
  })
})
