/** The option `--network`: a network known by name, or a file with the config of another one. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from 'commander'
import { type NetworkConfig, type NetworkName, networks, resolveNetwork } from '../beacon/networks.ts'
import { printable } from '../util/printable.ts'

/** For commands that check against a chain; its value is what `readNetwork` makes of the text. */
export function networkOption(): Option {
  const names = Object.keys(networks).join(', ')
  return new Option('-n, --network <name>', `whose chain: ${names}, or a JSON file with a NetworkConfig`)
    .argParser(readNetwork)
    .default('mainnet')
}

/** A name is that of a network we know; anything else is a file. Throws `InvalidArgumentError`. */
export function readNetwork(value: string): NetworkName | NetworkConfig {
  if (Object.hasOwn(networks, value)) return value as NetworkName
  let text: string
  try {
    text = readFileSync(value, 'utf8')
  } catch {
    throw new InvalidArgumentError('It is neither a network that is known nor a file that can be read.')
  }
  try {
    return resolveNetwork(parse(text))
  } catch (error) {
    // What JSON.parse says quotes the file, line breaks and all.
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidArgumentError(printable(`${value}: ${reason}.`))
  }
}

/** JSON has no infinity: `null` says of a fork that it is never. */
function parse(text: string): NetworkConfig {
  const config: unknown = JSON.parse(text)
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
