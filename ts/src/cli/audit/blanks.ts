/** Slots of which nothing is known, told of in one line where they follow one another: there may be thousands. */
import type { SlotRange, SlotResult } from '../../audit/index.ts'

/** Slots that follow on each other, of which nothing is known, for the same reason. */
export interface Blank extends SlotRange {
  readonly detail: string
}

/** A slot of which nothing is known, not even by one of the servers; null for any other result. */
export function blankOf({ slot, outcome, servers, blobs, detail }: SlotResult): Blank | null {
  const isBlank = outcome === 'unknown' && servers.length === 0 && blobs.wanted === null
  return isBlank && detail !== null ? { from: slot, to: slot, detail } : null
}

/** Joins blanks, in whatever order the ranges of an audit come, and holds each until it is known where it ends. */
export class Blanks {
  #held: readonly Blank[] = []
  /** Slots with a result, and those next to the audit's. */
  #known: readonly SlotRange[]

  /** `from` and `to` are the audit's. */
  constructor({ from, to }: SlotRange) {
    this.#known = [from - 1, to + 1].map((slot) => ({ from: slot, to: slot }))
  }

  /** Takes the blanks of a range that came. Gives those that have an end on both sides by now, in order. */
  add(range: SlotRange, blanks: readonly Blank[]): Blank[] {
    this.#known = joined(this.#known, { from: range.from, to: range.to }, () => true)
    for (const blank of blanks)
      this.#held = joined(this.#held, blank, ({ detail }) => detail === blank.detail)
    return this.#take(({ from, to }) => this.#isKnown(from - 1) && this.#isKnown(to + 1))
  }

  /** Gives those that are still held, in order: nothing comes any more. */
  rest(): Blank[] {
    return this.#take(() => true)
  }

  #isKnown(slot: number): boolean {
    return this.#known.some(({ from, to }) => from <= slot && slot <= to)
  }

  #take(isTaken: (blank: Blank) => boolean): Blank[] {
    const taken = this.#held.filter(isTaken)
    this.#held = this.#held.filter((blank) => !taken.includes(blank))
    return taken.sort((a, b) => a.from - b.from)
  }
}

/** The ranges with one more, as one with those that end next to it, if they are the same. */
function joined<Range extends SlotRange>(
  ranges: readonly Range[],
  one: Range,
  isSame: (other: Range) => boolean,
): Range[] {
  const touches = (other: Range): boolean =>
    isSame(other) && other.from <= one.to + 1 && one.from <= other.to + 1
  const all = [one, ...ranges.filter(touches)]
  const whole = {
    ...one,
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to)),
  }
  return [...ranges.filter((other) => !touches(other)), whole]
}
