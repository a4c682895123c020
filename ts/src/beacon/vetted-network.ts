/** The config of a network, given by name or in full, vetted for all entries. */
import {
  DATA_RETENTION_EPOCHS,
  MAX_BLOB_COMMITMENTS_PER_BLOCK,
  SECONDS_PER_SLOT,
  SLOTS_PER_EPOCH,
} from './constants.ts'
import { FORKS, type ForkSchedule } from './forks.ts'
import { type NetworkConfig, type NetworkName, networks } from './networks.ts'

/** A config that has been vetted: each field that has a default is there, and all make sense together. */
export interface VettedNetwork
  extends ForkSchedule, Required<Omit<NetworkConfig, 'signing' | keyof ForkSchedule>> {
  readonly signing?: NonNullable<NetworkConfig['signing']>
}

/**
 * The config of a network given by name or as a config, as a copy that no caller can change any more. It is vetted here, once and
 * whole, for all entries: a config that makes no sense would make honest data look malformed. Throws `TypeError`, which names the
 * field.
 */
export function resolveNetwork(network: NetworkName | NetworkConfig = 'mainnet'): VettedNetwork {
  const named =
    typeof network === 'string' && Object.hasOwn(networks, network) ? networks[network] : undefined
  const config = named ?? network
  if (typeof config !== 'object' || config === null)
    throw new TypeError(`unknown network ${shown(config)}, not one of ${Object.keys(networks).join(', ')}`)
  return vetted(config)
}

/** Beyond the year 10,000, and far below where products of these would be no safe integers. */
const MAX_SECONDS = 2 ** 38
const MAX_LENGTH = 2 ** 20

/** A value of whatever kind in a message; one that cannot be written throws a `TypeError`, too. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 80)

function integer(value: number, name: string, least: number, most: number): number {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${shown(value)}`)
  return value
}

/** An epoch that comes, or `Infinity`. */
function checkEpoch(value: number, name: string): void {
  if (value !== Infinity && (!Number.isSafeInteger(value) || value < 0))
    throw new TypeError(`${name} must be a non-negative integer, not ${shown(value)}`)
}

function checkHex(value: unknown, name: string, bytes: number): void {
  if (typeof value !== 'string' || value.length !== 2 + 2 * bytes || !/^0x[0-9a-f]*$/i.test(value))
    throw new TypeError(`${name} must be ${bytes} bytes as 0x hex, not ${shown(value)}`)
}

function record<T extends object>(value: T, name: string): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`a network config needs ${name}, an object`)
  return value
}

/** A copy of a config, each field of it checked. */
function vetted(config: NetworkConfig): VettedNetwork {
  // Each property once: what is used is what was looked at. What is not ours (a label, say) goes along.
  const {
    genesisTime,
    secondsPerSlot = SECONDS_PER_SLOT,
    slotsPerEpoch = SLOTS_PER_EPOCH,
    forkEpochs,
    maxBlobsPerBlock: limits = { deneb: 6, electra: 9 },
    blobSchedule = [],
    signing,
    syncCommitteeSize = 512,
    epochsPerSyncCommitteePeriod = 256,
    dataRetentionEpochs = DATA_RETENTION_EPOCHS,
    ...rest
  } = config
  if (secondsPerSlot === 0 || slotsPerEpoch === 0)
    throw new TypeError('slots and epochs cannot be of length 0')
  const epochs = vettedEpochs(record(forkEpochs, 'forkEpochs'))
  const { deneb, electra } = record(limits, 'maxBlobsPerBlock')
  if (syncCommitteeSize % 8 !== 0) throw new TypeError('syncCommitteeSize must be a multiple of 8')
  return Object.freeze({
    ...rest,
    genesisTime: integer(genesisTime, 'genesisTime', 0, MAX_SECONDS),
    secondsPerSlot: integer(secondsPerSlot, 'secondsPerSlot', 1, MAX_SECONDS),
    slotsPerEpoch: integer(slotsPerEpoch, 'slotsPerEpoch', 1, MAX_LENGTH),
    forkEpochs: epochs,
    unsupportedForkEpoch: Math.min(...unknownForks(forkEpochs, epochs)),
    maxBlobsPerBlock: Object.freeze({
      deneb: blobLimit(deneb, 'maxBlobsPerBlock.deneb'),
      electra: blobLimit(electra, 'maxBlobsPerBlock.electra'),
    }),
    blobSchedule: vettedSchedule(blobSchedule),
    syncCommitteeSize: integer(syncCommitteeSize, 'syncCommitteeSize', 8, 512),
    epochsPerSyncCommitteePeriod: integer(
      epochsPerSyncCommitteePeriod,
      'epochsPerSyncCommitteePeriod',
      1,
      MAX_LENGTH,
    ),
    dataRetentionEpochs: integer(dataRetentionEpochs, 'dataRetentionEpochs', 0, Number.MAX_SAFE_INTEGER),
    ...(signing !== undefined && { signing: vettedSigning(signing, epochs.gloas < Infinity) }),
  })
}

/** Those before Deneb may be left out, and are then at genesis. */
function vettedEpochs(given: NetworkConfig['forkEpochs']): VettedNetwork['forkEpochs'] {
  const { altair = 0, bellatrix = 0, capella = 0, gloas = Infinity, ...others } = given
  const epochs = { altair, bellatrix, capella, ...others, gloas }
  let before: string = 'genesis'
  let last = 0
  for (const fork of FORKS) {
    const name = `forkEpochs.${fork}`
    checkEpoch(epochs[fork], name)
    if (epochs[fork] < last) throw new TypeError(`${name} cannot be before ${before}`)
    before = name
    last = epochs[fork]
  }
  return Object.freeze(epochs)
}

/**
 * The epochs of forks that this version does not know, and of which it knows no more than that they follow Gloas. Where Gloas has no date, it
 * comes with the first of them at the latest.
 */
function unknownForks(given: NetworkConfig['forkEpochs'], epochs: VettedNetwork['forkEpochs']): number[] {
  const known: readonly string[] = FORKS
  const last = epochs.gloas < Infinity ? 'gloas' : 'fulu'
  return Object.entries(given)
    .filter(([name]) => !known.includes(name))
    .map(([name, epoch = Infinity]) => {
      checkEpoch(epoch, `forkEpochs.${name.slice(0, 40)}`)
      if (epoch < epochs[last])
        throw new TypeError(`forkEpochs.${name.slice(0, 40)} cannot be before ${last}`)
      return epoch
    })
}

function blobLimit(value: number, name: string): number {
  return integer(value, name, 0, MAX_BLOB_COMMITMENTS_PER_BLOCK)
}

/** Entries in any order; two of one epoch contradict each other. */
function vettedSchedule(schedule: VettedNetwork['blobSchedule']): VettedNetwork['blobSchedule'] {
  if (!Array.isArray(schedule)) throw new TypeError('blobSchedule must be a list')
  const epochs = new Set<number>()
  const entries = Array.from(schedule as VettedNetwork['blobSchedule'], (entry, at) => {
    const name = `blobSchedule[${at}]`
    const { epoch, maxBlobsPerBlock } = record(entry, name)
    checkEpoch(epoch, `${name}.epoch`)
    if (epochs.has(epoch)) throw new TypeError(`blobSchedule has two entries of epoch ${epoch}`)
    epochs.add(epoch)
    const limit = blobLimit(maxBlobsPerBlock, `${name}.maxBlobsPerBlock`)
    return Object.freeze({ epoch, maxBlobsPerBlock: limit })
  })
  return Object.freeze(entries)
}

function vettedSigning(
  signing: NonNullable<NetworkConfig['signing']>,
  hasGloas: boolean,
): NonNullable<NetworkConfig['signing']> {
  const { genesisValidatorsRoot } = record(signing, 'signing')
  const versions = { ...record(signing.forkVersions, 'signing.forkVersions') }
  checkHex(genesisValidatorsRoot, 'signing.genesisValidatorsRoot', 32)
  for (const fork of ['genesis', ...FORKS] as const)
    if (fork !== 'gloas' || hasGloas || versions.gloas !== undefined)
      checkHex(versions[fork], `signing.forkVersions.${fork}`, 4)
  return Object.freeze({ genesisValidatorsRoot, forkVersions: Object.freeze(versions) })
}
