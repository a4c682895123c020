/** So much at the same time, and the rest in its order. */
import { onAbort } from './signals.ts'

/** More waits already than there is room for. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
  constructor() {
    super('too many requests wait already')
  }
}

interface Waiting {
  readonly weight: number
  readonly enter: () => void
}

/** Places for tasks; who comes first is served first. */
export class Places {
  readonly #width: number
  readonly #room: number
  readonly #waiting = new Set<Waiting>()
  #inside = 0

  /** `width`: the weight of all tasks at the same time. `room`: how many tasks may wait; default: all. */
  constructor(width: number, room: number = Number.POSITIVE_INFINITY) {
    this.#width = width
    this.#room = room
  }

  /** Whether a task of weight 1 would have to wait. */
  get isFull(): boolean {
    return this.#waiting.size > 0 || !this.#fits(1)
  }

  /**
   * Runs a task in its turn, when there are places for its weight; one that is heavier than all places runs alone. Rejects with `BusyError`
   * where there is no room to wait, and with the signal's reason where it is aborted before the task begins.
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal, weight: number = 1): Promise<T> {
    await this.#enter(signal, weight)
    try {
      // It may have been called off when its turn had just come.
      signal?.throwIfAborted()
      return await task()
    } finally {
      this.#inside -= weight
      this.#admit()
    }
  }

  async #enter(signal: AbortSignal | undefined, weight: number): Promise<void> {
    signal?.throwIfAborted()
    if (this.#waiting.size === 0 && this.#fits(weight)) {
      this.#inside += weight
      return
    }
    if (this.#waiting.size >= this.#room) throw new BusyError()
    await new Promise<void>((resolve, reject) => {
      const release =
        signal &&
        onAbort(signal, () => {
          this.#waiting.delete(waiting)
          reject(signal.reason as Error)
          // What it kept waiting may fit.
          this.#admit()
        })
      const waiting: Waiting = {
        weight,
        enter: () => {
          release?.()
          resolve()
        },
      }
      this.#waiting.add(waiting)
    })
  }

  #admit(): void {
    for (const next of this.#waiting) {
      if (!this.#fits(next.weight)) return
      this.#waiting.delete(next)
      this.#inside += next.weight
      next.enter()
    }
  }

  #fits(weight: number): boolean {
    return this.#inside === 0 || this.#inside + weight <= this.#width
  }
}
