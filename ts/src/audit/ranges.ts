/** Ranges of slots: a long one cut into jobs, and single slots put together. */
import type { SlotRange } from './result.ts'

/** How many slots a job has: a few seconds of work, so that little is lost with a machine, and few jobs make a queue. */
export const SLOTS_PER_JOB = 32

/** A range in pieces of so many slots, the last of which may be shorter; in order. */
export function piecesOf({ from, to }: SlotRange, slots: number = SLOTS_PER_JOB): SlotRange[] {
  const pieces: SlotRange[] = []
  for (let start = from; start <= to; start += slots)
    pieces.push({ from: start, to: Math.min(start + slots - 1, to) })
  return pieces
}

/** The name of a range, by which its job and its result are known. */
export function nameOf({ from, to }: SlotRange): string {
  return `${from}-${to}`
}

/** Slots in any order as ranges, in order. */
export function compress(slots: Iterable<number>): SlotRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const slot of [...slots].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && slot <= last.to + 1) last.to = Math.max(last.to, slot)
    else ranges.push({ from: slot, to: slot })
  }
  return ranges
}

/** Ranges in any order, none of which overlaps another; those that follow on each other become one. */
export function joinRanges(ranges: readonly SlotRange[]): SlotRange[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && from === last.to + 1) last.to = to
    else joined.push({ from, to })
  }
  return joined
}
