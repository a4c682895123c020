/** The clock of a made chain. */

export interface ChainClock {
  /** Milliseconds of Unix time. */
  now(): number
  /** The latest slot that has begun. */
  readonly slot: number
  /** Calls back when a slot begins, until what comes back is called. */
  onSlot(callback: () => void): () => void
}

export interface ClockOptions {
  /** The slot at the start. */
  readonly slot: number
  readonly secondsPerSlot: number
  /** Unix time of slot 0, in seconds. */
  readonly genesisTime?: number | undefined
}

/** A clock that runs as ours does; without a genesis time of its own it is so old that the given slot begins now. */
export class RunningClock implements ChainClock {
  readonly genesisTime: number
  readonly #secondsPerSlot: number

  constructor({ slot, secondsPerSlot, genesisTime }: ClockOptions) {
    this.genesisTime = genesisTime ?? Math.floor(Date.now() / 1000) - slot * secondsPerSlot
    this.#secondsPerSlot = secondsPerSlot
  }

  now(): number {
    return Date.now()
  }

  get slot(): number {
    return Math.floor((Date.now() / 1000 - this.genesisTime) / this.#secondsPerSlot)
  }

  onSlot(callback: () => void): () => void {
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      const nextAt = (this.genesisTime + (this.slot + 1) * this.#secondsPerSlot) * 1000
      timer = setTimeout(
        () => {
          wait()
          callback()
        },
        Math.max(nextAt - Date.now(), 1),
      )
    }
    wait()
    return () => clearTimeout(timer)
  }
}

/** A clock that stands still, a second into a slot, until it is moved on. Without a genesis time of its own it has the same one each time. */
export class HandClock implements ChainClock {
  readonly genesisTime: number
  readonly #secondsPerSlot: number
  readonly #callbacks = new Set<() => void>()
  #slot: number

  constructor({ slot, secondsPerSlot, genesisTime = 1_700_000_000 }: ClockOptions) {
    this.genesisTime = genesisTime
    this.#slot = slot
    this.#secondsPerSlot = secondsPerSlot
  }

  now(): number {
    return (this.genesisTime + this.#slot * this.#secondsPerSlot) * 1000 + 500
  }

  get slot(): number {
    return this.#slot
  }

  /** Slot by slot, so that nobody who listens misses one. */
  advance(slots: number): void {
    for (let at = 0; at < slots; at++) {
      this.#slot++
      for (const callback of [...this.#callbacks]) callback()
    }
  }

  onSlot(callback: () => void): () => void {
    this.#callbacks.add(callback)
    return () => void this.#callbacks.delete(callback)
  }
}
