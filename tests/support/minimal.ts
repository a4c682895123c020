/** The networks of the specs' cases, which have the minimal preset. */
import type { NetworkConfig } from 'blobcheck'

const forks = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu'] as const

/** The network of a `config.yaml`, parsed. What it does not say is of the minimal preset, with no fork scheduled. */
export function minimal(config: Record<string, unknown>, genesisValidatorsRoot: string): NetworkConfig {
  const version = (name: string): string =>
    `0x${Number(config[`${name}_FORK_VERSION`] ?? 0)
      .toString(16)
      .padStart(8, '0')}`
  const epoch = (name: string): number => {
    const value = Number(config[`${name}_FORK_EPOCH`] ?? Infinity)
    return Number.isSafeInteger(value) ? value : Infinity
  }
  const each = <T>(of: (name: string) => T): Record<(typeof forks)[number], T> =>
    Object.fromEntries(forks.map((fork) => [fork, of(fork.toUpperCase())])) as Record<
      (typeof forks)[number],
      T
    >
  const schedule = (config['BLOB_SCHEDULE'] ?? []) as { EPOCH: number; MAX_BLOBS_PER_BLOCK: number }[]
  return {
    genesisTime: 0,
    slotsPerEpoch: 8,
    syncCommitteeSize: 32,
    epochsPerSyncCommitteePeriod: 8,
    forkEpochs: { ...each(epoch), gloas: epoch('GLOAS') },
    blobSchedule: schedule.map((entry) => ({
      epoch: entry.EPOCH,
      maxBlobsPerBlock: entry.MAX_BLOBS_PER_BLOCK,
    })),
    signing: {
      genesisValidatorsRoot,
      forkVersions: { genesis: version('GENESIS'), ...each(version), gloas: version('GLOAS') },
    },
  }
}
