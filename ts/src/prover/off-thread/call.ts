/** What is true of a whole call: its options, once they are known to make sense, its progress, and arrays of its own. */
import { isBytes } from '../../util/is-bytes.ts'
import type { Bytes } from '../../util/hex.ts'
import { KzgInputError } from '../../kzg/errors.ts'
import { optionsOf, type ProverCallOptions } from '../options.ts'

export interface Call {
  readonly signal: AbortSignal | undefined
  /** Tells the caller of more steps, of as many as there are. */
  readonly progress: (total: number) => (more: number) => void
}

/** Reads a call's options. Throws `TypeError` where they make no sense. */
export function readCall(options: ProverCallOptions = {}): Call {
  const { signal, onProgress = () => {} } = optionsOf(options)
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('signal must be an AbortSignal')
  if (typeof onProgress !== 'function') throw new TypeError('onProgress must be a function')
  return {
    signal,
    progress(total) {
      let done = 0
      return (more) => {
        done += more
        if (signal?.aborted) return
        try {
          onProgress({ done, total })
        } catch {
          // The listener's fault is not the data's.
        }
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
