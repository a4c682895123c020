/** The address of this page at its live source, which asks a node of the simulated chain as it would any other. */
import type { NetworkConfig } from 'blobcheck'
import { networkText } from '../../follow/network.ts'

export function liveAddress(beacon: string, network: NetworkConfig, checkpoint: string): string {
  const address = new URL(document.baseURI)
  const config = networkText(network)
  address.search = String(
    new URLSearchParams({ source: 'live', network: 'custom', beacon, checkpoint, config }),
  )
  return address.href
}
