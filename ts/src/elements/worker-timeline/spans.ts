/** The spans that a timeline keeps, the newest of all that were added, and the time that they take together. */
import { Lanes } from './lanes.ts'
import { STAGES, type TimelineSpan } from './stages.ts'

/** More workers than any device has; what is larger is a mistake. */
export const MOST_WORKERS = 1024

/** More spans than the first are not kept: of these, the oldest go, as many as the second says, so that this is seldom. */
const [MOST_SPANS, AT_ONCE] = [10_000, 1_000]

export class Spans {
  #all: TimelineSpan[] = []
  #lanes = new Lanes()
  #start = Infinity
  #end = -Infinity
  #isCut = false

  /** In the order in which they were added. */
  get all(): readonly TimelineSpan[] {
    return this.#all
  }

  /** By who worked on them. */
  get lanes(): Lanes {
    return this.#lanes
  }

  /** When the first one began; infinity where there is none. */
  get start(): number {
    return this.#start
  }

  /** Milliseconds from the start of the first to the end of the last. */
  get duration(): number {
    return this.#all.length === 0 ? 0 : this.#end - this.#start
  }

  /** Whether older ones were taken away. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Throws as `WorkerTimelineElement.add` does. */
  add(span: TimelineSpan): void {
    const { stage, items, worker, start, end } = span
    if (!STAGES.includes(stage)) throw new TypeError(`there is no stage ${String(stage)}`)
    if (!Array.isArray(items)) throw new TypeError('the items of a span are an array')
    if (worker !== null && (!Number.isInteger(worker) || worker < 0 || worker >= MOST_WORKERS))
      throw new RangeError(`a worker is null or a number below ${MOST_WORKERS}, not ${String(worker)}`)
    if (!Number.isFinite(start) || !Number.isFinite(end) || end < start)
      throw new RangeError(`a span ends after its start: ${String(start)} to ${String(end)}`)
    const [first, last] = [Math.min(this.#start, start), Math.max(this.#end, end)]
    if (last - first === Infinity)
      throw new RangeError(`no number says how long all spans take: ${first} to ${last}`)
    this.#keep(span)
    if (this.#all.length <= MOST_SPANS) return
    const newest = this.#all.slice(AT_ONCE)
    this.clear()
    this.#isCut = true
    for (const one of newest) this.#keep(one)
  }

  clear(): void {
    this.#all = []
    this.#lanes = new Lanes()
    this.#start = Infinity
    this.#end = -Infinity
    this.#isCut = false
  }

  /** The nearest time to another that is not before the first began, nor after the last ended. */
  within(time: number): number {
    return Math.min(this.#end, Math.max(this.#start, time))
  }

  /** Those that were under way at a time. */
  at(time: number): TimelineSpan[] {
    return this.#all.filter(({ start, end }) => start <= time && time <= end)
  }

  #keep(span: TimelineSpan): void {
    this.#all.push(span)
    this.#lanes.add(span)
    this.#start = Math.min(this.#start, span.start)
    this.#end = Math.max(this.#end, span.end)
  }
}
