/** The embedded real block: where its sidecars lie, and the network that it is served for. */
import { type NetworkConfig, networks } from '../../beacon/networks.ts'
import type { LabelledNetwork } from '../chain.ts'

/** Sidecars of Holesky's block 1409759, six blobs: data of the Rust package alloy-rpc-types-beacon (MIT or Apache-2.0). */
export const embeddedSidecarsUrl: URL = new URL(
  '../../../data/holesky_1409759_blob_sidecars.json',
  import.meta.url,
)

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
