/** Which preset a network has, which decides the sizes in its blocks. */
import type { VettedNetwork } from '../vetted-network.ts'

/** SYNC_COMMITTEE_SIZE of the minimal preset (presets/minimal/altair.yaml). */
export const MINIMAL_COMMITTEE = 32

/**
 * The presets, as the module numbers them. Only the size of a sync committee tells which a network has. Throws `TypeError` where it has
 * another.
 */
export function presetOf({ syncCommitteeSize }: VettedNetwork): 0 | 1 {
  if (syncCommitteeSize === 512) return 0
  if (syncCommitteeSize === MINIMAL_COMMITTEE) return 1
  throw new TypeError('blocks can be read of networks with the mainnet preset or the minimal one')
}
