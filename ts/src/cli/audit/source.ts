/** Where `blobcheck audit` has headers from: a light client, or the endpoints' word. */
import { headersOnTrust, provenHeaders, type RangeHeaders } from '../../audit/index.ts'
import { BeaconEndpoints, readUrls } from '../../beacon/endpoints.ts'
import type { SyncProgress } from '../../light-client/index.ts'
import { timerMs } from '../options/arguments.ts'
import { wordedFetch } from '../options/fetch.ts'
import { clockOf, startLightClient } from '../options/light-client.ts'
import type { AuditCommandOptions } from './options.ts'

export interface HeadersOfCommand {
  readonly headers: RangeHeaders
  dispose(): Promise<void>
}

/** Requests for headers that one endpoint gets at the same time. */
const AT_ONCE = 8

/** Follows the chain from the checkpoint, if there is one. Throws what `LightClient` throws. */
export async function openHeaders(
  options: AuditCommandOptions,
  beacon: readonly string[],
  onProgress: (progress: SyncProgress) => void,
  onTrouble: (text: string) => void,
  signal: AbortSignal,
): Promise<HeadersOfCommand> {
  const endpoints = new BeaconEndpoints(readUrls(beacon), {
    fetch: wordedFetch,
    now: clockOf(options),
    random: Math.random,
    timeoutMs: timerMs(options.timeout),
    atOnce: AT_ONCE,
  })
  const { checkpoint } = options
  if (checkpoint === undefined) return { headers: headersOnTrust(endpoints), dispose: async () => {} }
  const client = await startLightClient({ ...options, beacon, checkpoint }, signal, onTrouble)
  try {
    await client.sync({ signal, onProgress })
  } catch (error) {
    await client.dispose()
    throw error
  }
  return { headers: provenHeaders(client, endpoints), dispose: () => client.dispose() }
}
