/** Which fork a block is of: what the caller says, what the answer says, and what the network's schedule says of its slot. */
import { forkOfVersion, isForkToCome } from '../consensus-version.ts'
import { forkAtEpoch } from '../fork-at-epoch.ts'
import type { VettedNetwork } from '../vetted-network.ts'
import { SszError } from './errors.ts'

/** A fork whose blocks can be read. */
export type BlockFork = 'deneb' | 'electra' | 'fulu' | 'gloas'

/** Their containers, as the module numbers them. */
export const containers: Readonly<Record<BlockFork, 0 | 1 | 2>> = { deneb: 0, electra: 1, fulu: 1, gloas: 2 }

/** Whether a value names a fork whose blocks can be read. */
export function isBlockFork(value: unknown): value is BlockFork {
  return typeof value === 'string' && Object.hasOwn(containers, value)
}

/**
 * The fork of a block in a slot. `fork` is the caller's word, which is taken over the network's schedule; `version` is what the answer
 * says, and may contradict neither. Throws `SszError`: `unsupported-fork` where the answer is of a fork that the schedule has later or not at
 * all, since then it is the schedule that may be old.
 */
export function forkOfBlock(
  network: VettedNetwork,
  slot: bigint,
  version: unknown,
  fork: BlockFork | undefined,
): BlockFork {
  const named = typeof version === 'string' ? forkOfVersion(version) : null
  if (version !== undefined && named === null) throw new SszError('unsupported-fork', 'version')
  const found = fork ?? forkAtEpoch(network, slot / BigInt(network.slotsPerEpoch))
  if (!isBlockFork(found)) throw new SszError('unsupported-fork', 'slot')
  if (named !== null && named !== found) {
    const isToCome = fork === undefined && isForkToCome(named, network, Number(slot))
    throw new SszError(isToCome ? 'unsupported-fork' : 'fork-mismatch', 'version')
  }
  return found
}
