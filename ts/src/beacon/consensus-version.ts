/** What a consensus version says, as `Eth-Consensus-Version` and the JSON field `version` have it: of which fork an answer is. */
import { type Fork, FORKS } from './forks.ts'
import type { VettedNetwork } from './vetted-network.ts'

/** How a failure's detail begins where a consensus version names a fork that this version of the package does not know. */
export const UNKNOWN_VERSION = 'an unknown consensus version, '

/**
 * The fork that a consensus version names, in small letters or capitals; null for one that this version of the package does not know. Where a
 * proxy has doubled the header, `fetch` joins both by a comma: the first one counts.
 */
export function forkOfVersion(version: string): Fork | 'phase0' | null {
  const name = /^\w*/.exec(version.toLowerCase())?.[0]
  if (name === 'phase0') return name
  return FORKS.find((fork) => fork === name) ?? null
}

/**
 * Whether a consensus version names a fork to come: one that this version of the package does not know, or one that by the network's config
 * has not begun in that slot, as where the config is older than the fork's date.
 */
export function isForkToCome(
  version: string,
  { forkEpochs, slotsPerEpoch }: VettedNetwork,
  slot: number,
): boolean {
  const fork = forkOfVersion(version)
  if (fork === null) return true
  return fork !== 'phase0' && slot < forkEpochs[fork] * slotsPerEpoch
}
