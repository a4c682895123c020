/** Slot after slot, until the user has enough. */
import { resolveNetwork } from '../../beacon/networks.ts'
import { Clock } from '../../light-client/clock.ts'
import type { Sampler } from '../../sampler/index.ts'
import type { ExitCode } from '../exit-codes.ts'
import { countersAtEnd, exitCodeOfSlots } from './exit-code.ts'
import { writeBlobs } from './files.ts'
import type { SamplePrinter } from './printer.ts'
import type { SampleSource } from './source.ts'

/** So many slots without a word are worth a line. */
const QUIET_SLOTS = 3

/** Ends when the signal is aborted; what was counted until then, silence included, decides the exit code. */
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
  const quietMs = (): number => performance.now() - heardAt
  const watch = setInterval(() => {
    if (quietMs() > enoughMs) printer.quiet(quietMs(), source.trouble())
  }, enoughMs)
  try {
    for await (const slot of following) {
      heardAt = performance.now()
      // A reorganisation goes back.
      lastSlot = Math.max(lastSlot, slot.lastSlot)
      printer.slot(slot, following.counters, await writeBlobs(folder, slot.report))
    }
  } finally {
    clearInterval(watch)
  }
  const counters = countersAtEnd(following.counters, lastSlot, clock.slot, quietMs() > enoughMs)
  printer.counters(counters)
  return exitCodeOfSlots(counters)
}
