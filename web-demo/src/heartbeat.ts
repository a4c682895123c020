/**
 * How long the main thread was ever busy: a timer beats every few milliseconds, and the longest silence between two beats
 * bounds the longest block from above. Says null if the page was in the background, where timers are slowed down.
 */
export function startHeartbeat(): () => number | null {
  let longest = 0
  let last = performance.now()
  let hidden = document.hidden
  let timer = 0
  const beat = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    hidden ||= document.hidden
    timer = window.setTimeout(beat)
  }
  timer = window.setTimeout(beat)
  return () => {
    window.clearTimeout(timer)
    return hidden ? null : Math.max(longest, performance.now() - last)
  }
}
