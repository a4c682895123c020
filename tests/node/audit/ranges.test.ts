/** Ranges, and what is added up over them. */
import { describe, expect, it } from 'vitest'
import { compress, countsOf, nameOf, piecesOf, type SlotResult, Tally } from '../../../dist/audit/index.js'

describe('a range', () => {
  it('is cut into pieces that cover it', () => {
    expect(piecesOf({ from: 5, to: 5 })).toEqual([{ from: 5, to: 5 }])
    expect(piecesOf({ from: 10, to: 80 })).toEqual([
      { from: 10, to: 41 },
      { from: 42, to: 73 },
      { from: 74, to: 80 },
    ])
    expect(piecesOf({ from: 0, to: 63 }).map(nameOf)).toEqual(['0-31', '32-63'])
  })

  it('is what single slots come to', () => {
    expect(compress([])).toEqual([])
    expect(compress([7, 3, 4, 4, 5, 9])).toEqual([
      { from: 3, to: 5 },
      { from: 7, to: 7 },
      { from: 9, to: 9 },
    ])
  })
})

function slot(number: number, more: Partial<SlotResult>): SlotResult {
  return {
    ...{ slot: number, root: null, header: 'verified', outcome: 'complete', reason: null, detail: null },
    ...{ blobs: { wanted: 2, valid: 2 }, servers: [], bytes: 10 },
    ...more,
  }
}

function ofServers(...outcomes: SlotResult['servers'][number]['outcome'][]): SlotResult['servers'] {
  return outcomes.map((outcome, at) => ({
    ...{ server: `s${at}`, outcome, lacks: [], refused: [], failures: [] },
  }))
}

describe('the sum of ranges', () => {
  const low = [
    slot(1, { outcome: 'missing', servers: ofServers('complete', 'missing') }),
    slot(2, { outcome: 'missing', blobs: { wanted: 2, valid: 1 }, servers: ofServers('missing', 'missing') }),
  ]
  const high = [
    slot(3, { outcome: 'wrong', blobs: { wanted: 2, valid: 0 }, servers: ofServers('wrong', 'unknown') }),
    slot(4, { outcome: 'no-block', blobs: { wanted: 0, valid: 0 } }),
    slot(5, { outcome: 'unknown', blobs: { wanted: null, valid: 0 } }),
  ]

  it('is the same in whatever order they come', () => {
    const parts = [
      { from: 1, to: 2, slots: low },
      { from: 3, to: 5, slots: high },
    ]
    const sums = [parts, parts.toReversed()].map((order) => {
      const tally = new Tally({ from: 1, to: 5 })
      for (const part of order) tally.add(countsOf(part), part.slots)
      return tally.summary()
    })
    expect(sums[0]).toEqual(sums[1])
    expect(sums[0]).toMatchObject({
      ...{ from: 1, to: 5, slots: 5, bytes: 50, blobs: { wanted: 6, valid: 3 } },
      counts: { wrong: 1, missing: 2, unreadable: 0, unknown: 1, complete: 0, 'no-blobs': 0, 'no-block': 1 },
      servers: { s0: { complete: 1, missing: 1, wrong: 1 }, s1: { missing: 2, unknown: 1 } },
      missing: [{ from: 1, to: 2 }],
      wrong: [{ from: 3, to: 3 }],
      unknown: [
        { from: 3, to: 3 },
        { from: 5, to: 5 },
      ],
      // Of slot 3 one server could not be asked, and may have it.
      nowhere: [{ from: 2, to: 2 }],
    })
  })
})
