/** What a cell may be, and how each state looks: by colour, and by a shape that is enough without it. */
import type { ColourName, Palette } from '../shared/palette.ts'

/**
 * What is known of a cell:
 *
 * - `waiting`: nothing yet.
 * - `valid`: its proof holds.
 * - `rebuilt`: it was computed from other cells of its blob.
 * - `refused`: it is malformed, or its proof is false.
 * - `missing`: nobody had it.
 */
export type CellState = 'waiting' | 'valid' | 'rebuilt' | 'refused' | 'missing'

/** The states, in the order in which legends name them. */
export const STATES: readonly CellState[] = ['waiting', 'valid', 'rebuilt', 'refused', 'missing']

/** A box on a canvas, in its pixels. One is written again for each cell: a large grid has half a million of them. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const colourOf: Readonly<Record<CellState, ColourName>> = {
  waiting: 'soft',
  valid: 'valid',
  rebuilt: 'rebuilt',
  refused: 'refused',
  missing: 'soft',
}

/** Below this, in pixels of the screen, a diagonal is no longer one: shapes are then told apart by their heights. */
const WIDE = 9

/**
 * Takes the colours of a state, and returns what draws cells of that state. A cell that waits is a dot, one that is valid fills its box, one that was rebuilt fills half of it, one that was
 * refused is crossed out, and one that is missing is hollow. Where cells are not wide, a line across it stands for the cross, and two rims
 * for what is hollow.
 */
export function cellPainter(
  pen: CanvasRenderingContext2D,
  state: CellState,
  colours: Palette,
  isWide: boolean,
): (box: Readonly<Box>) => void {
  pen.fillStyle = pen.strokeStyle = colours[colourOf[state]]
  const shape = shapes[state]
  return (box) => shape(pen, box, isWide, colours)
}

/** Whether boxes of this size have room for diagonals. All cells of a grid are drawn in one way, though some are a pixel wider than others. */
export const isWideEnough = (width: number, height: number): boolean => Math.min(width, height) >= WIDE

type Shape = (pen: CanvasRenderingContext2D, box: Readonly<Box>, isWide: boolean, colours: Palette) => void

const part = (length: number, share: number): number => Math.max(1, Math.round(length * share))

const shapes: Readonly<Record<CellState, Shape>> = {
  waiting(pen, { x, y, width, height }, isWide) {
    const tall = part(isWide ? Math.min(width, height) : height, isWide ? 0.25 : 0.15)
    const wide = isWide ? tall : part(width, 0.6)
    pen.fillRect(x + Math.floor((width - wide) / 2), y + Math.floor((height - tall) / 2), wide, tall)
  },
  valid(pen, { x, y, width, height }) {
    pen.fillRect(x, y, width, height)
  },
  rebuilt(pen, box, isWide) {
    const { x, y, width, height } = box
    if (!isWide) {
      const half = part(height, 0.5)
      pen.fillRect(x, y + height - half, width, half)
      return
    }
    frame(pen, box)
    pen.beginPath()
    pen.moveTo(x, y + height)
    pen.lineTo(x + width, y)
    pen.lineTo(x + width, y + height)
    pen.fill()
  },
  refused(pen, { x, y, width, height }, isWide, { paper, refused }) {
    pen.fillRect(x, y, width, height)
    if (!isWide) {
      const gap = part(height, 0.3)
      pen.clearRect(x, y + Math.floor((height - gap) / 2), width, gap)
      return
    }
    const inset = Math.min(width, height) * 0.24
    pen.strokeStyle = paper
    pen.lineWidth = Math.max(1.25, Math.min(width, height) / 7)
    pen.beginPath()
    pen.moveTo(x + inset, y + inset)
    pen.lineTo(x + width - inset, y + height - inset)
    pen.moveTo(x + width - inset, y + inset)
    pen.lineTo(x + inset, y + height - inset)
    pen.stroke()
    pen.strokeStyle = refused
  },
  missing(pen, box, isWide) {
    if (isWide) {
      frame(pen, box)
      return
    }
    const { x, y, width, height } = box
    const cap = part(height, 0.12)
    pen.fillRect(x, y, width, cap)
    pen.fillRect(x, y + height - cap, width, cap)
  },
}

/** The rim of a box, inside it. */
function frame(pen: CanvasRenderingContext2D, { x, y, width, height }: Readonly<Box>): void {
  const line = part(Math.min(width, height), 0.1)
  pen.lineWidth = line
  pen.strokeRect(x + line / 2, y + line / 2, width - line, height - line)
}
