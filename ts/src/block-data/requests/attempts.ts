/** Of whom one sidecar was requested, what came of it, and who can still be asked. */
import { type Endpoint, TRIES } from '../../beacon/endpoint.ts'
import { type BeaconFailure, isTransient } from '../../beacon/failure.ts'
import type { InvalidReason, MalformedReason } from '../../verdict/reasons.ts'
import type { ColumnAttempt, MissingReason } from '../report.ts'

/** Attempts that are listed in a report; those beyond are not. */
const MAX_LISTED = 64

/** The verifier's reason to refuse what may be true of another block. An honest node may give it, too: some answer for all blocks of a slot. */
export const OF_ANOTHER_BLOCK: InvalidReason = 'header-mismatch'

/** All requests that were made for one sidecar of a block. */
export class SidecarAttempts {
  readonly #attempts: ColumnAttempt[] = []
  /** Who will not be asked again. */
  readonly #done = new Set<Endpoint>()
  readonly #tries = new Map<Endpoint, number>()
  /** Whose answer was complete, and had none. */
  readonly #lackedBy = new Set<Endpoint>()
  readonly #falseOf = new Set<Endpoint>()
  /** Whose answer was complete, and had one of another block in its place. */
  readonly #otherOf = new Set<Endpoint>()
  #wasAnswered = false
  #wasFalse = false
  #crashed = false
  /** Whether one was verified. */
  isThere = false

  get attempts(): readonly ColumnAttempt[] {
    return this.#attempts
  }

  /** How often an endpoint failed at it in a way that may pass; or null where there is no point in asking it again. */
  triesOf(endpoint: Endpoint): number | null {
    const tries = this.#tries.get(endpoint) ?? 0
    return this.#done.has(endpoint) || tries >= TRIES ? null : tries
  }

  delivered(endpoint: Endpoint): void {
    this.#list({ endpoint: endpoint.name, outcome: 'verified' })
    this.isThere = true
  }

  /** `isWhole`: whether the answer that it was in was complete. */
  refused(endpoint: Endpoint, reason: InvalidReason | MalformedReason, isWhole: boolean): void {
    this.#wasAnswered = this.#wasFalse = true
    if (reason !== OF_ANOTHER_BLOCK) this.#falseOf.add(endpoint)
    else if (isWhole) this.#otherOf.add(endpoint)
    this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: 'false', reason })
  }

  /** Its answer was complete, and had no such sidecar. */
  withheld(endpoint: Endpoint): void {
    this.#lackedBy.add(endpoint)
    this.#notDelivered(endpoint)
  }

  /** `isTime`: whether there is time left when it wants to be asked again. */
  failed(endpoint: Endpoint, { kind, message }: BeaconFailure, isTime: boolean): void {
    // It has none; but a node that has not heard of the block has not, either, so that this says nothing of the sidecar.
    if (kind === 'not-found') return this.#notDelivered(endpoint)
    if (isTransient(kind) && isTime) this.#tries.set(endpoint, (this.#tries.get(endpoint) ?? 0) + 1)
    else this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: kind, detail: message })
  }

  /** Our own workers could not say what it sent. Whether another one's is as bad for them is not known. */
  crashed(endpoint: Endpoint): void {
    this.#crashed = true
    this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: 'crashed', detail: 'our own workers crashed on it' })
  }

  /**
   * Whether this endpoint's answer is evidence that there is none: it was complete, and had none, or a false one. One of another block in its
   * place is evidence only of an endpoint that gave any of this block (`isOfBlock`): others may have answered about that other block alone.
   */
  isDeniedBy(endpoint: Endpoint, isOfBlock: boolean): boolean {
    const isLacking = this.#lackedBy.has(endpoint) || (isOfBlock && this.#otherOf.has(endpoint))
    return isLacking || this.#falseOf.has(endpoint)
  }

  /** Names of endpoints whose answer was complete, and had no such sidecar. */
  get lackedBy(): readonly string[] {
    return Array.from(this.#lackedBy, ({ name }) => name)
  }

  /** Why there is none, by the worst that is known. */
  get missing(): MissingReason {
    if (this.#wasFalse) return 'false'
    if (this.#crashed) return 'crashed'
    return this.#wasAnswered ? 'not-delivered' : 'unreachable'
  }

  #notDelivered(endpoint: Endpoint): void {
    this.#wasAnswered = true
    this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: 'not-delivered' })
  }

  #list(attempt: ColumnAttempt): void {
    // What became of it has been told once one is there.
    if (!this.isThere && this.#attempts.length < MAX_LISTED) this.#attempts.push(attempt)
  }
}
