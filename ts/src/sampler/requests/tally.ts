/** What each endpoint, archive and file did for one block, counted as it happens: the `endpoints` of a report. */
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

  /** Whether it lacked something that it was asked for. */
  get isLacking(): boolean {
    return this.#notDelivered.size > 0
  }

  refuse(refused: Refused): void {
    this.#refused.push(refused)
  }

  fail({ kind, message }: Pick<BeaconFailure, 'kind' | 'message'>): void {
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

/** What endpoints, archives and files did for a fallback, by name. The lists stay empty, since those are about columns. */
export class FallbackTally {
  readonly #tallies = new Map<string, EndpointTally>()

  of(name: string): EndpointTally {
    const known = this.#tallies.get(name) ?? new EndpointTally(name)
    this.#tallies.set(name, known)
    return known
  }

  /** A report's shares with what was done for the fallback added; those that had none yet come last. */
  addedTo(shares: readonly EndpointShare[]): EndpointShare[] {
    const known = new Set(shares.map(({ endpoint }) => endpoint))
    const others = [...this.#tallies].filter(([name]) => !known.has(name))
    return [
      ...shares.map((share) => added(share, this.#tallies.get(share.endpoint)?.report())),
      ...others.map(([, tally]) => tally.report()),
    ]
  }
}

function added(share: EndpointShare, more: EndpointShare | undefined): EndpointShare {
  if (more === undefined) return share
  return {
    ...share,
    requests: share.requests + more.requests,
    bytes: share.bytes + more.bytes,
    failures: [...share.failures, ...more.failures],
  }
}
