/** The headers of a light client for one block, however far back that is: the way there is walked before its columns are asked for, which has a deadline. */
import { BeaconEndpoints, readUrls } from '../../beacon/endpoints.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import { Clock } from '../../light-client/clock.ts'
import type { LightClient } from '../../light-client/index.ts'
import { ClientHeaders } from '../../proxy/headers/client-headers.ts'
import type { BlockId, HeaderSource } from '../../sampler/index.ts'
import { MAX_TIMER_MS } from '../../util/timers.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf, type LightClientOptions } from '../options/light-client.ts'
import type { SamplePrinter } from './printers.ts'

/** How often it is told how far the way back has come, in milliseconds. */
const TELL_MS = 1_000

/** Which block is wanted, and of whom its header is asked. */
export interface WayBackOptions extends LightClientOptions {
  readonly block: BlockId
  /** How many slots before the finalized header are followed back. */
  readonly history: number
}

/** Where headers are, until nobody needs them any more. */
export interface WayBack {
  readonly headers: HeaderSource
  dispose(): void
}

/** Walks the way from the client's headers to a block; what keeps it from coming there, the headers say. Rejects with the signal's reason. */
export async function walkBack(
  client: LightClient,
  options: WayBackOptions,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<WayBack> {
  const { beacon, network, history, block, timeout } = options
  const now = clockOf(options)
  const timeoutMs = Math.min(timeout * 1000, MAX_TIMER_MS)
  const endpoints = new BeaconEndpoints(readUrls([...beacon]), {
    ...{ fetch: wordedFetch, now, timeoutMs, random: Math.random },
  })
  const headers = new ClientHeaders(client, {
    ...{ endpoints, history, clock: new Clock(resolveNetwork(network), now) },
  })
  const telling = setInterval(() => {
    const way = headers.wayTo(block)
    if (way !== null) printer.followingBack(way.slot, way.reached)
  }, TELL_MS)
  try {
    await headers.resolve(block, signal)
  } catch (error) {
    headers.dispose()
    throw error
  } finally {
    clearInterval(telling)
  }
  return {
    headers: { resolve: async (id, { signal: until }) => await headers.resolve(id, until) },
    dispose: () => headers.dispose(),
  }
}
