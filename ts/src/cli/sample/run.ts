/** Sampling one block, or slot after slot, and what reports make of the exit code. What was not shown to be available is not 0. */
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import { Clock } from '../../light-client/clock.ts'
import type { Sampler, SampleReport, SlotCounters } from '../../sampler/index.ts'
import { afterWriting } from '../blob-files.ts'
import { type ExitCode, exitCodes } from '../command.ts'
import { writeBlobs } from './files.ts'
import type { SampleCommandOptions } from './options.ts'
import type { SamplePrinter } from './printers.ts'
import type { SampleSource } from './source.ts'

/** One block; its verdict decides the exit code. */
export async function sampleOne(
  sampler: Sampler,
  source: SampleSource,
  { block, reconstruct }: Pick<SampleCommandOptions, 'block' | 'reconstruct'>,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<ExitCode> {
  const report = await sampler.sampleBlock(block, {
    signal,
    reconstruct: reconstruct !== undefined,
    onProgress: (event) => printer.progress(event),
  })
  const trouble = report.reason === 'no-header' ? source.trouble() : source.oldHead()
  await afterWriting(writeBlobs(reconstruct, report), (paths) => printer.report(report, paths, trouble))
  return exitCodeOfVerdict[report.verdict]
}

/** So many slots without a word are worth a line. */
const QUIET_SLOTS = 3

/** Slot after slot, until the user has enough: ends when the signal is aborted; what was counted until then, silence included, decides the exit code. */
export async function follow(
  sampler: Sampler,
  source: SampleSource,
  folder: string | undefined,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<ExitCode> {
  const following = sampler.follow({ signal, reconstruct: folder !== undefined })
  const clock = new Clock(resolveNetwork(source.network), source.now)
  let lastSlot = clock.slot - 1
  let heardAt = performance.now()
  const enoughMs = QUIET_SLOTS * clock.secondsPerSlot * 1000
  let wasOld = false
  const quietMs = (): number => performance.now() - heardAt
  const watch = setInterval(() => {
    if (quietMs() > enoughMs) printer.quiet(quietMs(), source.trouble())
  }, enoughMs)
  try {
    for await (const slot of following) {
      heardAt = performance.now()
      // A reorganisation goes back.
      lastSlot = Math.max(lastSlot, slot.lastSlot)
      const oldHead = source.oldHead()
      if (oldHead !== null && !wasOld) printer.behind(oldHead)
      wasOld = oldHead !== null
      await afterWriting(writeBlobs(folder, slot.report), (paths) =>
        printer.slot(slot, following.counters, paths),
      )
    }
  } finally {
    clearInterval(watch)
  }
  const counters = countersAtEnd(following.counters, lastSlot, clock.slot, quietMs() > enoughMs)
  printer.counters(counters)
  return exitCodeOfSlots(counters)
}

/** What a block's verdict makes of the exit code. */
const exitCodeOfVerdict: Readonly<Record<SampleReport['verdict'], ExitCode>> = {
  available: exitCodes.ok,
  'no-blobs': exitCodes.ok,
  unavailable: exitCodes.bad,
  // A block was asked for, and there is none, or its payload is no part of the chain: nothing can be said of its data.
  'payload-not-revealed': exitCodes.unknown,
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

/** What the counters of slots that were followed make of the exit code: empty slots are no gap. */
export function exitCodeOfSlots({ slots, unavailable, unknown, missed }: SlotCounters): ExitCode {
  if (unavailable > 0) return exitCodes.bad
  return slots === 0 || unknown + missed > 0 ? exitCodes.unknown : exitCodes.ok
}
