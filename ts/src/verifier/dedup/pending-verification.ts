/**
 * A unit on its way to a verdict, shared by everyone who delivered the same bytes meanwhile. Only the KZG result is
 * shared; what else is checked was checked for each item before it came here.
 */
import type { HashedUnit, Unit } from '../checks/protocol.ts'
import type { UnitOutcome } from '../../verdict/verdict.ts'

/**
 * Where an outcome is from: `kzg`: it was computed now. `session`: this verifier found these bytes valid before. `storage`: the cache
 * that was handed in, or that outlives the session, says so. `refusals`: these bytes were refused before, in this session.
 */
export type OutcomeOrigin = 'kzg' | 'session' | 'storage' | 'refusals'

/** What a pending verification ends with, for everyone who subscribed to it. */
export interface SharedOutcome {
  readonly outcome: UnitOutcome
  readonly origin: OutcomeOrigin
  /** Everyone who delivered these bytes; one list for all their verdicts, however many they are. */
  readonly sources: readonly string[]
}

/** Makes the bytes of a unit once more; null where that cannot be done. */
export type RemakeUnit = () => Promise<HashedUnit | null>

/** How many subscribers are asked for a unit that a crash took. */
const MAX_REMAKERS = 4

export class PendingVerification {
  readonly unit: Unit
  /** Rejects with `DisposedError` alone. */
  readonly settled: Promise<SharedOutcome>
  /** Also those who no longer wait: they did deliver these bytes. */
  readonly #sources: Set<string> = new Set()
  /** Those who wait, by how they can make the unit once more. */
  readonly #subscribers: Set<RemakeUnit> = new Set()
  #settle!: (outcome: SharedOutcome) => void
  #fail!: (cause: Error) => void

  constructor(unit: Unit) {
    this.unit = unit
    this.settled = new Promise((settle, fail) => {
      this.#settle = settle
      this.#fail = fail
    })
    this.settled.catch(() => {}) // nobody may be waiting any more
  }

  /** Whether no one waits for it: then it need not be started. */
  get isAbandoned(): boolean {
    return this.#subscribers.size === 0
  }

  subscribe(source: string | undefined, remake: RemakeUnit): void {
    this.#subscribers.add(remake)
    if (source !== undefined) this.#sources.add(source)
  }

  unsubscribe(remake: RemakeUnit): void {
    this.#subscribers.delete(remake)
  }

  /** Asks those who still wait, one after the other: one who wrote over its memory all the same must not cost the others. */
  async remake(): Promise<HashedUnit | null> {
    for (const remake of [...this.#subscribers].slice(0, MAX_REMAKERS)) {
      const bytes = await remake()
      if (bytes !== null) return bytes
    }
    return null
  }

  get sources(): ReadonlySet<string> {
    return this.#sources
  }

  /** `sources`: everyone to name, if more than those who subscribed are known. */
  settle(outcome: UnitOutcome, origin: OutcomeOrigin, sources: Iterable<string> = this.#sources): void {
    this.#settle({ outcome, origin, sources: [...sources] })
  }

  fail(cause: Error): void {
    this.#fail(cause)
  }
}
