/** One signal for many: platforms warn of leaks where one has more than ten listeners. */

/** Signals that are aborted with their source, on which all of them together have one listener. */
export class SignalFan {
  readonly #source: AbortSignal
  readonly #branches = new Set<AbortController>()
  readonly #abort = (): void => {
    for (const branch of this.#branches) branch.abort(this.#source.reason)
  }

  constructor(source: AbortSignal) {
    this.#source = source
    source.addEventListener('abort', this.#abort, { once: true })
  }

  /** Work with a signal of its own. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const branch = new AbortController()
    if (this.#source.aborted) branch.abort(this.#source.reason)
    this.#branches.add(branch)
    try {
      return await work(branch.signal)
    } finally {
      this.#branches.delete(branch)
    }
  }

  /** Lets go of the source; work that still goes on is aborted. */
  release(): void {
    this.#source.removeEventListener('abort', this.#abort)
    for (const branch of this.#branches) branch.abort(new DOMException('nobody waits for it', 'AbortError'))
  }
}
