/** A page's own timers, as they were when this code was loaded: a file of its own, since workers do without it. */

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis

/**
 * `turn` of a platform. By a message: timers that follow one another wait for four milliseconds. Some sandboxes have timers alone, or not even
 * those.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel !== 'function')
      return typeof setTimeout === 'function' ? void setTimeout(resolve, 0) : resolve()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
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
