/** A map that forgets what was used longest ago. */

/** Values by key, of so much weight together at most. */
export class BoundedMap<K, V> {
  readonly #most: number
  readonly #weightOf: (value: V) => number
  readonly #onForgotten: (key: K) => void
  /** The oldest use first. */
  readonly #entries = new Map<K, V>()
  #weight = 0

  /** `most`: of weight. `weightOf`: default 1 for each value. `onForgotten`: told of what there is no more room for. */
  constructor(
    most: number,
    weightOf: (value: V) => number = () => 1,
    onForgotten: (key: K) => void = () => {},
  ) {
    this.#most = most
    this.#weightOf = weightOf
    this.#onForgotten = onForgotten
  }

  get weight(): number {
    return this.#weight
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value of a key, which is now the last that will be forgotten. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** Keeps a value. What is heavier than all that may be kept is not. */
  set(key: K, value: V): void {
    this.delete(key)
    const weight = this.#weightOf(value)
    if (weight > this.#most) return this.#onForgotten(key)
    this.#entries.set(key, value)
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return
      this.delete(oldest)
      this.#onForgotten(oldest)
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#weightOf(value)
  }
}
