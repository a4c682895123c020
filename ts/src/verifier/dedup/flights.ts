/**
 * The units in flight, by digest: a unit is looked up in the cache once and verified once, however many deliver it.
 * A flight covers the look-up, the verification and the entry into the cache, without a gap for a second one to start.
 */
import type { VerdictCache } from '../cache/cache.ts'
import type { Unit } from '../checks/delivery.ts'
import { type Again, Flight } from './flight.ts'
import { Refusals } from './refusals.ts'

/** A unit that passed the checks, of one delivery. */
export interface Passenger {
  readonly unit: Unit
  readonly source: string | undefined
  readonly again: Again
}

export interface Boarding {
  readonly flight: Flight
  /** Whether this delivery started the flight, or joined one. */
  readonly first: boolean
  /** Gives it up: the others on it go on. */
  readonly leave: () => void
}

export class Flights {
  readonly #byDigest = new Map<string, Flight>()
  readonly #refusals = new Refusals()
  readonly #cache: VerdictCache | null
  /** Where flights go that the cache does not know. */
  readonly #onward: (flights: readonly Flight[]) => void

  constructor(cache: VerdictCache | null, onward: (flights: readonly Flight[]) => void) {
    this.#cache = cache
    this.#onward = onward
  }

  /** Boards units of one call, each with its source; new ones are looked up together and go onward together. */
  board(passengers: readonly Passenger[]): Boarding[] {
    const started: Flight[] = []
    const boardings = passengers.map(({ unit, source, again }) => {
      let flight = this.#byDigest.get(unit.digest)
      const first = flight === undefined
      if (flight === undefined) {
        flight = new Flight(unit)
        this.#byDigest.set(unit.digest, flight)
        started.push(flight)
      }
      flight.subscribe(source, again)
      return { flight, first, leave: () => flight.unsubscribe(again) }
    })
    if (started.length > 0) void this.#depart(started)
    return boardings
  }

  async #depart(flights: readonly Flight[]): Promise<void> {
    let known: readonly boolean[] = []
    try {
      known = (await this.#cache?.has(flights.map(({ unit }) => unit.digest))) ?? []
    } catch {
      // A cache that fails knows nothing.
    }
    this.#onward(flights.filter((flight, at) => !this.#isKnown(flight, known[at] === true)))
  }

  /** Lands a flight whose bytes were judged before. Without a cache nothing is remembered, neither good nor bad. */
  #isKnown(flight: Flight, isValid: boolean): boolean {
    const { digest } = flight.unit
    const refused = this.#cache === null ? undefined : this.#refusals.recall(digest, flight.sources)
    if (!isValid && refused === undefined) return false
    this.drop(flight)
    if (isValid) flight.land('valid', 'cache')
    else if (refused !== undefined)
      flight.land(refused.refusal, 'memory', new Set([...refused.sources, ...flight.sources]))
    return true
  }

  /** Ends a flight that was verified. What is valid enters the cache before the next delivery can ask for it. */
  async arrive(flight: Flight, outcome: Parameters<Flight['land']>[0]): Promise<void> {
    const { digest } = flight.unit
    if (outcome === 'valid') await this.#cache?.add([digest]).catch(() => {})
    else if (outcome.status !== 'error') this.#refusals.remember(digest, outcome, flight.sources)
    this.#byDigest.delete(digest)
    flight.land(outcome, 'kzg')
  }

  /** Ends a flight that nobody waits for and that was not started. */
  drop(flight: Flight): void {
    if (this.#byDigest.get(flight.unit.digest) === flight) this.#byDigest.delete(flight.unit.digest)
  }

  /** Ends all flights without a verdict. */
  failAll(cause: Error): void {
    for (const flight of this.#byDigest.values()) flight.fail(cause)
    this.#byDigest.clear()
  }
}
