/** Node's own timers, as they were when this code was loaded: a file of its own, since workers do without it. */
import timers from 'node:timers'

// Not the imports themselves: who fakes timers changes this module's, too. And what stands for a page in tests may have no global `setImmediate`.
const { setImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = timers

/** `turn` of a platform. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** `after` of a platform. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** `every` of a platform. */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}
