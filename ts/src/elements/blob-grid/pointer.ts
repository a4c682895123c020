/** What a pointer does in a grid: it names the cell that it is over, and a press moves the cursor, which follows it until it is let go. */
import type { Place } from './keys.ts'

/** The grid that a pointer is in. */
export interface Pointed {
  readonly blobs: number
  readonly cursor: Place | null
  /** The cell below a pointer; null where there is none. */
  at(event: PointerEvent): Place | null
  /** Names a cell, or none. */
  hover(place: Place | null): void
  select(place: Place): void
}

/** Listens for as long as the elements are there: `canvas` shows the cells, and `node` around it takes clicks. */
export function followPointer(node: HTMLElement, canvas: HTMLCanvasElement, grid: Pointed): void {
  let isPressed = false
  canvas.addEventListener('pointerdown', (event) => {
    isPressed = false
    const place = grid.at(event)
    if (place === null || event.button !== 0) return
    canvas.setPointerCapture(event.pointerId)
    isPressed = true
    grid.select(place)
  })
  // Screen readers of phones click, and have no keys and no pointer that would be at a cell.
  node.addEventListener('click', () => {
    if (!isPressed && grid.blobs > 0) grid.select(grid.cursor ?? { blob: 0, column: 0 })
    isPressed = false
  })
  canvas.addEventListener('pointermove', (event) => {
    const place = grid.at(event)
    if (!canvas.hasPointerCapture(event.pointerId)) grid.hover(event.pointerType === 'touch' ? null : place)
    else if (place !== null && !isSame(place, grid.cursor)) grid.select(place)
  })
  canvas.addEventListener('pointerleave', () => grid.hover(null))
}

export const isSame = (one: Place | null, other: Place | null): boolean =>
  one?.blob === other?.blob && one?.column === other?.column
