/**
 * Which lane a span is drawn in, which row of it, and which pixels: rows are wanted where spans overlap. What a new span costs follows from
 * the spans that began after it, and what is painted from the pixels that there are.
 */
import { STAGES, type TimelineSpan, type TimelineStage } from './stages.ts'

/** More rows than these are drawn over each other. */
const MOST_ROWS = 4

/** A span in its row, and when each row of its lane ends after it. */
interface Placed {
  readonly span: TimelineSpan
  readonly row: number
  readonly ends: readonly number[]
}

/** A box to paint: pixels from the left, up to the one before `to`. */
export interface Box {
  readonly stage: TimelineStage
  readonly row: number
  readonly from: number
  readonly to: number
}

/** The spans of one worker, or of the calling thread: each in the first row whose last span has ended. */
export class Lane {
  /** By when they begin; of those that begin together, the one that was added first is the first. */
  readonly #placed: Placed[] = []
  #added: TimelineSpan[] = []

  /** Adds a span, which is placed when somebody looks. */
  add(span: TimelineSpan): void {
    this.#added.push(span)
  }

  /** The spans in their rows. Those that begin after a new one are placed anew, and no others. */
  get placed(): readonly Placed[] {
    const placed = this.#placed
    const first = this.#added.reduce((least, { start }) => Math.min(least, start), Infinity)
    const later: TimelineSpan[] = []
    while (placed.length > 0 && placed.at(-1)!.span.start > first) later.push(placed.pop()!.span)
    const wanted = [...later.reverse(), ...this.#added].sort((one, other) => one.start - other.start)
    this.#added = []
    for (const span of wanted) {
      const ends = [...(placed.at(-1)?.ends ?? [])]
      const free = ends.findIndex((last) => last <= span.start)
      const row = free === -1 ? Math.min(ends.length, MOST_ROWS - 1) : free
      ends[row] = Math.max(ends[row] ?? -Infinity, span.end)
      placed.push({ span, row, ends })
    }
    return placed
  }

  /** How many rows there are, at least one. */
  get rows(): number {
    return this.placed.at(-1)?.ends.length ?? 1
  }

  /**
   * What is to be painted on `width` pixels, where `xOf` says where a time is: each pixel of a row once, for the last span that is there.
   * Spans that are no wider than `least`, which they get at least, are one box with those of their stage that they touch.
   */
  boxes(xOf: (time: number) => number, width: number, least: number): Box[] {
    const boxes: Box[] = []
    const { placed, rows } = this
    // Of each pixel: 0 for none, a number above it for a span, one below it for the narrow ones of a stage.
    const owners = Array.from({ length: rows }, () => new Int32Array(width))
    for (const [at, { span, row }] of placed.entries()) {
      const from = Math.round(xOf(span.start))
      const to = Math.round(xOf(span.end))
      const isNarrow = to - from <= least
      owners[row]!.fill(
        isNarrow ? -1 - STAGES.indexOf(span.stage) : at + 1,
        from,
        isNarrow ? from + least : to,
      )
    }
    for (const [row, pixels] of owners.entries()) {
      let from = 0
      for (let to = 1; to <= width; to++) {
        const owner = pixels[from]!
        if (pixels[to] === owner) continue
        if (owner !== 0)
          boxes.push({
            stage: owner < 0 ? STAGES[-1 - owner]! : placed[owner - 1]!.span.stage,
            row,
            from,
            to,
          })
        from = to
      }
    }
    return boxes
  }
}

/** Lanes by number. Lane 0 is the calling thread's. */
export class Lanes {
  readonly #lanes: Lane[] = []

  /** Puts a span into its lane. */
  add(span: TimelineSpan): void {
    const at = span.worker === null ? 0 : span.worker + 1
    while (this.#lanes.length <= at) this.#lanes.push(new Lane())
    this.#lanes[at]!.add(span)
  }

  /** All of them, at least one for the calling thread and for each worker. */
  all(workers: number): readonly Lane[] {
    const length = Math.max(workers + 1, this.#lanes.length)
    return Array.from({ length }, (_, at) => this.#lanes[at] ?? new Lane())
  }
}
