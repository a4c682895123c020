/** Options that several commands have: numbers, the network, and what a light client is started with. */
import { type Command, InvalidArgumentError, Option } from '../vendor/commander.ts'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type NetworkConfig, type NetworkName, networks, resolveNetwork } from '../beacon/networks.ts'
import type { BlockId } from '../block-data/report.ts'
import type { LightClient } from '../light-client/index.ts'
import { messageOf } from '../runtime/errors.ts'
import { isHash } from '../util/hash.ts'
import { printable } from '../util/printable.ts'
import { MAX_TIMER_MS } from '../util/timers.ts'
import { UsageError } from './command.ts'
import { folderFault, readAtMost } from './files.ts'
import type { Output } from './terminal/output.ts'
import { printWarning } from './terminal/words.ts'
import { decodeText, parseJson } from './verify/input.ts'

/** Reads an integer from `least` to `most`. */
export function integerUpTo(most: number, least: number = 0): (value: string) => number {
  return (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`)
    return number
  }
}

/** `--host`, for a command that listens. */
export function hostOption(): Option {
  return new Option('--host <address>', 'where to listen').argParser(readHost).default('127.0.0.1')
}

/** Refuses what says nothing: Node.js would listen on all interfaces, as after `--host "$UNSET"`. */
function readHost(value: string): string {
  if (value.trim() === '')
    throw new InvalidArgumentError(
      'It must be an address; 0.0.0.0 and :: are all interfaces of this machine.',
    )
  return value
}

/** `--beacon`, for a command whose endpoints are not trusted. */
export function beaconOption(
  command: Command,
  description: string = 'Beacon API endpoints; none of them is trusted',
): Option {
  return endpointsOption(command, '-b, --beacon <url...>', description)
}

/** `--archive`; what the archives are there for is said in `description`. */
export function archiveOption(command: Command, description: string): Option {
  return endpointsOption(command, '--archive <url...>', description)
}

/** `--execution`. */
export function executionOption(command: Command): Option {
  return endpointsOption(
    command,
    '-e, --execution <url...>',
    'JSON-RPC of execution nodes, which say what block a transaction is in; none of them is trusted',
  )
}

/** `--history`, for a command that follows headers back: nineteen days, a day longer than nodes keep blobs. */
export function historyOption(): Option {
  return new Option('--history <slots>', 'how far before the finalized block headers are followed back')
    .argParser(integerUpTo(100_000_000))
    .default(140_000)
}

/**
 * An option with URLs of endpoints. A URL may hold a password or a key: what is wrong with one is said without them, as commander would not.
 */
function endpointsOption(command: Command, flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string, before: readonly string[] = []) => {
    const fault = endpointFault(value, option.long!)
    if (fault !== null)
      command.error(`error: option '${flags}' argument '${withoutSecrets(value)}' is invalid. ${fault}`)
    return [...before, value]
  })
}

/** What to do about what is no URL of an endpoint; null where it is one. */
function endpointFault(value: string, name: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null
  if (/,\s*https?:/.test(value) || (url?.hostname ?? value).includes(','))
    return `Give ${name} once for each.`
  if (url !== null && /^https?:$/.test(url.protocol))
    return url.username + url.password === '' ? null : 'A URL with a user or password cannot be fetched.'
  const meant = `http://${withoutSecrets(value)}`
  const isWithoutScheme = !value.includes('://') && URL.canParse(meant)
  return isWithoutScheme ? `Write ${meant}, or the same with https.` : 'It must be an http(s) URL.'
}

/** Without user, password and query. */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/is, '$1').replace(/[?#].*/s, '')
}

/** Reads a part of a whole. */
export function partOf(value: string): number {
  const part = value.trim() === '' ? Number.NaN : Number(value)
  if (!(part >= 0 && part <= 1)) throw new InvalidArgumentError('It must be from 0 to 1.')
  return part
}

/** A config takes some kilobytes. */
const MAX_NETWORK_BYTES = 2 ** 20

const NETWORKS = Object.keys(networks).join(', ')

/** For commands that check against a chain; its value is what `readNetwork` makes of the text. */
export function networkOption(): Option {
  return new Option('-n, --network <name>', `whose chain: ${NETWORKS}, or a JSON file with a NetworkConfig`)
    .argParser(readNetwork)
    .default('mainnet')
}

/** A name is that of a network we know; anything else is a file. Throws `InvalidArgumentError`. */
function readNetwork(value: string): NetworkName | NetworkConfig {
  if (Object.hasOwn(networks, value)) return value as NetworkName
  let bytes: Uint8Array | null
  try {
    bytes = readAtMost(value, MAX_NETWORK_BYTES)
  } catch {
    throw new InvalidArgumentError(
      `It is neither a network that is known nor a file that can be read. Known are ${NETWORKS}.`,
    )
  }
  if (bytes === null)
    throw new InvalidArgumentError(
      'It is a file of more than 1 MiB, which is the most that is read of a network config.',
    )
  try {
    return resolveNetwork(parseNetwork(decodeText(bytes)))
  } catch (error) {
    // What JSON.parse says quotes the file, line breaks and all.
    const reason = messageOf(error)
    throw new InvalidArgumentError(printable(`${value}: ${reason}.`))
  }
}

/** The config in such a text. JSON has no infinity: `null` says of a fork that it is never. Throws `TypeError` or `SyntaxError`. */
export function parseNetwork(text: string): NetworkConfig {
  const config = parseJson(text)
  if (typeof config !== 'object' || config === null) throw new TypeError('not a network config')
  const { forkEpochs } = config as Partial<NetworkConfig>
  if (typeof forkEpochs !== 'object' || forkEpochs === null) return config as NetworkConfig
  const epochs = Object.entries(forkEpochs).map(([fork, epoch]) => [fork, epoch ?? Infinity])
  return { ...config, forkEpochs: Object.fromEntries(epochs) } as NetworkConfig
}

/** A config as the text of such a file. */
export function writeNetwork(network: NetworkConfig): string {
  return JSON.stringify(network, (_key, value: unknown) => (value === Infinity ? null : value), 2)
}

/** Its name, or what its config says that it is (`label`). */
export function networkInWords(network: NetworkName | NetworkConfig): string {
  if (typeof network === 'string') return network
  const { label } = network as { label?: unknown }
  return typeof label === 'string' ? printable(label) : 'a network of your own config'
}

/** `--checkpoint`: where the trust in a chain begins. */
export function checkpointOption(): Option {
  return new Option('-c, --checkpoint <root>', 'root of a finalized block that you trust, 0x…').argParser(
    readRoot,
  )
}

/** `--trust-endpoint`, for a command that needs no checkpoint. */
export function trustEndpointOption(): Option {
  return new Option('--trust-endpoint', 'take the endpoints’ word for which blocks are of the chain')
    .conflicts('checkpoint')
    .default(false)
}

/** What the trust in a chain begins with: one of the two. */
export interface TrustOptions {
  readonly checkpoint?: string
  readonly trustEndpoint: boolean
}

/** On whose word a block is taken to be of the chain, as a sentence. */
export const trustSentences = {
  checkpoint: 'Headers are verified from your checkpoint.',
  endpoint:
    'Headers are taken on the endpoints’ word: what is shown belongs to the block that they name, which may be none of the chain.',
} as const

/** Throws `UsageError`, with a sentence that says what to do, where there is neither. */
export function requireTrust({ checkpoint, trustEndpoint }: TrustOptions): void {
  if (checkpoint === undefined && !trustEndpoint)
    throw new UsageError(
      'where does your trust in the chain begin? --checkpoint 0x… takes the root of a finalized block from someone whom you trust: ' +
        'your own node (curl -s http://localhost:5052/eth/v1/beacon/headers/finalized), or a public checkpoint service. ' +
        '--trust-endpoint takes the endpoints’ word for each block, and says so.',
    )
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

/** Starts it; it is for the caller to dispose of. */
export async function startLightClient(
  options: LightClientOptions,
  signal: AbortSignal,
): Promise<LightClient> {
  const { FileStorage, LightClient } = await import('../light-client/index.ts')
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

/** Why `--store` will keep nothing, as a sentence; null where it can, or is not to. */
export async function storeFault({ store }: Pick<LightClientOptions, 'store'>): Promise<string | null> {
  const fault = store === false ? null : await folderFault(store)
  return fault === null
    ? null
    : `--store ${String(store)}: ${fault}, so that nothing is kept for the next start (--no-store does not try)`
}

/** Says, before anything else is printed, that `--store` will keep nothing: the next start downloads it again, which is no reason to refuse. */
export async function warnOfStore(options: Pick<LightClientOptions, 'store'>, stderr: Output): Promise<void> {
  const fault = await storeFault(options)
  if (fault !== null) printWarning(stderr, fault)
}

/** Milliseconds of Unix time. A clock that was set goes on from there. */
export function clockOf({ now }: Pick<LightClientOptions, 'now'>): () => number {
  const offsetMs = now === undefined ? 0 : now * 1000 - Date.now()
  return () => Date.now() + offsetMs
}

/** The argument of `--block`: which block is meant. */
export function readBlockId(value: string): BlockId {
  if (/^(head|finalized)$/i.test(value) || isHash(value)) return value.toLowerCase()
  const slot = /^\d+$/.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(slot))
    throw new InvalidArgumentError('It must be head, finalized, a slot, or a root of 0x and 64 hex digits.')
  return slot
}

/** The argument of `--checkpoint`. */
function readRoot(value: string): string {
  if (!isHash(value)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.')
  return value
}

/** In the user's cache, of which an absolute path alone is taken (XDG Base Directory Specification); where there is no user, in a folder for a time. */
function defaultFolder(): string {
  const { XDG_CACHE_HOME: cache = '' } = process.env
  return join(isAbsolute(cache) ? cache : (homeCache() ?? tmpdir()), 'blobcheck')
}

/** Null where the system knows no user of this process, as in containers. */
function homeCache(): string | null {
  try {
    return join(homedir(), '.cache')
  } catch {
    return null
  }
}

/** A folder in the user's cache of this program. */
export function cacheFolder(name: string): string {
  return join(defaultFolder(), name)
}

/** Reads a number of seconds. */
export function readSeconds(value: string): number {
  const seconds = Number(value)
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a number of seconds.')
  return seconds
}

/** Seconds as whole milliseconds, and no more than a timer can run. */
export function timerMs(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS)
}
