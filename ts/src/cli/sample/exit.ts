/** What reports make of the command. What was not shown to be available is not 0. */
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

/** Of slots that were followed: empty ones are no gap. */
export function exitCodeOfSlots({ slots, unavailable, unknown, missed }: SlotCounters): ExitCode {
  if (unavailable > 0) return exitCodes.bad
  return slots === 0 || unknown + missed > 0 ? exitCodes.unknown : exitCodes.ok
}
