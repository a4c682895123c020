/** Long work in parts, between which the thread does what else is waiting: whoever sends much must not keep it. */
import { platform } from '#platform'

/** Awaited between parts of some work. Rejects where the work is to end. */
export type Pause = () => Promise<void>

/** How long the thread may be kept at a time, in milliseconds. */
const TURN_MS = 10

/** A pause that lets the thread go where it was kept for long; it rejects with the signal's reason. */
export function pausesOf(signal: AbortSignal | undefined): Pause {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await platform.turn()
    signal?.throwIfAborted()
    since = performance.now()
  }
}

/** What `step` makes of each. Rejects with what it throws, and with what `pause` rejects with. */
export async function inTurns<T, R>(
  list: readonly T[],
  step: (one: T, at: number) => R,
  pause: Pause,
): Promise<R[]> {
  const made: R[] = []
  for (const [at, one] of list.entries()) {
    await pause()
    made.push(step(one, at))
  }
  return made
}
