/** What is made when it is wanted first, and shared with everyone who wants it later; made again where that failed. */
export class Once<T> {
  readonly #make: () => Promise<T>
  #begun: Promise<T> | undefined
  #made: T | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  /** Rejects as making it does. */
  get(): Promise<T> {
    return (this.#begun ??= this.#make().then(
      (made) => (this.#made = made),
      (cause: unknown) => {
        // Before those who wait are told: whoever asks again then has it made again. The network may be back.
        this.#begun = undefined
        throw cause
      },
    ))
  }

  /** What has been made, or is being made; undefined where nobody has asked for it, and where it failed. */
  get begun(): Promise<T> | undefined {
    return this.#begun
  }

  /** What has been made; undefined before. */
  get made(): T | undefined {
    return this.#made
  }
}
