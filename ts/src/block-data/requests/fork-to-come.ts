/**
 * Answers that are of a fork to come, by the network's config: `unsupported-fork`, for which no one is accused, since the config may be older than
 * the fork's date. It is no more than the endpoint's word, so that others are asked; and where one of them shows of which fork the block is,
 * whoever said otherwise is named for it.
 */
import { isForkToCome } from '../../beacon/consensus-version.ts'
import type { Endpoint } from '../../beacon/endpoint.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import type { VettedNetwork } from '../../beacon/vetted-network.ts'
import type { EndpointTally } from './tally.ts'

/** When a block is, by its network's config: all that is known of its fork before anything of it is here. */
export interface BlockTime {
  readonly network: VettedNetwork
  readonly slot: number
}

/** Throws `BeaconFailure` where a consensus version, of an answer or of what is in it, names a fork to come. */
export function refuseForkToCome(version: string, { network, slot }: BlockTime): void {
  if (isForkToCome(version, network, slot))
    throw new BeaconFailure(
      'unsupported-fork',
      `${version.slice(0, 32)}, a fork that by the network's config has not begun in that slot`,
    )
}

/** Who answered as of a fork to come, with what tells of it in the report. */
export class Ahead {
  readonly #named = new Map<Endpoint, Pick<EndpointTally, 'fail'> | undefined>()

  /** A request failed: as of a fork to come, or otherwise, which is not looked at. */
  add(endpoint: Endpoint, tally: Pick<EndpointTally, 'fail'> | undefined, failure: BeaconFailure): void {
    if (failure.kind === 'unsupported-fork') this.#named.set(endpoint, tally)
  }

  /** The block is of no fork to come, as it, or a sidecar of it, has shown. */
  contradict(): void {
    for (const [endpoint, tally] of this.#named) {
      endpoint.failed(contradicted)
      tally?.fail(contradicted)
    }
    this.#named.clear()
  }
}

const contradicted = new BeaconFailure(
  'malformed',
  'as of a fork to come, of which the block is not: another endpoint showed it',
)
