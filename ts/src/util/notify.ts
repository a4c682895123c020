/** Listeners that callers hand in (`onProgress`, `onError`): what they are, and how they are called. */

/** Throws `TypeError` for what is neither a function nor undefined; `name` is the option's. */
export function refuseNonListener(listener: unknown, name: string): void {
  if (listener !== undefined && typeof listener !== 'function')
    throw new TypeError(`${name} must be a function`)
}

/**
 * Calls a listener with an event, unless there is none, or the call's signal is aborted: who has left hears no more. A listener
 * that throws, or that is `async` and rejects, harms neither the call nor the process; it has means of its own to report its error.
 */
export function notify<E>(
  listener: ((event: E) => void) | undefined,
  event: E,
  signal?: AbortSignal | undefined,
): void {
  if (listener === undefined || signal?.aborted) return
  try {
    const returned: unknown = listener(event)
    if (returned !== undefined) Promise.resolve(returned).catch(ignore)
  } catch {
    // Not the data's fault.
  }
}

function ignore(): void {}
