/** A worker's life, which may end while somebody waits for what it is at. */
import type { WorkerCrashed } from './crash.ts'

/**
 * Not a promise of its end that everybody races: each race would leave its result behind there, for as long as the worker
 * lives.
 */
export class Life {
  readonly #waiting = new Set<(cause: WorkerCrashed) => void>()
  #cause: WorkerCrashed | null = null

  /** Ends it, once: whoever waits is told why, and so is who comes later. */
  end(cause: WorkerCrashed): void {
    this.#cause ??= cause
    for (const reject of this.#waiting) reject(this.#cause)
    this.#waiting.clear()
  }

  /** What a promise resolves to, unless this life ends first; a task of the calling thread may have its result at once. */
  outlast<T>(promise: T | PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#cause !== null) reject(this.#cause)
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
