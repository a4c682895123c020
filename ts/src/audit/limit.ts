/** So many at the same time, and the others in their order. */
import { abortable } from '../util/signals.ts'

export class Limit {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Runs a task in its turn. Rejects with the signal's reason, also while it waits. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#inside < this.#most) {
      this.#inside++
      return
    }
    let turn = (): void => {}
    await abortable(
      signal,
      () =>
        new Promise<void>((resolve) => {
          turn = resolve
          this.#waiting.push(turn)
        }),
      () => {
        const at = this.#waiting.indexOf(turn)
        if (at >= 0) this.#waiting.splice(at, 1)
        // Its turn had just come.
        else this.#leave()
      },
    )
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside--
    else next()
  }
}
