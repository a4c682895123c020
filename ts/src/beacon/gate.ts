/** So many at the same time, the others in the order in which they came. */

export class Gate {
  readonly #width: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(width: number) {
    this.#width = width
  }

  /** Resolves when it is one's turn; whoever entered must leave. Rejects with the signal's reason. */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#inside < this.#width) {
      this.#inside++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(signal?.reason as Error)
      }
      const turn = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(turn)
    })
  }

  /** Lets the next one in, in one's place. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside--
    else next()
  }
}
