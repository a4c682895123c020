/** The networks of the chains that are served: of the embedded real block, and of made chains. Neither is anybody's. */
import { type NetworkConfig, networks } from '../beacon/networks.ts'
import type { LabelledNetwork } from './chain.ts'
import type { PlatformUrl } from '../util/platform-types.ts'

/**
 * Where the sidecars of the embedded real block lie: a file of this package with the six blob sidecars of Holesky’s block 1409759, as a
 * beacon node answers them, in JSON that is compressed with gzip. `fetchEmbeddedSidecars` reads it in a page, and `readEmbeddedSidecars` of
 * `blobcheck/serve/node` in Node. The data is from the Rust package alloy-rpc-types-beacon (MIT or Apache-2.0).
 */
export const embeddedSidecarsUrl: PlatformUrl = new URL(
  '../../data/holesky_1409759_blob_sidecars.json.gzip',
  import.meta.url,
)

/** The epoch of Holesky's block 1409759, which is of Deneb. */
const EPOCH = Math.floor(1_409_759 / 32)

const holesky: NetworkConfig = networks.holesky

/**
 * The network config of Holesky as if Fulu had begun with the epoch of the embedded block, 44054. A chain of that block then has data
 * columns, which are computed from its real blobs. A verifier that knows Holesky by its own schedule refuses them, rightly, since the
 * block is of Deneb.
 */
export const holeskyAsIfFulu: LabelledNetwork = {
  ...holesky,
  label:
    'synthetic: Holesky as if Fulu had begun with epoch 44054, so that a real block of Deneb has columns',
  forkEpochs: { ...holesky.forkEpochs, deneb: 29_696, electra: EPOCH, fulu: EPOCH },
  blobSchedule: [],
}

/** The parameters of a made chain's network. */
export interface MadeNetworkOptions {
  readonly genesisTime: number
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  readonly epochsPerSyncCommitteePeriod: number
  readonly syncCommitteeSize: number
  readonly maxBlobsPerBlock: number
  /** `Infinity`, the default, where Gloas never begins. */
  readonly gloasForkEpoch?: number
  readonly dataRetentionEpochs?: number
}

/** A network of these parameters that is nobody's, which its label says. */
export function madeNetwork({
  maxBlobsPerBlock,
  gloasForkEpoch = Infinity,
  ...rest
}: MadeNetworkOptions): LabelledNetwork {
  const hasGloas = gloasForkEpoch < Infinity
  const forks = hasGloas ? `Fulu from genesis, Gloas from epoch ${gloasForkEpoch}` : 'Fulu from genesis'
  return {
    label: `synthetic: ${forks}, up to ${maxBlobsPerBlock} blobs in a block, signed with keys that all know`,
    ...rest,
    forkEpochs: {
      altair: 0,
      bellatrix: 0,
      capella: 0,
      deneb: 0,
      electra: 0,
      fulu: 0,
      ...(hasGloas && { gloas: gloasForkEpoch }),
    },
    blobSchedule: [{ epoch: 0, maxBlobsPerBlock }],
    signing: {
      genesisValidatorsRoot: `0x${'b10bc4ec'.repeat(8)}`,
      forkVersions: {
        genesis: '0x000000bc',
        altair: '0x010000bc',
        bellatrix: '0x020000bc',
        capella: '0x030000bc',
        deneb: '0x040000bc',
        electra: '0x050000bc',
        fulu: '0x060000bc',
        gloas: '0x070000bc',
      },
    },
  }
}
