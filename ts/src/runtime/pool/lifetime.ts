/** The time for which a worker is there. It may end while somebody waits for what the worker is at. */
import type { WorkerCrashed } from '../errors.ts'

/** The time for which a worker is there, or the calling thread in its place. */
export class Lifetime {
  readonly #waiting = new Set<(cause: WorkerCrashed) => void>()
  #cause: WorkerCrashed | undefined

  /** Why it has ended; `undefined` as long as it lasts. */
  get cause(): WorkerCrashed | undefined {
    return this.#cause
  }

  /** Ends it, once: whoever waits is told why, and so is whoever comes later. */
  end(cause: WorkerCrashed): void {
    this.#cause ??= cause
    for (const reject of this.#waiting) reject(this.#cause)
    this.#waiting.clear()
  }

  /**
   * What a promise resolves to, unless the lifetime ends first; a task of the calling thread may have its result at once. Not a race
   * with a promise of the end: each would leave its result behind there, for as long as the worker lives.
   */
  outlast<T>(promise: T | PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#cause) reject(this.#cause)
      else this.#waiting.add(reject)
      Promise.resolve(promise).then(
        (value) => {
          this.#waiting.delete(reject)
          resolve(value)
        },
        (reason: unknown) => {
          this.#waiting.delete(reject)
          reject(reason as Error)
        },
      )
    })
  }
}
