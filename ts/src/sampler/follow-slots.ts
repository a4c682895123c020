/** The options of `follow`, read, and what they are put together with. */
import { Clock } from '../light-client/clock.ts'
import { refuseNonSignal } from '../util/signals.ts'
import { notify, refuseNonListener } from '../util/notify.ts'
import type { Parts } from './block.ts'
import { FollowedSlots } from './follow.ts'
import { refuseNonHeader } from './header.ts'
import { readCount, readMs } from './numbers.ts'
import type { Following, FollowSlotsOptions } from './options.ts'
import type { Plan } from './plan.ts'
import { sampleBlock } from './sample-block.ts'

/** A block’s time at least, where slots are as short as those of made chains: the first one waits for workers that start. */
const MIN_DEADLINE_MS = 5_000

/** Throws `TypeError` for options that make no sense, and for a source that cannot be followed. */
export function followSlots(parts: Parts, plan: Plan, call: FollowSlotsOptions): Following {
  if (typeof call !== 'object' || call === null) throw new TypeError('options must be an object')
  const { signal, onProgress, onError, catchUpSlots = 32, concurrency = 2, reconstruct = false } = call
  const { headers } = parts
  refuseNonSignal(signal)
  refuseNonListener(onProgress, 'onProgress')
  refuseNonListener(onError, 'onError')
  if (!Number.isSafeInteger(catchUpSlots) || catchUpSlots < 0)
    throw new TypeError('catchUpSlots must be a non-negative integer')
  if (typeof headers.headers !== 'function') throw new TypeError('this source of headers cannot be followed')
  const clock = new Clock(parts.network, parts.now)
  const slotMs = Math.max(parts.era.secondsPerSlot * 1000, MIN_DEADLINE_MS)
  const deadlineMs = readMs(call.deadlineMs ?? slotMs, 'deadlineMs')
  return new FollowedSlots({
    heads: (until) => headers.headers?.({ signal: until }) ?? none(),
    admit(header) {
      refuseNonHeader(header, parts.network)
      if (header.slot <= clock.slot + 1) return true
      notify(
        onError,
        new Error(`a header of slot ${header.slot}, where by the clock it is slot ${clock.slot}`),
        signal,
      )
      return false
    },
    sample: ({ slot, header }, until) =>
      sampleBlock(parts, {
        ...{ id: slot, plan, deadlineMs, signal: until },
        ...(header && { header }),
        reconstruct: reconstruct === true,
        tell: (event) => notify(onProgress, { ...event, slot }, until),
      }),
    concurrency: readCount(concurrency, 'concurrency'),
    ...{ catchUpSlots, signal },
  })
}

async function* none(): AsyncGenerator<never, void, void> {}
