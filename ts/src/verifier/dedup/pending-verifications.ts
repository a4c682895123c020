/**
 * The verifications under way, by digest: a unit is looked up in the cache once and verified once, however many deliver it.
 * One covers the look-up, the verification and the entry into the cache, without a gap for a second one to start. Only the KZG result is
 * shared; what else is checked was checked for each item before it came here.
 */
import type { Origin, VerdictStore } from '../cache/layered.ts'
import type { HashedUnit, Unit } from '../checks/protocol.ts'
import { DisposedError } from '../../runtime/errors.ts'
import { crashedOutcome, type UnitOutcome } from '../../verdict/verdict.ts'
import type { Call } from '../call.ts'
import type { Tracer } from '../trace.ts'
import { Refusals } from './refusals.ts'

/**
 * Where an outcome is from: `kzg`: it was computed now. `session`: this verifier found these bytes valid before. `storage`: the cache
 * that was handed in, or that outlives the session, says so. `refusals`: these bytes were refused before, in this session.
 */
export type OutcomeOrigin = 'kzg' | 'session' | 'storage' | 'refusals'

/** What a pending verification ends with, for everyone who subscribed to it. */
export interface SharedOutcome {
  readonly outcome: UnitOutcome
  readonly origin: OutcomeOrigin
  /** Everyone who delivered these bytes; one list for all their verdicts, however many they are, and frozen there. */
  readonly sources: readonly string[]
}

/** Makes the bytes of a unit once more; null where that cannot be done. */
export type RemakeUnit = () => Promise<HashedUnit | null>

/** How many subscribers are asked for a unit that a crash took. */
const MAX_REMAKERS = 4

/** A unit on its way to a verdict, shared by everyone who delivered the same bytes meanwhile. */
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

  /**
   * The unit's bytes anew, of the first of those who wait that can make them. They are asked one after the other: one of them may have overwritten its
   * memory, or there may be no room for a copy, which must not cost the others. Null where nobody can.
   */
  async remake(): Promise<HashedUnit | null> {
    let left = MAX_REMAKERS
    for (const remake of this.#subscribers) {
      if (left-- === 0) break
      const bytes = await remake().catch(() => null)
      if (bytes !== null) return bytes
    }
    return null
  }

  /** Sees to it that its bytes are here; false where nobody can make them. A crash may have taken them while nobody waited. */
  async recall(): Promise<boolean> {
    if (this.unit.bytes.length > 0) return true
    const bytes = await this.remake()
    if (bytes !== null) this.unit.bytes = bytes
    return bytes !== null
  }

  get sources(): ReadonlySet<string> {
    return this.#sources
  }

  /** `sources`: everyone to name, if more than those who subscribed are known. */
  settle(outcome: UnitOutcome, origin: OutcomeOrigin, sources: Iterable<string> = this.#sources): void {
    this.#settle({ outcome, origin, sources: [...sources] })
  }

  /** Nobody waits for it after this. */
  fail(cause: Error): void {
    this.#subscribers.clear()
    this.#fail(cause)
  }
}

/** A unit that passed the checks, of one item. */
export interface VerificationRequest {
  readonly unit: Unit
  readonly source: string | undefined
  readonly remake: RemakeUnit
  /** The call that the item is of, and its place there. */
  readonly call: Call
  readonly at: number
}

/** A request's share in a pending verification. */
export interface Subscription {
  readonly pending: PendingVerification
  /** Whether this request started the verification, or joined it. */
  readonly isFirst: boolean
  /** Gives it up: the other subscribers go on. */
  readonly cancel: () => void
}

/**
 * Verifies units by KZG, together: an outcome for each, or null where nobody waited for it any more when its turn came, or after a crash, which may have
 * taken its bytes.
 */
export type VerifyUnits = (pending: readonly PendingVerification[]) => readonly Promise<UnitOutcome | null>[]

/** All verifications under way in one verifier. */
export class PendingVerifications {
  readonly #byDigest = new Map<string, PendingVerification>()
  readonly #refusals = new Refusals()
  readonly #cache: VerdictStore | null
  readonly #verify: VerifyUnits
  readonly #trace: Tracer | undefined
  /** Why nothing is begun any more. */
  #cause: Error | undefined

  /** `verify` is asked about what the cache does not know. Without a cache nothing is remembered, neither good nor bad. */
  constructor(cache: VerdictStore | null, verify: VerifyUnits, trace: Tracer | undefined) {
    this.#cache = cache
    this.#verify = verify
    this.#trace = trace
  }

  /** Subscribes units of one call; new ones are looked up together and verified together. */
  subscribe(requests: readonly VerificationRequest[]): Subscription[] {
    const started: PendingVerification[] = []
    const subscriptions = requests.map((request) => {
      const { unit, source, remake } = request
      let pending = this.#byDigest.get(unit.digest)
      const isFirst = pending === undefined
      if (pending === undefined) {
        pending = new PendingVerification(unit)
        this.#byDigest.set(unit.digest, pending)
        started.push(pending)
      }
      pending.subscribe(source, remake)
      this.#trace?.join(pending, request)
      return { pending, isFirst, cancel: () => pending.unsubscribe(remake) }
    })
    if (this.#cause !== undefined) this.failAll(this.#cause)
    else if (started.length > 0) void this.#start(started)
    return subscriptions
  }

  /** Ends all without a verdict, those to come included. */
  failAll(cause: Error): void {
    this.#cause = cause
    for (const pending of this.#byDigest.values()) pending.fail(cause)
    this.#byDigest.clear()
  }

  async #start(started: readonly PendingVerification[]): Promise<void> {
    const ended = this.#trace?.lookUp(started, this.#cache)
    const known = await this.#cache?.lookUp(started.map(({ unit }) => unit.digest))
    ended?.()
    // No empty list where there is no cache: what a script puts on prototypes would be found in it.
    this.#verifyAll(started.filter((pending, at) => !this.#isKnown(pending, known?.[at])))
  }

  /**
   * Settles what was found out about the same bytes before. A refusal of this session comes first, whatever storage says. The session's own
   * memory never has what is refused: bytes are verified anew only where neither of the two knows them.
   */
  #isKnown(pending: PendingVerification, valid: Origin | null | undefined): boolean {
    const refused = this.#cache && this.#refusals.recall(pending.unit.digest, pending.sources)
    if (refused)
      pending.settle(refused.refusal, 'refusals', new Set([...refused.sources, ...pending.sources]))
    else if (valid) pending.settle('valid', valid)
    else return false
    this.#forget(pending)
    return true
  }

  #verifyAll(all: readonly PendingVerification[]): void {
    const outcomes = this.#verify(all)
    all.forEach((pending, at) => void this.#finish(pending, outcomes[at]!))
  }

  /** What is valid enters the cache before the next request can ask for it. */
  async #finish(pending: PendingVerification, verified: Promise<UnitOutcome | null>): Promise<void> {
    const { digest } = pending.unit
    try {
      const outcome = await verified
      if (outcome === null) {
        // Someone may have subscribed since it was given up.
        if (pending.isAbandoned) this.#forget(pending)
        else if (await pending.recall()) this.#verifyAll([pending])
        else this.#end(pending, crashedOutcome)
        return
      }
      if (outcome === 'valid') await this.#cache?.add([digest])
      else if (outcome.status !== 'error') this.#refusals.remember(digest, outcome, pending.sources)
      this.#end(pending, outcome)
    } catch (cause) {
      // Disposed of: nothing else rejects.
      this.#forget(pending)
      pending.fail(cause instanceof Error ? cause : new DisposedError())
    }
  }

  #end(pending: PendingVerification, outcome: UnitOutcome): void {
    this.#forget(pending)
    pending.settle(outcome, 'kzg')
  }

  #forget(pending: PendingVerification): void {
    if (this.#byDigest.get(pending.unit.digest) === pending) this.#byDigest.delete(pending.unit.digest)
  }
}
