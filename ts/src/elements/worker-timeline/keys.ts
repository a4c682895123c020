/** Where a key leads in a span of time. */

/** The milliseconds that a key leads to from others, of `whole`; undefined for keys that lead nowhere. They may be outside of it. */
export function msAfter(key: string, from: number, whole: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: from - whole / 100,
    ArrowDown: from - whole / 100,
    ArrowRight: from + whole / 100,
    ArrowUp: from + whole / 100,
    PageDown: from - whole / 10,
    PageUp: from + whole / 10,
    Home: 0,
    End: whole,
  }
  return Object.hasOwn(places, key) ? places[key] : undefined
}
