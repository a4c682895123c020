// What a visitor feels while something is being computed: how long the main thread did not answer, and which frames fell out.

/** Begins to watch, from a frame on; the answer ends it, after one more frame, with what was seen. */
export async function watchMainThread() {
  let last = performance.now()
  let longest = 0
  let timer
  const beat = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    timer = setTimeout(beat)
  }

  let frames = 0
  let running = true
  const began = await frame()
  const count = () => {
    if (!running) return
    frames++
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  last = performance.now()
  beat()

  return async () => {
    const ended = await frame()
    running = false
    clearTimeout(timer)
    longest = Math.max(longest, performance.now() - last)
    const due = Math.round((ended - began) / FRAME_MS)
    return { longestBlockMs: longest, droppedFrames: Math.max(0, due - frames) }
  }
}

const FRAME_MS = 1000 / 60

/** The time in the next frame: the frame's own timestamp may be as old as what blocked it. */
const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))
