/** A network in words: results rest on it, and a config in a file may be anybody's. */
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import { printable } from '../util/printable.ts'

/** Its name, or what its config says that it is (`label`). */
export function networkInWords(network: NetworkName | NetworkConfig): string {
  if (typeof network === 'string') return network
  const { label } = network as { label?: unknown }
  return typeof label === 'string' ? printable(label) : 'a network of your own config'
}
