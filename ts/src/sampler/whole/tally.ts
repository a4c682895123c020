/** What endpoints, archives and files did for a fallback, beside what they did for columns. */
import type { EndpointShare } from '../../block-data/report.ts'
import { EndpointTally, type Tallies } from '../../block-data/requests/tally.ts'

/** What endpoints, archives and files did for a fallback, by name. The lists stay empty, since those are about columns. */
export class FallbackTally implements Tallies {
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
