/** So much at the same time, and the rest in its order. */
import { abortable } from '../util/signals.ts'

interface Waiting {
  readonly weight: number
  readonly enter: () => void
}

export class Limit {
  readonly #most: number
  readonly #waiting: Waiting[] = []
  #inside = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Runs a task in its turn, when there is room for its weight; one that weighs more than there is room for runs alone. Rejects with the
   * signal's reason, also while it waits.
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>, weight: number = 1): Promise<T> {
    await this.#enter(signal, weight)
    try {
      return await task()
    } finally {
      this.#leave(weight)
    }
  }

  async #enter(signal: AbortSignal, weight: number): Promise<void> {
    let waiting: Waiting | undefined
    await abortable(
      signal,
      () =>
        new Promise<void>((enter) => {
          waiting = { weight, enter }
          this.#waiting.push(waiting)
          this.#admit()
        }),
      () => {
        const at = waiting === undefined ? -1 : this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
        // Its turn had just come.
        else this.#leave(weight)
        // What it kept waiting may fit.
        this.#admit()
      },
    )
  }

  #leave(weight: number): void {
    this.#inside -= weight
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#inside > 0 && this.#inside + next.weight > this.#most) return
      this.#waiting.shift()
      this.#inside += next.weight
      next.enter()
    }
  }
}
