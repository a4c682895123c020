/** What is true of a whole call: its options, once they are known to make sense, its progress, and arrays of its own. */
import { isBytes } from '../../util/bytes.ts'
import type { Bytes } from '../../util/hex.ts'
import { notify, refuseNonListener } from '../../util/notify.ts'
import { refuseNonSignal } from '../../util/signals.ts'
import { KzgInputError } from '../../kzg/errors.ts'
import { optionsOf, type ProverCallOptions } from '../options.ts'

export interface Call {
  readonly signal: AbortSignal | undefined
  /** Tells the caller of more steps, of as many as there are. */
  readonly progress: (total: number) => (more: number) => void
}

/** Reads a call's options. Throws `TypeError` where they make no sense. */
export function readCall(options: ProverCallOptions = {}): Call {
  const { signal, onProgress } = optionsOf(options)
  refuseNonSignal(signal)
  refuseNonListener(onProgress, 'onProgress')
  return {
    signal,
    progress(total) {
      let done = 0
      return (more) => {
        done += more
        notify(onProgress, { done, total }, signal)
      }
    },
  }
}

/** A value that stays as it is while it waits for a worker, and can be sent to one: hex is parsed there. */
export function own(value: Bytes, index = 0): Bytes {
  if (typeof value === 'string') return value
  if (!isBytes(value)) throw new KzgInputError('not-bytes', index)
  // A detached array is empty, and throws when it is copied. Not `slice`: Node's Buffer shares memory there.
  return value.length === 0 ? new Uint8Array(0) : new Uint8Array(value)
}

/** The same of a list; a hole is refused like any other element that is none. */
export function ownList(values: readonly Bytes[]): Bytes[] {
  if (!Array.isArray(values)) throw new KzgInputError('not-an-array')
  return Array.from(values as readonly Bytes[], (value, at) => own(value, at))
}
