/** Calls that models call off: after a time, or after so many turns of the event loop, in which nodes answer and the client computes. */
import * as fc from 'fast-check'
import { turns } from './virtual-time.ts'

/** When a call is called off, or null. */
export type Abort = { readonly ms: number } | { readonly turns: number } | null

/** `never`: how often it is not called off, where either of the others comes once. `atMost`: turns. */
export const abortOf = (
  never: number,
  milliseconds: readonly number[],
  atMost: number,
): fc.Arbitrary<Abort> =>
  fc.oneof(
    { weight: never, arbitrary: fc.constant(null) },
    fc.record({ ms: fc.constantFrom(...milliseconds) }),
    fc.record({ turns: fc.nat(atMost) }),
  )

/** A signal's controller; the timer, if there is one, is added to `timers`. */
export function abortedAfter(abort: Abort, reason: object, timers: Set<NodeJS.Timeout>): AbortController {
  const controller = new AbortController()
  const end = (): void => controller.abort(reason)
  if (abort !== null && 'ms' in abort) timers.add(setTimeout(end, abort.ms))
  if (abort !== null && 'turns' in abort) void turns(abort.turns).then(end)
  return controller
}
