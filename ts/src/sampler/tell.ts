/** What happens, as its listeners hear of it. */

/** Tells a listener, whose fault is not the data's. */
export function tell<Event>(
  listener: ((event: Event) => void) | undefined,
  signal: AbortSignal | undefined,
  event: Event,
): void {
  if (listener === undefined || signal?.aborted) return
  try {
    listener(event)
  } catch {
    // It has its own means to say so.
  }
}
