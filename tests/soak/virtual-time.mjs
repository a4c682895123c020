// A clock that jumps. `LightClient.headers` sleeps from one slot to the next: here that sleep is over at once, and it is so much later for everybody
// who asks. What is waited for really, an answer or a worker, takes the time that it takes, and so do the limits on it.

/** The file whose sleeps are jumps. */
const FOLLOWER = /light-client\/follow\.js/
/** Longer than any run: where nothing jumps, a run stands still. */
const NEVER_MS = 2 ** 31 - 1

/**
 * Makes the follower's sleeps in this process jumps in time, until `restore` is called. `onJump` is called with the new time, in milliseconds of
 * Unix time, and the sleep ends when it resolves.
 */
export function virtualTime(startMs, onJump) {
  const { setTimeout: realTimeout } = globalThis
  const realNow = performance.now.bind(performance)
  const realStart = realNow()
  let jumped = 0
  const now = () => startMs + jumped + realNow() - realStart
  globalThis.setTimeout = (callback, ms, ...rest) => {
    if (!FOLLOWER.test(new Error().stack ?? '')) return realTimeout(callback, ms, ...rest)
    const timer = realTimeout(() => {}, NEVER_MS)
    jumped += ms
    onJump(now()).then(() => {
      clearTimeout(timer)
      callback(...rest)
    })
    return timer
  }
  // How long an endpoint is left alone that failed or lied is told by this one.
  performance.now = () => realNow() + jumped
  return {
    now,
    realNow,
    restore() {
      globalThis.setTimeout = realTimeout
      delete performance.now
    },
  }
}
