/** So many tasks at the same time, so many that wait for a place, and no more. */
import { onAbort } from '../util/signals.ts'

/** More waits already than there is room for. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
  constructor() {
    super('too many requests wait already')
  }
}

/** Places for tasks; who comes first is served first. */
export class Places {
  readonly #width: number
  readonly #room: number
  readonly #waiting = new Set<() => void>()
  #inside = 0

  /** `width`: tasks at the same time. `room`: how many may wait. */
  constructor(width: number, room: number) {
    this.#width = width
    this.#room = room
  }

  /** Runs a task in its turn. Rejects with `BusyError` where there is no room to wait, and with the signal's reason. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#inside < this.#width) {
      this.#inside++
      return
    }
    if (this.#waiting.size >= this.#room) throw new BusyError()
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        release?.()
        resolve()
      }
      const release =
        signal &&
        onAbort(signal, () => {
          this.#waiting.delete(turn)
          reject(signal.reason as Error)
        })
      this.#waiting.add(turn)
    })
  }

  /** The next one takes the place over. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) return void this.#inside--
    this.#waiting.delete(next)
    next()
  }
}
