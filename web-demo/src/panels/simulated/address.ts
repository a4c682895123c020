/** The addresses of simulated nodes, below the page’s own: `simulated/`, the chain, the node, and the route of the Beacon API. */
import { chainOptions, type ChainSettings } from './settings.ts'

/** The folder, relative to the page. */
export const FOLDER = 'simulated/'

/** Both nodes are of one chain. The honest one has no faults. */
export type NodeName = 'node' | 'honest'

/** Below the folder: the blob whose multiples all chains are made of. */
export const FIRST_BLOB = 'first-blob'

/** Whatever makes a chain the same again. */
export interface ChainAddress extends ChainSettings {
  /** Of slot 0, in seconds of Unix time. */
  readonly genesisTime: number
}

/** A chain whose first blocks are of the last few minutes. */
export function newAddress(settings: ChainSettings): ChainAddress {
  const { secondsPerSlot } = settings
  const { firstSlot, slots } = chainOptions(settings)
  const now = Math.floor(Date.now() / 1000)
  return { ...settings, genesisTime: now - (firstSlot + slots - 1) * secondsPerSlot }
}

/** As a part of a path: `fulu-6-blobs-4-seconds-1764000000`. */
export function chainName({ fork, blobs, secondsPerSlot, genesisTime }: ChainAddress): string {
  return `${fork}-${blobs}-blobs-${secondsPerSlot}-seconds-${genesisTime}`
}

const NAME = /^(fulu|gloas)-(\d{1,3})-blobs-(\d{1,5})-seconds-(\d{1,12})$/

/** Null for what is the name of no chain. */
export function readChainName(name: string): ChainAddress | null {
  const [whole, fork, ...numbers] = NAME.exec(name) ?? []
  if (whole === undefined) return null
  const [blobs, secondsPerSlot, genesisTime] = numbers.map(Number) as [number, number, number]
  return { fork: fork === 'gloas' ? 'gloas' : 'fulu', blobs, secondsPerSlot, genesisTime }
}
