/** The options of `blobcheck proxy`, read. */
import type { StartProxyOptions } from '../../proxy/start.ts'
import { readVersion } from '../command.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf, type LightClientOptions } from '../options/light-client.ts'
import { requireTrust, type TrustOptions } from '../options/trust.ts'

export interface ProxyCommandOptions extends Omit<LightClientOptions, 'checkpoint'>, TrustOptions {
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
): Omit<StartProxyOptions, 'store' | 'onNews' | 'onAnswer' | 'onFault'> {
  const { network, beacon, archive, checkpoint, allowStale, cache, port, host } = options
  requireTrust(options)
  return {
    ...{ network, beacon, allowStale, port, host },
    ...(archive && { archives: archive }),
    checkpoint: checkpoint ?? null,
    cache: cache === false ? null : { folder: cache, bytes: options.cacheSize * MEGABYTE },
    memoryBytes: options.memory * MEGABYTE,
    history: options.history,
    timeoutMs: options.timeout * 1000,
    deadlineMs: options.deadline * 1000,
    fetch: wordedFetch,
    now: clockOf(options),
    version: readVersion(),
  }
}
