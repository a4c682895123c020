/**
 * Time that passes only where nothing else is left to do: then the next timer goes off, however far off it is. What takes an hour takes a
 * moment so, and what would wait for ever is found out at once, since there is no timer any more that it could be waiting for. It stands in
 * for `setTimeout` and `performance.now`; what is tested must compute in this thread.
 */
import { vi } from 'vitest'

/** Turns of the event loop in which what is under way in this thread goes on, if anything is: a task takes two or three. */
const TURNS = 48
/** Milliseconds on a clock that goes on: a module that is compiled, or a file that is read, takes some of them, and no timer. */
const PATIENCE_MS = 20_000

const { setImmediate } = globalThis

/** Resolves after so many turns of the event loop, in which no time passes. */
export async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * What a verifier is made with that computes in virtual time. Relaxed SIMD has what it finds false confirmed by the baseline, which is a file
 * that is read then, and time would pass meanwhile.
 */
export const INSTANT = { workers: 0, cache: false, kernel: 'simd128' } as const

export class VirtualTime {
  /** From here on, until `end`, time is virtual. */
  begin(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  }

  end(): void {
    vi.useRealTimers()
  }

  /** Does something in virtual time. */
  async during(act: () => Promise<void>): Promise<void> {
    this.begin()
    try {
      await act()
    } finally {
      this.end()
    }
  }

  /** Timers that have not gone off. */
  get timers(): number {
    return vi.getTimerCount()
  }

  /** Lets time pass until a promise settles, and what it settles with; throws where it takes longer than `atMostMs`, or for ever. */
  async until<T>(promise: PromiseLike<T>, atMostMs: number = 3_600_000): Promise<T> {
    let isSettled = false
    const settle = (): void => void (isSettled = true)
    promise.then(settle, settle)
    const end = performance.now() + atMostMs
    while (!(await isTrueWithin(TURNS, () => isSettled))) {
      if (this.timers > 0) vi.advanceTimersToNextTimer()
      else if (!(await isTrueInTime(() => isSettled || this.timers > 0)))
        throw new Error('it waits for ever: no timer is left that could end it')
      if (performance.now() > end) throw new Error(`it has not ended in ${atMostMs} ms`)
    }
    return await promise
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    await this.until(new Promise<void>((resolve) => setTimeout(resolve, ms)), ms)
  }

  /** Lets all timers go off; throws where they never end. */
  async drain(atMostMs: number): Promise<void> {
    const end = performance.now() + atMostMs
    await turns(TURNS)
    while (this.timers > 0) {
      if (performance.now() > end) throw new Error(`${this.timers} timers are left after ${atMostMs} ms`)
      vi.advanceTimersToNextTimer()
      await turns(TURNS)
    }
  }
}

async function isTrueWithin(count: number, isTrue: () => boolean): Promise<boolean> {
  for (let at = 0; at < count && !isTrue(); at++) await turns(1)
  return isTrue()
}

async function isTrueInTime(isTrue: () => boolean): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS
  while (!isTrue() && Date.now() < end) await turns(1)
  return isTrue()
}
