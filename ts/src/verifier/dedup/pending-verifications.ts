/**
 * The verifications under way, by digest: a unit is looked up in the cache once and verified once, however many deliver it.
 * One covers the look-up, the verification and the entry into the cache, without a gap for a second one to start.
 */
import type { Origin, VerdictStore } from '../cache/layered.ts'
import type { Unit } from '../checks/protocol.ts'
import { DisposedError } from '../../runtime/errors.ts'
import type { UnitOutcome } from '../../verdict/verdict.ts'
import { PendingVerification, type RemakeUnit } from './pending-verification.ts'
import { Refusals } from './refusals.ts'

/** A unit that passed the checks, of one item. */
export interface VerificationRequest {
  readonly unit: Unit
  readonly source: string | undefined
  readonly remake: RemakeUnit
}

/** A request's share in a pending verification. */
export interface Subscription {
  readonly pending: PendingVerification
  /** Whether this request started the verification, or joined it. */
  readonly isFirst: boolean
  /** Gives it up: the other subscribers go on. */
  readonly cancel: () => void
}

/** Verifies units by KZG, together: an outcome for each, or null where nobody waited for it any more when its turn came. */
export type VerifyUnits = (pending: readonly PendingVerification[]) => readonly Promise<UnitOutcome | null>[]

export class PendingVerifications {
  readonly #byDigest = new Map<string, PendingVerification>()
  readonly #refusals = new Refusals()
  readonly #cache: VerdictStore | null
  readonly #verify: VerifyUnits

  /** `verify` is asked about what the cache does not know. Without a cache nothing is remembered, neither good nor bad. */
  constructor(cache: VerdictStore | null, verify: VerifyUnits) {
    this.#cache = cache
    this.#verify = verify
  }

  /** Subscribes units of one call; new ones are looked up together and verified together. */
  subscribe(requests: readonly VerificationRequest[]): Subscription[] {
    const started: PendingVerification[] = []
    const subscriptions = requests.map(({ unit, source, remake }) => {
      let pending = this.#byDigest.get(unit.digest)
      const isFirst = pending === undefined
      if (pending === undefined) {
        pending = new PendingVerification(unit)
        this.#byDigest.set(unit.digest, pending)
        started.push(pending)
      }
      pending.subscribe(source, remake)
      return { pending, isFirst, cancel: () => pending.unsubscribe(remake) }
    })
    if (started.length > 0) void this.#start(started)
    return subscriptions
  }

  /** Ends all without a verdict. */
  failAll(cause: Error): void {
    for (const pending of this.#byDigest.values()) pending.fail(cause)
    this.#byDigest.clear()
  }

  async #start(started: readonly PendingVerification[]): Promise<void> {
    const known = (await this.#cache?.lookUp(started.map(({ unit }) => unit.digest))) ?? []
    this.#verifyAll(started.filter((pending, at) => !this.#isKnown(pending, known[at] ?? null)))
  }

  /** Settles what was found out about the same bytes before. */
  #isKnown(pending: PendingVerification, valid: Origin | null): boolean {
    const { digest } = pending.unit
    const refused = this.#cache === null ? undefined : this.#refusals.recall(digest, pending.sources)
    if (valid === null && refused === undefined) return false
    this.#forget(pending)
    if (valid !== null) pending.settle('valid', valid)
    else if (refused !== undefined)
      pending.settle(refused.refusal, 'refusals', new Set([...refused.sources, ...pending.sources]))
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
        else this.#verifyAll([pending])
        return
      }
      if (outcome === 'valid') await this.#cache?.add([digest])
      else if (outcome.status !== 'error') this.#refusals.remember(digest, outcome, pending.sources)
      this.#forget(pending)
      pending.settle(outcome, 'kzg')
    } catch (cause) {
      // Disposed of: nothing else rejects.
      this.#forget(pending)
      pending.fail(cause instanceof Error ? cause : new DisposedError())
    }
  }

  #forget(pending: PendingVerification): void {
    if (this.#byDigest.get(pending.unit.digest) === pending) this.#byDigest.delete(pending.unit.digest)
  }
}
