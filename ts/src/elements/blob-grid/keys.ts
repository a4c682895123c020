/** Where a key leads in a grid. */

/** A cell by its place. */
export interface Place {
  readonly blob: number
  readonly column: number
}

/** How many blobs further the keys of pages lead. */
const PAGE = 8

/** The cell that a key leads to from another; null for keys that lead nowhere. The first key leads to the first cell. */
export function placeAfter(
  key: string,
  isWhole: boolean,
  from: Place | null,
  blobs: number,
  columns: number,
): Place | null {
  const [row, column] = [from?.blob ?? 0, from?.column ?? 0]
  const places: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    PageUp: [row - PAGE, column],
    PageDown: [row + PAGE, column],
    Home: [isWhole ? 0 : row, 0],
    End: [isWhole ? blobs - 1 : row, columns - 1],
  }
  const place = Object.hasOwn(places, key) ? places[key] : undefined
  if (place === undefined || blobs === 0) return null
  if (from === null && key.startsWith('Arrow')) return { blob: 0, column: 0 }
  return { blob: clamp(place[0], blobs), column: clamp(place[1], columns) }
}

const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index))
