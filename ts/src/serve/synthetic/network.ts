/** The networks of made chains: Fulu from the first slot. */
import type { LabelledNetwork } from '../chain.ts'

export interface MadeNetworkOptions {
  readonly genesisTime: number
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  readonly epochsPerSyncCommitteePeriod: number
  readonly syncCommitteeSize: number
  readonly maxBlobsPerBlock: number
}

/** A network of these parameters that is nobody's, which its label says. */
export function madeNetwork({ maxBlobsPerBlock, ...rest }: MadeNetworkOptions): LabelledNetwork {
  return {
    label: `synthetic: Fulu from genesis, up to ${maxBlobsPerBlock} blobs in a block, signed with keys that all know`,
    ...rest,
    forkEpochs: { altair: 0, bellatrix: 0, capella: 0, deneb: 0, electra: 0, fulu: 0 },
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
      },
    },
  }
}
