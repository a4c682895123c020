/** What each endpoint, archive and file did for one block, counted as it happens: the `endpoints` of a report. */
import type { Send } from '../../beacon/endpoint.ts'
import type { BeaconFailure } from '../../beacon/failure.ts'
import type { EndpointShare } from '../report.ts'

type Refused = EndpointShare['refused'][number]

/** Failures that are listed; the first of many say what there is to say. */
const MAX_LISTED = 32

/** One endpoint's tally. */
export class EndpointTally {
  readonly #endpoint: string
  readonly #asked = new Set<number>()
  readonly #verified = new Set<number>()
  readonly #notDelivered = new Set<number>()
  readonly #refused: Refused[] = []
  readonly #failures: EndpointShare['failures'][number][] = []
  requests = 0
  bytes = 0
  unrequested = 0
  duplicates = 0
  /** Whether its last request failed. */
  isFailing = false

  constructor(endpoint: string) {
    this.#endpoint = endpoint
  }

  ask(indices: readonly number[]): void {
    this.requests++
    for (const index of indices) this.#asked.add(index)
  }

  verify(index: number): void {
    this.#verified.add(index)
  }

  withhold(index: number): void {
    this.#notDelivered.add(index)
  }

  /** Whether anything that it delivered was verified. */
  get isOfBlock(): boolean {
    return this.#verified.size > 0
  }

  /** Whether it lacked something that it was asked for. */
  get isLacking(): boolean {
    return this.#notDelivered.size > 0
  }

  refuse(refused: Refused): void {
    this.#refused.push(refused)
  }

  fail({ kind, message }: Pick<BeaconFailure, 'kind' | 'message'>): void {
    this.isFailing = true
    if (this.#failures.length < MAX_LISTED) this.#failures.push({ kind, detail: message })
  }

  report(): EndpointShare {
    return {
      endpoint: this.#endpoint,
      requests: this.requests,
      bytes: this.bytes,
      asked: [...this.#asked],
      verified: [...this.#verified],
      notDelivered: [...this.#notDelivered],
      refused: [...this.#refused],
      unrequested: this.unrequested,
      duplicates: this.duplicates,
      failures: [...this.#failures],
    }
  }
}

/** Tallies by the name of who did it; one is begun where there is none yet. */
export interface Tallies {
  of(name: string): Pick<EndpointTally, 'requests' | 'bytes' | 'fail'>
  /** What requests are sent with, where somebody follows which of them wait for their turn. */
  readonly send?: Send
}
