/** What endpoints, archives and files did besides delivering columns, added to what is known of them. */
import type { BeaconFailure } from '../beacon/failure.ts'
import { Share } from './ask/shares.ts'
import type { EndpointShare } from './report.ts'

/** By name. */
export class Doings {
  readonly #shares = new Map<string, Doing>()

  of(name: string): Doing {
    const known = this.#shares.get(name) ?? new Doing(name)
    this.#shares.set(name, known)
    return known
  }

  /** Those that are known with what they did; after them, those that are not. */
  addedTo(shares: readonly EndpointShare[]): EndpointShare[] {
    const known = new Set(shares.map(({ endpoint }) => endpoint))
    const others = [...this.#shares].filter(([name]) => !known.has(name))
    return [
      ...shares.map((share) => added(share, this.#shares.get(share.endpoint)?.report())),
      ...others.map(([, doing]) => doing.report()),
    ]
  }
}

/** One's. Its lists stay empty, since those are about columns. */
class Doing extends Share {
  /** A request that led to nothing. */
  failed(failure: Pick<BeaconFailure, 'kind' | 'message'>): void {
    this.requests++
    this.fail(failure)
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
