/** Whom one sidecar was asked of, and who can still be asked. */
import type { Endpoint } from '../../beacon/endpoint.ts'
import { type BeaconFailure, isTransient } from '../../beacon/failure.ts'
import type { InvalidReason, MalformedReason } from '../../verdict/reasons.ts'
import type { ColumnAttempt, MissingReason } from '../report.ts'

/** How often one endpoint is asked for the same, if it fails in ways that may pass. */
const TRIES = 3
const MAX_LISTED = 64

export class History {
  readonly #attempts: ColumnAttempt[] = []
  /** Who will not be asked again. */
  readonly #done = new Set<Endpoint>()
  readonly #tries = new Map<Endpoint, number>()
  #wasAnswered = false
  #wasFalse = false
  #crashed = false

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
  }

  refused(endpoint: Endpoint, reason: InvalidReason | MalformedReason): void {
    this.#wasAnswered = this.#wasFalse = true
    this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: 'false', reason })
  }

  withheld(endpoint: Endpoint): void {
    this.#wasAnswered = true
    this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: 'not-delivered' })
  }

  failed(endpoint: Endpoint, { kind, message, retryAfterMs }: BeaconFailure): void {
    if (kind === 'not-found') return this.withheld(endpoint)
    // Whoever asks to be left alone for a while is.
    if (isTransient(kind) && retryAfterMs === 0)
      this.#tries.set(endpoint, (this.#tries.get(endpoint) ?? 0) + 1)
    else this.#done.add(endpoint)
    this.#list({ endpoint: endpoint.name, outcome: kind, detail: message })
  }

  /** Our own workers could not say what it is. */
  crashed(): void {
    this.#crashed = true
  }

  /** Why there is none, by the worst that is known. */
  get missing(): MissingReason {
    if (this.#wasFalse) return 'false'
    if (this.#crashed) return 'crashed'
    return this.#wasAnswered ? 'not-delivered' : 'unreachable'
  }

  #list(attempt: ColumnAttempt): void {
    if (this.#attempts.length < MAX_LISTED) this.#attempts.push(attempt)
  }
}
