/** Which lane a span is drawn in, and which row of it: rows are wanted where spans overlap. */
import type { TimelineSpan } from './stages.ts'

/** More rows than these are drawn over each other. */
const MOST_ROWS = 4

/** The place of a span. Lane 0 is the calling thread's. */
export interface Placed {
  readonly span: TimelineSpan
  readonly lane: number
  readonly row: number
}

/** All spans, in their lanes, and how many rows each lane has. */
export interface Lanes {
  readonly placed: readonly Placed[]
  readonly rows: readonly number[]
}

/** Puts spans into lanes, at least one for each worker: each into the first row whose last span has ended. */
export function placeSpans(spans: readonly TimelineSpan[], workers: number): Lanes {
  const lanes = spans.reduce((most, span) => Math.max(most, laneOf(span) + 1), workers + 1)
  const ends: number[][] = Array.from({ length: lanes }, () => [])
  const placed = spans
    .slice()
    .sort((one, other) => one.start - other.start)
    .map((span): Placed => {
      const lane = laneOf(span)
      const rows = ends[lane]!
      const free = rows.findIndex((last) => last <= span.start)
      const row = free === -1 ? Math.min(rows.length, MOST_ROWS - 1) : free
      rows[row] = Math.max(rows[row] ?? -Infinity, span.end)
      return { span, lane, row }
    })
  return { placed, rows: ends.map((rows) => Math.max(1, rows.length)) }
}

const laneOf = ({ worker }: TimelineSpan): number => (worker === null ? 0 : worker + 1)
