/** What is started when it is wanted first, since most users never want it: a worker with its script and module. */

/** Something that is started once it is wanted, again where that failed, and disposed of with its owner. */
export class OnDemand<T extends { dispose(): void }> {
  readonly #start: () => Promise<T>
  #started: Promise<T> | undefined
  #disposed = false

  constructor(start: () => Promise<T>) {
    this.#start = start
  }

  /** What was started, or is started now. Rejects as the start does, after which the next call starts again. */
  async get(): Promise<T> {
    this.#started ??= this.#start()
    try {
      const started = await this.#started
      if (this.#disposed) started.dispose()
      return started
    } catch (cause) {
      this.#started = undefined // the network may be back next time
      throw cause
    }
  }

  /** Disposes of what was started, and of what is being started. */
  dispose(): void {
    this.#disposed = true
    this.#started?.then((started) => started.dispose()).catch(() => {})
  }
}
