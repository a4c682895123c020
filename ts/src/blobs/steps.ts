/** The ways to the data of a block, one after the other, the cheap ones first; who is silent does not keep the next one waiting. */
import { DisposedError } from '../runtime/errors.ts'
import { sleep } from '../util/timers.ts'
import type { Search } from './search.ts'

/** One way to get what is missing. It ends when nothing more can be had by it. */
export type Step = () => Promise<void>

/** How long a step may be under way before the next one is begun beside it: at most, and as a part of the time that is left. */
const MAX_PATIENCE_MS = 3_000
const PATIENCE_SHARE = 1 / 8
/** The part of a call's time in which a turn or an answer begins the wait anew. Later it does not, so that a slow source cannot keep archives from being asked. */
const TURNS_SHARE = 1 / 4

/** Runs these steps until the search is over, or all have ended. Rejects with what is nobody's failure but ours. */
export async function inTurn(search: Search, steps: readonly Step[]): Promise<void> {
  const { call } = search
  const begun: Promise<void>[] = []
  let failure: { readonly error: unknown } | null = null
  for (const step of steps) {
    if (search.isOver || search.until.aborted) break
    const run = step().catch((error: unknown) => {
      // What was called off has nothing to say.
      if (search.until.aborted && !(error instanceof DisposedError)) return
      failure ??= { error }
      search.end()
    })
    begun.push(run)
    await Promise.race([run, patience(search)])
  }
  await Promise.all(begun)
  call.signal?.throwIfAborted()
  if (failure !== null) throw (failure as { readonly error: unknown }).error
}

/**
 * Resolves when it is time for the next step, or when there is nothing more to wait for. A request that waits for its turn at a busy endpoint counts as
 * progress, since the next step would wait there, too; so does an answer that is being verified here. Nobody knows yet what will come of either, so that
 * they count in the first part of the call's time alone.
 */
export async function patience({ call, until }: Search): Promise<void> {
  const began = performance.now()
  const turnsEndAt = call.beganAt + (call.endsAt - call.beganAt) * TURNS_SHARE
  while (!until.aborted) {
    const since = Math.max(began, Math.min(call.shares.waiting.movedAt, turnsEndAt))
    const patienceMs = Math.min(MAX_PATIENCE_MS, (call.endsAt - since) * PATIENCE_SHARE)
    // Timers know whole milliseconds alone.
    const leftMs = Math.ceil(since + patienceMs - performance.now())
    if (leftMs <= 0) return
    await sleep(leftMs, until).catch(() => {})
  }
}
