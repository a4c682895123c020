/** What a server says of its network: values that the network's config has, and constants of the specifications that this package computes with. */
import { MINIMAL_COMMITTEE } from '../beacon/block/preset.ts'
import { CELLS_PER_EXT_BLOB, COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../beacon/constants.ts'
import { FORKS } from '../beacon/forks.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import { COMMITMENT_BRANCH_DEPTH, COMMITMENTS_BRANCH_DEPTH } from '../beacon/ssz/layout.ts'

const FAR_FUTURE_EPOCH = '18446744073709551615'

/**
 * Answer of `/eth/v1/config/spec`: numbers as decimal strings, bytes as 0x hex. What is not known here is left out. `name`: CONFIG_NAME; null
 * where the network has none.
 */
export function specOf(network: VettedNetwork, name: string | null): Readonly<Record<string, unknown>> {
  const { forkEpochs, signing, maxBlobsPerBlock, blobSchedule, slotsPerEpoch, secondsPerSlot } = network
  const retention = String(network.dataRetentionEpochs)
  const forks = FORKS.flatMap((fork) => {
    const epoch = forkEpochs[fork]
    const version = signing?.forkVersions[fork]
    // One that is not scheduled, and has no version yet, is not known at all.
    if (epoch === Infinity && version === undefined) return []
    return [
      [`${fork.toUpperCase()}_FORK_EPOCH`, epoch === Infinity ? FAR_FUTURE_EPOCH : String(epoch)],
      ...(version === undefined ? [] : [[`${fork.toUpperCase()}_FORK_VERSION`, version]]),
    ]
  })
  return {
    ...(name === null ? {} : { CONFIG_NAME: name }),
    PRESET_BASE: network.syncCommitteeSize === MINIMAL_COMMITTEE ? 'minimal' : 'mainnet',
    SECONDS_PER_SLOT: String(secondsPerSlot),
    SLOT_DURATION_MS: String(1000 * secondsPerSlot),
    SLOTS_PER_EPOCH: String(slotsPerEpoch),
    ...(signing === undefined ? {} : { GENESIS_FORK_VERSION: signing.forkVersions.genesis }),
    ...(Object.fromEntries(forks) as Record<string, string>),
    SYNC_COMMITTEE_SIZE: String(network.syncCommitteeSize),
    EPOCHS_PER_SYNC_COMMITTEE_PERIOD: String(network.epochsPerSyncCommitteePeriod),
    MIN_SYNC_COMMITTEE_PARTICIPANTS: '1',
    MAX_BLOBS_PER_BLOCK: String(maxBlobsPerBlock.deneb),
    MAX_BLOBS_PER_BLOCK_ELECTRA: String(maxBlobsPerBlock.electra),
    BLOB_SCHEDULE: blobSchedule.map((entry) => ({
      EPOCH: String(entry.epoch),
      MAX_BLOBS_PER_BLOCK: String(entry.maxBlobsPerBlock),
    })),
    FIELD_ELEMENTS_PER_BLOB: '4096',
    FIELD_ELEMENTS_PER_CELL: '64',
    CELLS_PER_EXT_BLOB: String(CELLS_PER_EXT_BLOB),
    NUMBER_OF_COLUMNS: String(COLUMNS),
    NUMBER_OF_CUSTODY_GROUPS: '128',
    MAX_BLOB_COMMITMENTS_PER_BLOCK: String(MAX_BLOB_COMMITMENTS_PER_BLOCK),
    KZG_COMMITMENT_INCLUSION_PROOF_DEPTH: String(COMMITMENT_BRANCH_DEPTH),
    KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH: String(COMMITMENTS_BRANCH_DEPTH),
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: retention,
    MIN_EPOCHS_FOR_DATA_COLUMN_SIDECARS_REQUESTS: retention,
  }
}
