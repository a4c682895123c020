/** The options of `follow`, read, and what they are put together with. */
import { refuseNonSignal } from '../signals/join.ts'
import type { Parts } from './block.ts'
import { FollowedSlots } from './follow.ts'
import { refuseNonHeader } from './header.ts'
import { readCount, readMs } from './numbers.ts'
import type { Following, FollowSlotsOptions } from './options.ts'
import type { Plan } from './plan.ts'
import { sampleBlock } from './sample-block.ts'
import { tell } from './tell.ts'

/** Throws `TypeError` for options that make no sense, and for a source that cannot be followed. */
export function followSlots(parts: Parts, plan: Plan, call: FollowSlotsOptions): Following {
  if (typeof call !== 'object' || call === null) throw new TypeError('options must be an object')
  const { signal, onProgress, catchUpSlots = 32, concurrency = 2, reconstruct = false } = call
  const { headers } = parts
  refuseNonSignal(signal)
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError('onProgress must be a function')
  if (!Number.isSafeInteger(catchUpSlots) || catchUpSlots < 0)
    throw new TypeError('catchUpSlots must be a non-negative integer')
  if (typeof headers.headers !== 'function') throw new TypeError('this source of headers cannot be followed')
  const deadlineMs = readMs(call.deadlineMs ?? parts.era.secondsPerSlot * 1000, 'deadlineMs')
  return new FollowedSlots({
    heads: (until) => headers.headers?.({ signal: until }) ?? none(),
    check: (header) => refuseNonHeader(header, parts.network),
    sample: ({ slot, header }, until) =>
      sampleBlock(parts, {
        ...{ id: slot, plan, deadlineMs, signal: until },
        ...(header && { header }),
        reconstruct: reconstruct === true,
        tell: (event) => tell(onProgress && ((told) => onProgress({ ...told, slot })), until, event),
      }),
    concurrency: readCount(concurrency, 'concurrency'),
    ...{ catchUpSlots, signal },
  })
}

async function* none(): AsyncGenerator<never, void, void> {}
