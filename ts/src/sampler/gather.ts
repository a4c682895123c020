/** Asking and verifying take turns, until there is nothing left to ask for. */
import type { Collection, Delivered } from './ask/collection.ts'
import type { Judged } from './judge.ts'
import type { SampleProgress } from './report.ts'

/**
 * Asks for sidecars and verifies them until each is verified, or nobody is left to be asked for it. Gives those that are
 * valid, and calls back for each. A block costs one batch where nobody lies.
 */
export async function gather(
  collection: Collection,
  indices: readonly number[],
  verify: (delivered: readonly Delivered[]) => Promise<Judged[]>,
  timings: { fetchMs: number; verifyMs: number },
  on: {
    readonly valid: (judged: Judged) => void
    readonly refused: (
      delivered: Delivered,
      reason: Extract<SampleProgress, { kind: 'refused' }>['reason'],
    ) => void
  },
): Promise<void> {
  let wanted = indices
  while (wanted.length > 0) {
    const began = performance.now()
    const delivered = await collection.obtain(wanted)
    const fetched = performance.now()
    timings.fetchMs += fetched - began
    const judged = delivered.length === 0 ? [] : await verify(delivered)
    timings.verifyMs += performance.now() - fetched
    const again: number[] = []
    for (const one of judged) {
      const { verdict } = one
      if (verdict.status === 'valid') {
        collection.accept(one.delivered)
        on.valid(one)
      } else if (verdict.status === 'invalid' || verdict.status === 'malformed') {
        collection.refuse(one.delivered, verdict.reason)
        on.refused(one.delivered, verdict.reason)
        again.push(one.delivered.index)
      } else {
        collection.crash(one.delivered)
        again.push(one.delivered.index)
      }
    }
    wanted = again
  }
}
