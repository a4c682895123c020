/** Headers from a checkpoint, or on the endpoints' word: the one or the other, followed in the background. */
import { BeaconEndpoints, readUrls } from '../../beacon/endpoints.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import type { Fetch } from '../../beacon/request.ts'
import { Clock } from '../../light-client/clock.ts'
import { LightClient } from '../../light-client/light-client.ts'
import type { StoreOption } from '../../light-client/store/record-store.ts'
import type { OnNews } from '../news.ts'
import { EndpointHeaders } from './endpoint-headers.ts'
import { FollowedChain } from './followed-chain.ts'
import type { KnownHeaders } from './known-header.ts'

/** Requests for headers and blocks that one endpoint gets at the same time. */
const REQUESTS_PER_ENDPOINT = 16

/** Options of `openHeaders`. */
export interface OpenHeadersOptions {
  readonly network: NetworkName | NetworkConfig
  /** Root of a finalized block that the user trusts; null: headers are taken on the endpoints' word. */
  readonly checkpoint: string | null
  /** URLs of endpoints, none of which is trusted. */
  readonly beacon: readonly string[]
  readonly store: StoreOption
  readonly allowStale: boolean
  /** How many slots before the finalized header are followed back. */
  readonly history: number
  readonly fetch: Fetch
  /** Milliseconds of Unix time. */
  readonly now: () => number
  readonly timeoutMs: number
  /** Told of what goes wrong with the chain that is followed, and of what comes right again. */
  readonly onNews: OnNews
}

/** Headers, which are known once `follow` has been called, and as long as it has not resolved. See `FollowedChain.follow` for what it rejects with. */
export type FollowedHeaders = KnownHeaders & { follow(signal: AbortSignal): Promise<void> }

/** The headers, and the endpoints that they are asked of, for other questions. Throws `TypeError` for what are no URLs, and for a config that makes no sense. */
export function openHeaders(options: OpenHeadersOptions): {
  readonly headers: FollowedHeaders
  readonly endpoints: BeaconEndpoints
} {
  const { checkpoint, beacon, network, store, allowStale, history, onNews, fetch, now, timeoutMs } = options
  const endpoints = new BeaconEndpoints(readUrls([...beacon]), {
    ...{ fetch, now, timeoutMs, random: Math.random, atOnce: REQUESTS_PER_ENDPOINT },
  })
  const clock = new Clock(resolveNetwork(network), now)
  if (checkpoint === null)
    return { headers: new EndpointHeaders(endpoints, clock, network, onNews), endpoints }
  const headers = new FollowedChain({
    ...{ endpoints, clock, history, onNews },
    start: async (signal) =>
      await LightClient.fromCheckpoint({
        ...{ network, checkpoint, beacon, store, allowStale, fetch, now, timeoutMs, signal },
      }),
  })
  return { headers, endpoints }
}
