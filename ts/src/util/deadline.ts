/** The end of a call's time, as a signal. */
import { joinSignals } from './signals.ts'

/** A signal that is aborted with the caller's, if there is one, and after so many milliseconds. `release` must be called at the end of the call. */
export function withDeadline(
  signal: AbortSignal | undefined,
  ms: number,
): { readonly until: AbortSignal; readonly release: () => void } {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DOMException('the deadline', 'TimeoutError')), ms)
  const { either, release } = joinSignals([signal, deadline.signal])
  return {
    until: either,
    release() {
      clearTimeout(timer)
      release()
    },
  }
}
