/** Networks as people name them, and as files hold them. */
import type { NetworkConfig, NetworkName } from 'blobcheck'
import { capital } from '../shared/words.ts'

/** As people write it: `Holesky`. */
export function networkTitle(network: NetworkName | NetworkConfig): string {
  if (network === 'plataberget') return 'Plåtaberget'
  if (typeof network === 'string') return capital(network)
  const { label } = network as { readonly label?: unknown }
  return typeof label === 'string' && label.startsWith('synthetic')
    ? 'A synthetic chain'
    : 'A network of your own'
}

/** The config in a file that `blobcheck serve` writes: JSON has no infinity, and `null` says of a fork that it never comes. Throws `TypeError`. */
export function parseNetwork(text: string): NetworkConfig {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    throw new TypeError('it is not JSON')
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new TypeError('it is no object')
  const { forkEpochs } = config as Partial<NetworkConfig>
  if (typeof forkEpochs !== 'object' || forkEpochs === null) throw new TypeError('it has no forkEpochs')
  const epochs = Object.entries(forkEpochs).map(([fork, epoch]) => [fork, epoch ?? Infinity])
  return { ...config, forkEpochs: Object.fromEntries(epochs) } as NetworkConfig
}

/** What `parseNetwork` reads. */
export function networkText(network: NetworkConfig): string {
  return JSON.stringify(network, (_key, inner: unknown) => (inner === Infinity ? null : inner))
}
