/** Headers from a checkpoint, or on the endpoints' word: the one or the other, followed in the background. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { Fetch } from '../../beacon/request.ts'
import type { Clock } from '../../light-client/clock.ts'
import { LightClient } from '../../light-client/light-client.ts'
import type { StoreOption } from '../../light-client/store/record-store.ts'
import { EndpointHeaders } from './endpoint-headers.ts'
import { FollowedChain } from './followed-chain.ts'
import type { KnownHeaders } from './known-header.ts'

/** Options of `openHeaders`. */
export interface OpenHeadersOptions {
  readonly network: NetworkName | NetworkConfig
  /** Root of a finalized block that the user trusts; null: headers are taken on the endpoints' word. */
  readonly checkpoint: string | null
  /** URLs that the light client asks. */
  readonly beacon: readonly string[]
  /** The same endpoints, for the headers of old blocks. */
  readonly endpoints: BeaconEndpoints
  readonly clock: Clock
  readonly store: StoreOption
  readonly allowStale: boolean
  /** How many slots before the finalized header are followed back. */
  readonly history: number
  readonly fetch: Fetch
  /** Milliseconds of Unix time. */
  readonly now: () => number
  readonly timeoutMs: number
  /** Told of what goes wrong with the chain that is followed, and of what comes right again. */
  readonly onNews: (text: string, isTrouble: boolean) => void
}

/** Headers, which are known once `follow` has been called, and as long as it has not resolved. See `FollowedChain.follow` for what it rejects with. */
export type FollowedHeaders = KnownHeaders & { follow(signal: AbortSignal): Promise<void> }

export function openHeaders(options: OpenHeadersOptions): FollowedHeaders {
  const { checkpoint, beacon, network, store, allowStale, history, onNews, endpoints, clock } = options
  if (checkpoint === null) return new EndpointHeaders(endpoints, clock)
  const { fetch, now, timeoutMs } = options
  return new FollowedChain({
    ...{ endpoints, clock, history, onNews },
    start: async (signal) =>
      await LightClient.fromCheckpoint({
        ...{ network, checkpoint, beacon, store, allowStale, fetch, now, timeoutMs, signal },
      }),
  })
}
