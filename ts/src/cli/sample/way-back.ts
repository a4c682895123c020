/** The headers of a light client for one block, however far back that is: the way there is walked before its columns are asked for, which has a deadline. */
import { BeaconEndpoints, readUrls } from '../../beacon/endpoints.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import { Clock } from '../../light-client/clock.ts'
import type { LightClient } from '../../light-client/index.ts'
import { ClientHeaders } from '../../proxy/headers/client-headers.ts'
import { type KnownResolution, LASTING } from '../../proxy/headers/known-header.ts'
import type { BlockId, HeaderSource } from '../../sampler/index.ts'
import { joinSignals } from '../../util/signals.ts'
import { MAX_TIMER_MS } from '../../util/timers.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf, type LightClientOptions, namingHistory } from '../options/light-client.ts'
import type { SamplePrinter } from './printers.ts'

/** How often it is told how far the way back has come, in milliseconds. */
const TELL_MS = 1_000
/** After so many seconds without a header the way is given up: at least, and as a multiple of `--timeout`, within which each request has had all its tries. */
const [LEAST_PATIENCE, TIMEOUTS] = [30, 4]

/** Which block is wanted, and of whom its header is asked. */
export interface WayBackOptions extends LightClientOptions {
  readonly block: BlockId
  /** How many slots before the finalized header are followed back. */
  readonly history: number
}

/** Where headers are, until nobody needs them any more. */
export interface WayBack {
  readonly headers: HeaderSource
  /** Whether the block is unknown for a reason that no trouble of endpoints explains. */
  readonly isExplained: boolean
  dispose(): void
}

/**
 * Walks the way from the client's headers to a block; what keeps it from coming there, the headers say, and that no header comes any more is such a
 * thing. Rejects with the signal's reason.
 */
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
  const resolution = await resolveUnlessStuck(headers, options, printer, signal).catch((error: unknown) => {
    headers.dispose()
    throw error
  })
  return {
    headers: {
      // What it came to nothing for would take as long again.
      resolve: async (id, { signal: until }) =>
        id === block && resolution.status === 'unknown' ? resolution : await headers.resolve(id, until),
    },
    isExplained: resolution.status === 'unknown' && LASTING.has(resolution.reason),
    dispose: () => headers.dispose(),
  }
}

/** The resolution of a block; `unreachable` where the way there comes no further for too long. Rejects with the signal's reason. */
async function resolveUnlessStuck(
  headers: ClientHeaders,
  { block, timeout }: WayBackOptions,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<KnownResolution> {
  const stuck = new AbortController()
  const { either, release } = joinSignals([signal, stuck.signal])
  // By ticks: a machine that slept has asked nobody meanwhile.
  const patience = Math.max(LEAST_PATIENCE, Math.ceil(TIMEOUTS * timeout)) * (1_000 / TELL_MS)
  let [fetched, ticks] = [headers.fetched, 0]
  const telling = setInterval(() => {
    const way = headers.wayTo(block)
    if (way !== null) printer.followingBack(way.slot, way.reached)
    ticks = headers.fetched === fetched ? ticks + 1 : 0
    fetched = headers.fetched
    if (ticks >= patience) stuck.abort()
  }, TELL_MS)
  try {
    return namingHistory(await headers.resolve(block, either))
  } catch (error) {
    if (signal.aborted || !stuck.signal.aborted) throw error
    const way = headers.wayTo(block)
    const where = way === null ? '' : `, to slot ${way.slot} from slot ${way.reached}`
    return {
      ...{ status: 'unknown', reason: 'unreachable' },
      detail: `no header has come for ${(patience * TELL_MS) / 1_000} seconds on the way back to the block${where}: try again, or name other endpoints with --beacon`,
    }
  } finally {
    clearInterval(telling)
    release()
  }
}
