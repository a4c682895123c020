/** The network of the embedded block, and one that never was, for its columns. */
import { type NetworkConfig, networks } from '../../beacon/networks.ts'
import type { LabelledNetwork } from '../chain.ts'

/** The epoch of Holesky's block 1409759, which is of Deneb. */
const EPOCH = Math.floor(1_409_759 / 32)

const holesky: NetworkConfig = networks.holesky

/**
 * Holesky as if Fulu had begun with the epoch of the embedded block: its blobs are real, its columns are computed from them,
 * and a verifier that knows Holesky refuses them, rightly, as of the wrong fork.
 */
export const holeskyAsIfFulu: LabelledNetwork = {
  ...holesky,
  label:
    'synthetic: Holesky as if Fulu had begun with epoch 44054, so that a real block of Deneb has columns',
  forkEpochs: { ...holesky.forkEpochs, deneb: 29_696, electra: EPOCH, fulu: EPOCH },
  blobSchedule: [],
}
