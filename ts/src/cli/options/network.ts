/** `--network`, and configs of networks as text. */
import { InvalidArgumentError, Option } from '../../vendor/commander.ts'
import { type NetworkConfig, type NetworkName, networks } from '../../beacon/networks.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import { messageOf } from '../../runtime/errors.ts'
import { printable } from '../../util/printable.ts'
import { readAtMost } from '../files.ts'
import { decodeText, parseJson } from '../text.ts'

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
