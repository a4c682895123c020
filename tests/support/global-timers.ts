/** Fake time for what the package itself waits with: its limits on workers and on a verifier's cache, which otherwise go by the engine's own timers, whatever a test does. */
import { platform } from '#platform'
import { onTestFinished, vi } from 'vitest'

/** Until the test is over, these limits go by the timers that the globals have when one begins. */
export function useGlobalTimers(): void {
  const spies = [
    vi.spyOn(platform, 'after').mockImplementation((ms, act) => {
      const { clearTimeout } = globalThis
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    }),
    vi.spyOn(platform, 'every').mockImplementation((ms, act) => {
      const { clearInterval } = globalThis
      const timer = setInterval(act, ms)
      return () => clearInterval(timer)
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
}
