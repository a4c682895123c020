/** `/eth/v1/node`, `/eth/v1/config/spec` and `/eth/v1/beacon/genesis`: what a node says of itself and of its network. */
import type { Hono } from '../../vendor/hono.ts'
import { CELLS_PER_EXT_BLOB, COLUMNS } from '../../beacon/constants.ts'
import type { Chain, LabelledNetwork } from '../chain.ts'
import { answer } from './http.ts'

export function addNodeRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/node/version', (context) =>
    answer(context, { json: () => ({ data: { version: `blobcheck-serve (${chain.network.label})` } }) }),
  )
  app.get('/eth/v1/node/health', (context) => context.body(null, 200))
  app.get('/eth/v1/node/syncing', (context) =>
    answer(context, {
      json: () => ({
        data: {
          head_slot: chain.head.slot.toString(),
          sync_distance: '0',
          is_syncing: false,
          is_optimistic: false,
          el_offline: false,
        },
      }),
    }),
  )
}

export function addConfigRoutes(app: Hono, { network, execution }: Chain): void {
  const chainId = execution?.chainId.toString()
  const ids = chainId === undefined ? {} : { DEPOSIT_CHAIN_ID: chainId, DEPOSIT_NETWORK_ID: chainId }
  app.get('/eth/v1/config/spec', (context) =>
    answer(context, { json: () => ({ data: { ...specOf(network), ...ids } }) }),
  )
  app.get('/eth/v1/beacon/genesis', (context) =>
    answer(context, {
      json: () => ({
        data: {
          genesis_time: network.genesisTime.toString(),
          genesis_validators_root: network.signing?.genesisValidatorsRoot ?? `0x${'00'.repeat(32)}`,
          genesis_fork_version: network.signing?.forkVersions.genesis ?? '0x00000000',
        },
      }),
    }),
  )
}

const FAR_FUTURE_EPOCH = '18446744073709551615'
const FORKS = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu', 'gloas'] as const

/** What clients ask a spec for, by the specification's names: configs and presets, as far as they concern blobs and light clients. */
function specOf(network: LabelledNetwork): Record<string, unknown> {
  const { forkEpochs, signing, maxBlobsPerBlock = { deneb: 6, electra: 9 }, blobSchedule = [] } = network
  const slotsPerEpoch = network.slotsPerEpoch ?? 32
  const forks = FORKS.flatMap((fork) => {
    const epoch = forkEpochs[fork] ?? (fork === 'gloas' ? Infinity : 0)
    const name = fork.toUpperCase()
    return [
      [`${name}_FORK_EPOCH`, epoch === Infinity ? FAR_FUTURE_EPOCH : epoch.toString()],
      [`${name}_FORK_VERSION`, signing?.forkVersions[fork] ?? '0x00000000'],
    ]
  })
  return {
    PRESET_BASE: slotsPerEpoch === 32 ? 'mainnet' : 'minimal',
    CONFIG_NAME: network.label.split(':')[0],
    SECONDS_PER_SLOT: (network.secondsPerSlot ?? 12).toString(),
    SLOTS_PER_EPOCH: slotsPerEpoch.toString(),
    GENESIS_FORK_VERSION: signing?.forkVersions.genesis ?? '0x00000000',
    ...Object.fromEntries(forks),
    SYNC_COMMITTEE_SIZE: (network.syncCommitteeSize ?? 512).toString(),
    EPOCHS_PER_SYNC_COMMITTEE_PERIOD: (network.epochsPerSyncCommitteePeriod ?? 256).toString(),
    MIN_SYNC_COMMITTEE_PARTICIPANTS: '1',
    MAX_BLOBS_PER_BLOCK: maxBlobsPerBlock.deneb.toString(),
    MAX_BLOBS_PER_BLOCK_ELECTRA: maxBlobsPerBlock.electra.toString(),
    BLOB_SCHEDULE: blobSchedule.map((entry) => ({
      EPOCH: entry.epoch.toString(),
      MAX_BLOBS_PER_BLOCK: entry.maxBlobsPerBlock.toString(),
    })),
    FIELD_ELEMENTS_PER_BLOB: '4096',
    FIELD_ELEMENTS_PER_CELL: '64',
    CELLS_PER_EXT_BLOB: CELLS_PER_EXT_BLOB.toString(),
    MAX_BLOB_COMMITMENTS_PER_BLOCK: '4096',
    KZG_COMMITMENT_INCLUSION_PROOF_DEPTH: '17',
    KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH: '4',
    NUMBER_OF_COLUMNS: COLUMNS.toString(),
    NUMBER_OF_CUSTODY_GROUPS: '128',
    DATA_COLUMN_SIDECAR_SUBNET_COUNT: '128',
    CUSTODY_REQUIREMENT: '4',
    VALIDATOR_CUSTODY_REQUIREMENT: '8',
    SAMPLES_PER_SLOT: '8',
    MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS: '4096',
    MIN_EPOCHS_FOR_DATA_COLUMN_SIDECARS_REQUESTS: '4096',
  }
}
