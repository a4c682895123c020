/** The options of `blobcheck proxy`, read. */
import { FileStorage } from '../../light-client/index.ts'
import type { StartProxyOptions } from '../../proxy/start.ts'
import { readVersion, UsageError } from '../command.ts'
import { clockOf, type LightClientOptions } from '../options.ts'

export interface ProxyCommandOptions extends Omit<LightClientOptions, 'checkpoint'> {
  readonly checkpoint?: string
  readonly trustEndpoint: boolean
  readonly archive?: readonly string[]
  readonly port: number
  readonly host: string
  readonly cache: string | false
  /** Megabytes. */
  readonly cacheSize: number
  /** Megabytes. */
  readonly memory: number
  readonly history: number
  /** Seconds. */
  readonly deadline: number
  /** Seconds. */
  readonly grace: number
  readonly json: boolean
}

const MEGABYTE = 1_000_000

/** Throws `UsageError`, with a sentence that says what to do. */
export function readProxyOptions(
  options: ProxyCommandOptions,
): Omit<StartProxyOptions, 'onNews' | 'onAnswer' | 'onFault'> {
  const { network, beacon, archive, checkpoint, trustEndpoint, store, allowStale, cache, port, host } =
    options
  if (checkpoint === undefined && !trustEndpoint)
    throw new UsageError(
      'where does your trust in the chain begin? --checkpoint 0x… takes the root of a finalized block from someone whom you trust: ' +
        'your own node (curl -s http://localhost:5052/eth/v1/beacon/headers/finalized), or a public checkpoint service. ' +
        '--trust-endpoint takes the endpoints’ word for each block, and says so.',
    )
  return {
    ...{ network, beacon, allowStale, port, host },
    ...(archive && { archives: archive }),
    checkpoint: checkpoint ?? null,
    store: store === false ? false : new FileStorage(store),
    cache: cache === false ? null : { folder: cache, bytes: options.cacheSize * MEGABYTE },
    memoryBytes: options.memory * MEGABYTE,
    history: options.history,
    timeoutMs: options.timeout * 1000,
    deadlineMs: options.deadline * 1000,
    now: clockOf(options),
    version: readVersion(),
  }
}
