/** The options that start a light client, for each command that stands on one. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { LightClient } from '../../light-client/index.ts'

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

/** Starts it; it is for the caller to dispose of. */
export async function startLightClient(
  options: LightClientOptions,
  signal: AbortSignal,
): Promise<LightClient> {
  const { FileStorage, LightClient } = await import('../../light-client/index.ts')
  const { network, checkpoint, beacon, allowStale, store } = options
  return await LightClient.fromCheckpoint({
    network,
    checkpoint,
    beacon,
    allowStale,
    store: store === false ? false : new FileStorage(store),
    timeoutMs: options.timeout * 1000,
    now: clockOf(options),
    signal,
  })
}

/** Milliseconds of Unix time. A clock that was set goes on from there. */
export function clockOf({ now }: Pick<LightClientOptions, 'now'>): () => number {
  const offsetMs = now === undefined ? 0 : now * 1000 - Date.now()
  return () => Date.now() + offsetMs
}

/** The argument of `--checkpoint`. */
export function readRoot(value: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(value)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.')
  return value
}

function defaultFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'blobcheck')
}

function readSeconds(value: string): number {
  const seconds = Number(value)
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a number of seconds.')
  return seconds
}
