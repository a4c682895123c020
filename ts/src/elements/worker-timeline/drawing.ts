/** What the canvas of a timeline shows: lanes with their spans, an axis below them, and the line. */
import type { Palette } from '../shared/palette.ts'
import type { Painter, Sheet } from '../shared/surface.ts'
import { type Lane } from './lanes.ts'
import type { Spans } from './spans.ts'
import { paintSpan } from './stages.ts'

/** Sizes in CSS pixels where text has 13 of them, and in proportion where it has more: a lane of one row, a row of a lane of several, the space between lanes, the axis, the names of the lanes, and what is free at the right. */
const [LANE, ROW, BETWEEN, AXIS, NAMES, RIGHT] = [18, 10, 4, 18, 58, 2]

/** What there is to draw. */
export interface Shown {
  readonly spans: Spans
  readonly workers: number
  /** Where the line is, in milliseconds since the first span began. */
  readonly ms: number | null
  /** The font of the text around the drawing, which grows with it. */
  readonly font: { readonly size: number; readonly family: string }
}

export class Drawing implements Painter {
  readonly #shown: () => Shown
  readonly #onDrawn: (colours: Palette) => void
  /** Where time begins on the canvas, and how much room it has. */
  #axis = { left: 0, room: 1 }

  /** `shown` is asked each time for what there is by now; `onDrawn` is told each time in which colours it was drawn. */
  constructor(shown: () => Shown, onDrawn: (colours: Palette) => void) {
    this.#shown = shown
    this.#onDrawn = onDrawn
  }

  height(_: number, ratio: number): number {
    const { font, spans, workers } = this.#shown()
    const lanes = spans.lanes.all(workers)
    return ratio * scaleOf(font) * lanes.reduce((sum, lane) => sum + heightOf(lane) + BETWEEN, AXIS)
  }

  /** Where a place of the canvas is in time, of all the time that there is: 0 at its start, 1 at its end. */
  partAt(x: number): number {
    return (x - this.#axis.left) / this.#axis.room
  }

  paint({ pen, width, height, ratio: pixel, colours }: Sheet): void {
    const { spans, workers, ms, font } = this.#shown()
    const { start, duration } = spans
    const ratio = pixel * scaleOf(font)
    const left = NAMES * ratio
    const room = Math.max(1, width - left - RIGHT * ratio)
    this.#axis = { left, room }
    const xOf = (time: number): number => left + (duration === 0 ? 0 : (time / duration) * room)
    pen.font = `${11 * ratio}px ${font.family}`
    pen.textBaseline = 'middle'
    let top = 0
    for (const [at, lane] of spans.lanes.all(workers).entries()) {
      const tall = heightOf(lane)
      const [y, below] = [top * ratio, (top + tall) * ratio]
      pen.fillStyle = colours.soft
      pen.fillText(at === 0 ? 'this thread' : `worker ${at - 1}`, 0, (y + below) / 2, left - 4 * ratio)
      pen.fillStyle = colours.rule
      pen.fillRect(left, Math.round(below), room, Math.max(1, Math.round(ratio / 2)))
      const high = Math.round(((lane.rows === 1 ? LANE : ROW) - 2) * ratio)
      const boxes = lane.boxes((time) => xOf(time - start), width, Math.ceil(ratio))
      for (const { stage, row, from, to } of boxes)
        paintSpan(pen, stage, colours, [from, Math.round((top + row * ROW + 1) * ratio), to - from, high])
      top += tall + BETWEEN
    }
    if (duration > 0) {
      pen.fillStyle = colours.soft
      paintAxis(pen, { duration, xOf, room, height, ratio })
    }
    if (ms !== null) {
      pen.fillStyle = colours.ink
      const x = Math.round(xOf(ms))
      pen.fillRect(x - ratio, 0, Math.max(1, Math.round(1.5 * ratio)), height - (AXIS - 4) * ratio)
    }
    this.#onDrawn(colours)
  }
}

/** Draws the axis in the pen's colour: as many times as there is room for. */
function paintAxis(
  pen: CanvasRenderingContext2D,
  axis: {
    readonly duration: number
    readonly xOf: (ms: number) => number
    readonly room: number
    readonly height: number
    readonly ratio: number
  },
): void {
  const { duration, xOf, room, height, ratio } = axis
  const step = niceStep((duration * 60 * ratio) / room)
  const end = xOf(duration)
  let free = 0
  // For the shortest and the longest times there is no such step.
  for (let ms = 0; ms <= duration && ms + step > ms; ms += step) {
    const text = `${Number(ms.toPrecision(6))} ms`
    const x = Math.round(xOf(ms))
    pen.fillRect(x, height - AXIS * ratio, Math.max(1, Math.round(ratio / 2)), 4 * ratio)
    const length = pen.measureText(text).width
    const from = Math.min(x, end - length)
    if (from < free) continue
    pen.fillText(text, from, height - (AXIS / 2 - 3) * ratio)
    free = from + length + 6 * ratio
  }
}

/** What the sizes above are multiplied by. */
const scaleOf = ({ size }: Shown['font']): number => size / 13

const heightOf = ({ rows }: Lane): number => (rows === 1 ? LANE : rows * ROW)

/** The next number of the form 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least)!
}
