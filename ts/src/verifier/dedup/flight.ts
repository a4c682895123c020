/**
 * A unit on its way to a verdict, shared by everyone who delivered the same bytes meanwhile. Only the KZG result is
 * shared; what else is checked was checked for each delivery before it came here.
 */
import type { Unit } from '../checks/delivery.ts'
import type { UnitOutcome } from '../../verdict/verdict.ts'

/** What a flight ends with. */
export type Landing = {
  readonly outcome: UnitOutcome
  /** `memory`: these very bytes were refused before, in this session. */
  readonly via: 'kzg' | 'cache' | 'memory'
  /** Everyone who delivered these bytes; one list for all their verdicts, however many they are. */
  readonly sources: readonly string[]
}

/** Makes the bytes of a unit once more; null where that cannot be done. */
export type Again = () => Promise<Unit['bytes'] | null>

/** How many of those who wait are asked for a unit that a crash took. */
const ASKED_AGAIN = 4

export class Flight {
  readonly unit: Unit
  readonly landing: Promise<Landing>
  /** Also those who no longer wait: they did deliver these bytes. */
  readonly #sources: Set<string> = new Set()
  /** Those who wait, by how they can make the unit once more. */
  readonly #subscribers: Set<Again> = new Set()
  #land!: (landing: Landing) => void
  #fail!: (cause: Error) => void

  constructor(unit: Unit) {
    this.unit = unit
    this.landing = new Promise((land, fail) => {
      this.#land = land
      this.#fail = fail
    })
    this.landing.catch(() => {}) // nobody may be waiting any more
  }

  /** Whether no one waits for it: then it need not be started. */
  get forsaken(): boolean {
    return this.#subscribers.size === 0
  }

  subscribe(source: string | undefined, again: Again): void {
    this.#subscribers.add(again)
    if (source !== undefined) this.#sources.add(source)
  }

  unsubscribe(again: Again): void {
    this.#subscribers.delete(again)
  }

  /** By those who still wait, one after the other, since who wrote over its memory all the same must not cost the others. */
  async again(): Promise<Unit['bytes'] | null> {
    for (const again of [...this.#subscribers].slice(0, ASKED_AGAIN)) {
      const bytes = await again()
      if (bytes !== null) return bytes
    }
    return null
  }

  get sources(): ReadonlySet<string> {
    return this.#sources
  }

  /** `sources`: everyone to name, if more than those of this flight are known. */
  land(outcome: Landing['outcome'], via: Landing['via'], sources: Iterable<string> = this.#sources): void {
    this.#land({ outcome, via, sources: [...sources] })
  }

  fail(cause: Error): void {
    this.#fail(cause)
  }
}
