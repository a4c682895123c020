/** Forks as the execution layer has them: what a blob transaction of a time looks like. */
import type { VettedNetwork } from './vetted-network.ts'

/** The forks that change what a blob transaction looks like, by either layer's name. */
export type ForkName = 'deneb' | 'cancun' | 'electra' | 'prague' | 'fulu' | 'osaka'

/** An execution-layer fork as the WASM module numbers it: see `Fork` in crates/execution. */
export type ExecutionFork = 0 | 1 | 2

/** The execution-layer forks by the names of either layer. */
export const executionForks: Readonly<Record<ForkName, ExecutionFork>> = {
  deneb: 0,
  cancun: 0,
  electra: 1,
  prague: 1,
  fulu: 2,
  osaka: 2,
}

/** The fork in force at a Unix time in seconds; null for one that this version does not know, undefined before blobs existed. */
export function forkAtTimestamp(network: VettedNetwork, timestamp: number): ExecutionFork | null | undefined {
  const { forkEpochs, genesisTime, secondsPerSlot, slotsPerEpoch, unsupportedForkEpoch } = network
  // With a part of an epoch, which no comparison with a whole number sees.
  const epoch = (timestamp - genesisTime) / secondsPerSlot / slotsPerEpoch
  if (epoch >= unsupportedForkEpoch) return null
  const { deneb, electra, fulu } = forkEpochs
  return epoch >= fulu ? 2 : epoch >= electra ? 1 : epoch >= deneb ? 0 : undefined
}
