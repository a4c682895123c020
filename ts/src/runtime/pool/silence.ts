/** How long a worker that is being started may be silent. */
import { platform } from '#platform'

const LOOKS = 10

/**
 * Calls back after so many milliseconds, unless what it returns is called before. Looks are counted rather than the clock: while this thread
 * is busy, or its page is frozen, it hears nothing from anyone, and a timer that is due then comes before what the worker has said meanwhile.
 * They are few, since a page in the background has a timer a second, or a minute.
 */
export function afterSilence(ms: number, act: () => void): () => void {
  let looks = 0
  const stop = platform.every(ms / LOOKS, () => {
    if (++looks < LOOKS) return
    stop()
    act()
  })
  return stop
}
