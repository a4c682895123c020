/** A way back that is walked in steps, for several who want to come to different slots of it. */

/** How a way is walked. */
export interface WalkOptions {
  /** One step towards a slot; whether that is reached. Rejects where there is no way on. */
  readonly step: (slot: number) => Promise<boolean>
  /** Whether the way to another slot leads over all of the way to one, and ends where that one does. */
  readonly isBehind: (other: number, slot: number) => boolean
}

/** One step at a time, for each slot in turn, unless another one lies on the way to it: that is nearer, and goes first. */
export class Walk {
  readonly #options: WalkOptions
  readonly #wanted = new Map<number, Deferred>()
  #isWalking = false

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /**
   * Resolves when a slot is reached. Rejects where there is no way on to it, or to one that it is behind. The way is walked to its end, whoever
   * goes on waiting.
   */
  to(slot: number): Promise<void> {
    const wanted = this.#wanted.get(slot) ?? deferred()
    this.#wanted.set(slot, wanted)
    if (!this.#isWalking) void this.#walk()
    return wanted.promise
  }

  async #walk(): Promise<void> {
    this.#isWalking = true
    for (let [next] = this.#wanted; next !== undefined; [next] = this.#wanted) {
      // Behind the others, next time.
      this.#wanted.delete(next[0])
      this.#wanted.set(...next)
      let [slot] = next
      for (const other of this.#wanted.keys()) if (this.#options.isBehind(slot, other)) slot = other
      try {
        if (!(await this.#options.step(slot))) continue
        this.#wanted.get(slot)?.resolve()
        this.#wanted.delete(slot)
      } catch (error) {
        for (const [other, { reject }] of [...this.#wanted]) {
          if (other !== slot && !this.#options.isBehind(other, slot)) continue
          this.#wanted.delete(other)
          reject(error)
        }
      }
    }
    this.#isWalking = false
  }
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function deferred(): Deferred {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]))
  // Nobody may be waiting.
  promise.catch(() => {})
  return { promise, resolve: () => resolve(), reject: (error) => reject(error) }
}
