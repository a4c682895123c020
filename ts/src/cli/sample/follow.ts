/** Slot after slot, until the user has enough. */
import { resolveNetwork } from '../../networks.ts'
import type { Sampler } from '../../sampler/index.ts'
import type { ExitCode } from '../exit-codes.ts'
import { exitCodeOfSlots } from './exit.ts'
import type { Ground } from './ground.ts'
import type { SamplePrinter } from './printer.ts'
import { writeBlobs } from './rebuilt.ts'

/** So many slots without a word are worth a line. */
const QUIET_SLOTS = 3

/** Ends when the signal is aborted; what was counted until then decides the exit code. */
export async function follow(
  sampler: Sampler,
  ground: Ground,
  folder: string | undefined,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<ExitCode> {
  const following = sampler.follow({ signal, reconstruct: folder !== undefined })
  let heardAt = performance.now()
  const slotMs = (resolveNetwork(ground.network).secondsPerSlot ?? 12) * 1000
  const watch = setInterval(() => {
    const quietMs = performance.now() - heardAt
    if (quietMs > QUIET_SLOTS * slotMs) printer.quiet(quietMs, ground.trouble())
  }, QUIET_SLOTS * slotMs)
  try {
    for await (const slot of following) {
      heardAt = performance.now()
      printer.slot(slot, following.counters, await writeBlobs(folder, slot.report))
    }
  } finally {
    clearInterval(watch)
  }
  printer.counters(following.counters)
  return exitCodeOfSlots(following.counters)
}
