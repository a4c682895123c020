/** The head of the chain as it moves: an iterator that polls by the slots' clock. */
import type { Clock } from './clock.ts'
import { notify } from '../util/notify.ts'
import { backOff, sleep } from '../util/timers.ts'
import type { FollowOptions } from './options.ts'
import type { TrustedHeader } from './trusted-header.ts'

/** What is followed. */
export interface Followed {
  readonly clock: Clock
  readonly finalized: TrustedHeader
  readonly optimistic: TrustedHeader
  /** Milliseconds for which all endpoints want to be left alone (`Retry-After`). */
  readonly waitMs: number
  sync(options: { readonly signal?: AbortSignal }): Promise<void>
}

/** A third into a slot its block is there, and with it the signatures over the block before it. */
const BLOCK_THIRDS = 1
/** The least pause between two polls, so that an endpoint that is late is not hammered. */
const MIN_PAUSE_MS = 1_000
/** The longest pause after polls that failed, in slots: fewer questions than in good times, and nodes that are back are soon found. */
const MAX_PAUSE_SLOTS = 4

/**
 * Yields the present header, then the newest one at each poll; those between are skipped. Polls once in a slot; within it again, at doubling
 * intervals, while there is nothing new. Failed polls that brought nothing new make the intervals grow up to four slots; none is polled before
 * the first endpoint wants to be asked again. What is older than the header before, as where the client began anew, is not yielded. Ends only
 * by the signal, whose reason it throws, or by what is not about endpoints.
 */
export async function* follow(
  followed: Followed,
  { signal, finality = 'optimistic', onError }: FollowOptions,
  isPassing: (error: unknown) => error is Error,
): AsyncGenerator<TrustedHeader, void, void> {
  const { clock } = followed
  const slotMs = clock.secondsPerSlot * 1000
  let latest: TrustedHeader | undefined
  let failures = 0
  let pauseMs = MIN_PAUSE_MS
  for (;;) {
    signal?.throwIfAborted()
    const { slot } = clock
    const before = followed[finality].root
    try {
      await followed.sync(signal === undefined ? {} : { signal })
      failures = 0
    } catch (error) {
      if (!isPassing(error)) throw error
      failures++
      notify(onError, error)
    }
    const header = followed[finality]
    // A poll may have failed for want of the other header alone.
    if (header.root !== before) failures = 0
    const isNews = latest === undefined || (header.root !== latest.root && header.slot >= latest.slot)
    if (isNews) {
      latest = header
      yield header
    }
    // No longer than from the beginning of a slot: a clock that was set back meanwhile holds nobody up.
    const untilNext = Math.min(clock.msUntil(slot + 1, BLOCK_THIRDS), (1 + BLOCK_THIRDS / 3) * slotMs)
    let pause: number
    if (failures > 0) pause = backOff(failures, slotMs, Math.random, MAX_PAUSE_SLOTS * slotMs)
    else if (isNews) {
      pauseMs = MIN_PAUSE_MS
      pause = Math.max(untilNext, Math.min(MIN_PAUSE_MS, slotMs / 3))
    } else {
      pause = Math.min(pauseMs, Math.max(untilNext, MIN_PAUSE_MS))
      pauseMs = Math.min(2 * pauseMs, slotMs)
    }
    await sleep(Math.max(pause, followed.waitMs), signal)
  }
}
