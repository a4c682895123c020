/** What a light client of a command is started with, and how. */
import { type Command, Option } from '../../vendor/commander.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { LightClient } from '../../light-client/index.ts'
import type { KnownResolution } from '../../proxy/headers/known-header.ts'
import { integerUpTo, readSeconds } from './arguments.ts'
import { defaultFolder } from './cache-folder.ts'
import { wordedFetch } from './fetch.ts'
import { type OnStoreNews, openStore } from './store.ts'

/** `--history`, for a command that follows headers back, which nobody does on trust: nineteen days, a day longer than nodes keep blobs. */
export function historyOption(): Option {
  return new Option('--history <slots>', 'how far before the finalized block headers are followed back')
    .argParser(integerUpTo(100_000_000))
    .default(140_000)
    .conflicts('trustEndpoint')
}

/** The same, with the option that says how far headers are followed back, where that was too little. */
export function namingHistory(resolution: KnownResolution): KnownResolution {
  return resolution.status === 'unknown' && resolution.reason === 'too-old'
    ? { ...resolution, detail: `${resolution.detail}: --history says how far headers are followed back` }
    : resolution
}

/** What a light client is started with. */
export interface LightClientOptions {
  readonly network: NetworkName | NetworkConfig
  readonly checkpoint: string
  readonly beacon: readonly string[]
  readonly store: string | false
  readonly allowStale: boolean
  /** Seconds. */
  readonly timeout: number
  /** Seconds of Unix time, in place of the clock's. */
  readonly now?: number
}

/** Adds those of them that have defaults. */
export function withLightClientOptions(command: Command): Command {
  return command
    .option('--store <folder>', 'where to keep what was verified', defaultFolder())
    .option('--no-store', 'keep nothing')
    .option('--allow-stale', 'take a checkpoint older than the weak-subjectivity period', false)
    .option('--timeout <seconds>', 'how long an endpoint may take to answer', readSeconds, 10)
    .addOption(
      new Option('--now <seconds>', 'another Unix time than that of the clock')
        .argParser(readSeconds)
        .hideHelp(),
    )
}

/** Starts it; it is for the caller to dispose of. `onStoreNews` is told of what goes wrong with `--store` meanwhile. */
export async function startLightClient(
  options: LightClientOptions,
  signal: AbortSignal,
  onStoreNews: OnStoreNews,
): Promise<LightClient> {
  const { LightClient } = await import('../../light-client/index.ts')
  const { network, checkpoint, beacon, allowStale } = options
  return await LightClient.fromCheckpoint({
    network,
    checkpoint,
    beacon,
    allowStale,
    store: await openStore(options, onStoreNews),
    timeoutMs: options.timeout * 1000,
    fetch: wordedFetch,
    now: clockOf(options),
    signal,
  })
}

/** Milliseconds of Unix time. A clock that was set goes on from there. */
export function clockOf({ now }: Pick<LightClientOptions, 'now'>): () => number {
  const offsetMs = now === undefined ? 0 : now * 1000 - Date.now()
  return () => Date.now() + offsetMs
}
