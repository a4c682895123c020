/** What is made when it is wanted first, and shared with everyone who wants it later; made again where that failed. */
export class Once<T> {
  readonly #make: () => Promise<T>
  #made: Promise<T> | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  /** Rejects as making it does. */
  get(): Promise<T> {
    return (this.#made ??= this.#make().catch((cause: unknown) => {
      // Before those who wait are told: whoever asks again then has it made again. The network may be back.
      this.#made = undefined
      throw cause
    }))
  }

  /** What has been made, or is being made; undefined where nobody has asked for it, and where it failed. */
  get begun(): Promise<T> | undefined {
    return this.#made
  }
}
