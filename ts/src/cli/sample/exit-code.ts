/** What reports make of the exit code. What was not shown to be available is not 0. */
import type { SampleReport, SlotCounters } from '../../sampler/index.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'

export const exitCodeOfVerdict: Readonly<Record<SampleReport['verdict'], ExitCode>> = {
  available: exitCodes.ok,
  'no-blobs': exitCodes.ok,
  unavailable: exitCodes.bad,
  // A block was asked for, and there is none: nothing can be said of its data.
  'no-block': exitCodes.unknown,
  unknown: exitCodes.unknown,
}

/** Heads come a slot or two late, and later where slots are empty; what is behind by more than these has been silent. */
export const LATE_SLOTS = 8

/**
 * The counters at the end, with the slots of which nobody said anything: those between the last one and the clock's present
 * one. `isQuiet`: nothing has come for a while, so that these are not just late.
 */
export function countersAtEnd(
  counters: SlotCounters,
  lastSlot: number,
  presentSlot: number,
  isQuiet: boolean,
): SlotCounters {
  const unheard = Math.max(0, presentSlot - 1 - lastSlot)
  if (unheard === 0 || (!isQuiet && unheard <= LATE_SLOTS)) return counters
  return { ...counters, slots: counters.slots + unheard, missed: counters.missed + unheard }
}

/** Of slots that were followed: empty ones are no gap. */
export function exitCodeOfSlots({ slots, unavailable, unknown, missed }: SlotCounters): ExitCode {
  if (unavailable > 0) return exitCodes.bad
  return slots === 0 || unknown + missed > 0 ? exitCodes.unknown : exitCodes.ok
}
