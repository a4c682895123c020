/** How the steps look: by colour, and by a pattern that is enough without it. */
import type { TraceEvent, TraceStage } from '../../verifier/trace.ts'
import type { ColourName, Palette } from '../shared/palette.ts'

/** A step: one that a verifier's `onTrace` tells of, or a fetch, which the page itself times. */
export type TimelineStage = TraceStage | 'fetch'

/** A span of the timeline. Every `TraceEvent` is one. */
export type TimelineSpan = Omit<TraceEvent, 'stage'> & { readonly stage: TimelineStage }

type Pattern =
  | 'solid'
  | 'hollow'
  | 'slanted'
  | 'upright'
  | 'level'
  | 'halved'
  | 'dotted'
  | 'crossed'
  | 'falling'

const looks: Readonly<Record<TimelineStage, readonly [ColourName, Pattern]>> = {
  fetch: ['trusted', 'level'],
  parse: ['rebuilt', 'dotted'],
  anchor: ['rebuilt', 'upright'],
  check: ['rebuilt', 'slanted'],
  signature: ['rebuilt', 'crossed'],
  cache: ['trusted', 'halved'],
  queue: ['soft', 'hollow'],
  kzg: ['valid', 'solid'],
  close: ['valid', 'falling'],
}

/** The stages, in the order in which legends name them. */
export const STAGES = Object.keys(looks) as readonly TimelineStage[]

/** Draws a span: a box in its colour, with a pattern of paper in it where there is room for one. */
export function paintSpan(
  pen: CanvasRenderingContext2D,
  stage: TimelineStage,
  colours: Palette,
  [x, y, width, height]: readonly [number, number, number, number],
): void {
  const [colour, pattern] = looks[stage]
  const line = Math.max(1, height / 12)
  pen.fillStyle = colours[colour]
  pen.fillRect(x, y, width, height)
  // There may be one for each pixel: a pattern costs more than all else.
  if (width <= 2 * line) return
  pen.save()
  pen.beginPath()
  pen.rect(x, y, width, height)
  pen.clip()
  pen.strokeStyle = pen.fillStyle = colours.paper
  pen.lineWidth = line
  if (pattern === 'hollow') pen.fillRect(x + line, y + line, Math.max(0, width - 2 * line), height - 2 * line)
  pen.beginPath()
  strokes(pen, pattern, [x, y, width, height], Math.max(3, height / 2.5), line)
  pen.stroke()
  pen.restore()
}

function strokes(
  pen: CanvasRenderingContext2D,
  pattern: Pattern,
  [x, y, width, height]: readonly [number, number, number, number],
  step: number,
  line: number,
): void {
  const draw = (fromX: number, fromY: number, toX: number, toY: number): void => {
    pen.moveTo(fromX, fromY)
    pen.lineTo(toX, toY)
  }
  const levels = { level: [1 / 3, 2 / 3], halved: [1 / 2] } as const
  if (pattern === 'level' || pattern === 'halved')
    for (const share of levels[pattern]) draw(x, y + height * share, x + width, y + height * share)
  // From before the left end: what slants comes in from there.
  for (let at = x - height; at < x + width; at += step) {
    if (pattern === 'slanted' || pattern === 'crossed') draw(at, y + height, at + height, y)
    if (pattern === 'falling' || pattern === 'crossed') draw(at, y, at + height, y + height)
    if (pattern === 'upright') draw(at, y, at, y + height)
    if (pattern === 'dotted')
      for (const share of [0.3, 0.7]) draw(at, y + height * share, at + 2 * line, y + height * share)
  }
}
