/** The lanes of `<worker-timeline>` without a page: rows of spans that come one after the other, and how much is painted of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, Lane, Lanes } from '../../dist/elements/worker-timeline/lanes.js'
import { range } from '../support/make.ts'

type Span = Parameters<Lane['add']>[0]

const span = (start: number, end: number, stage: Span['stage'] = 'kzg', worker: number | null = 0): Span => ({
  ...{ stage, worker, start, end },
  items: [],
})

/** The rows of spans that are all there, as the first version had them: each in the first row whose last span has ended, of four. */
function placeAll(spans: readonly Span[]): (readonly [Span, number])[] {
  const ends: number[] = []
  return [...spans]
    .sort((one, other) => one.start - other.start)
    .map((span) => {
      const free = ends.findIndex((last) => last <= span.start)
      const row = free === -1 ? Math.min(ends.length, 3) : free
      ends[row] = Math.max(ends[row] ?? -Infinity, span.end)
      return [span, row] as const
    })
}

const rowsOf = (lane: Lane): (readonly [Span, number])[] => lane.placed.map(({ span, row }) => [span, row])

function laneOf(spans: readonly Span[]): Lane {
  const lane = new Lane()
  for (const span of spans) lane.add(span)
  return lane
}

/** Times that are often the same. */
const anySpan = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([start, duration]) => span(start, start + duration))

describe('spans', () => {
  it('have the rows that they would have if all had come at once, in whatever order and parts they come', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anySpan, { maxLength: 6 }), { maxLength: 12 }), (parts) => {
        const lane = new Lane()
        const spans: Span[] = []
        for (const part of parts) {
          for (const one of part) lane.add(one)
          spans.push(...part)
          const wanted = placeAll(spans)
          expect(rowsOf(lane)).toEqual(wanted)
          // The very spans, also of those that are alike.
          expect(lane.placed.every(({ span }, at) => span === wanted[at]![0])).toBe(true)
          expect(lane.rows).toBe(Math.max(1, ...wanted.map(([, row]) => row + 1)))
        }
      }),
    )
  })

  it('stay where they are when one comes that begins after them', () => {
    const lane = laneOf(range(100).map((at) => span(at, at + 1)))
    const before = [...lane.placed]
    lane.add(span(90, 120))
    expect(lane.placed).toHaveLength(101)
    expect(lane.placed.filter((placed) => before.includes(placed))).toEqual(before.slice(0, 91))
  })

  it('are in the lane of their worker, and each worker has one', () => {
    const lanes = new Lanes()
    expect(lanes.all(2).map(({ rows }) => rows)).toEqual([1, 1, 1])
    for (const worker of [null, 3, null]) lanes.add(span(0, 1, 'kzg', worker))
    expect(lanes.all(0).map(({ placed }) => placed.length)).toEqual([2, 0, 0, 0, 1])
    expect(lanes.all(5)).toHaveLength(6)
    expect(lanes.all(0)).toHaveLength(5)
  })
})

describe('boxes', () => {
  const boxes = (spans: readonly Span[], least = 1, scale = 1): Box[] =>
    laneOf(spans).boxes((time) => time * scale, 100, least)

  it('are where their spans are, and as wide as can be seen', () => {
    expect(boxes([span(10, 20), span(20, 30, 'close'), span(40, 40, 'check')], 2)).toEqual([
      { stage: 'kzg', row: 0, from: 10, to: 20 },
      { stage: 'close', row: 0, from: 20, to: 30 },
      { stage: 'check', row: 0, from: 40, to: 42 },
    ])
  })

  it('begin and end at the edges', () => {
    expect(boxes([span(0, 3), span(90, 100)]).map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [90, 100],
    ])
  })

  it('lie over each other where there are more rows than are drawn', () => {
    const over = [...range(4).map((at) => span(at, 100)), span(50, 60, 'close')]
    expect(boxes(over).filter(({ row }) => row === 3)).toEqual([
      { stage: 'kzg', row: 3, from: 3, to: 50 },
      { stage: 'close', row: 3, from: 50, to: 60 },
      { stage: 'kzg', row: 3, from: 60, to: 100 },
    ])
  })

  it('are one for what falls into a pixel, and for narrow ones of a stage that touch', () => {
    const dense = range(50_000).map((at) => span(at, at + 1))
    expect(boxes(dense, 1, 1 / 500)).toEqual([{ stage: 'kzg', row: 0, from: 0, to: 100 }])
    const mixed = range(50_000).map((at) => span(at, at + 1, at % 500 < 499 ? 'kzg' : 'close'))
    expect(boxes(mixed, 1, 1 / 500).length).toBeLessThanOrEqual(100)
  })

  it('never share a pixel of a row, nor leave one out', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 200 }), fc.integer({ min: 1, max: 3 }), (spans, least) => {
        const painted = boxes(spans, least).flatMap(({ row, from, to }) =>
          range(to - from).map((at) => `${row} ${from + at}`),
        )
        expect(new Set(painted).size).toBe(painted.length)
        const wanted = placeAll(spans).flatMap(([{ start, end }, row]) =>
          range(Math.max(least, end - start)).map((at) => `${row} ${start + at}`),
        )
        expect(new Set(painted)).toEqual(new Set(wanted))
      }),
    )
  })
})
