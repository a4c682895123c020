/**
 * Networks: when their forks are, and how many blobs a block may hold at which epoch.
 * Sources: configs/*.yaml of ethereum/consensus-specs and eth-clients, EIP-7607 and EIP-7892.
 */
import { MAX_BLOB_COMMITMENTS_PER_BLOCK, SECONDS_PER_SLOT, SLOTS_PER_EPOCH } from './constants.ts'

/** The networks known by name. */
export type NetworkName = 'mainnet' | 'sepolia' | 'hoodi' | 'holesky' | 'plataberget'

/** What verification needs to know about a network. A fork that is not scheduled is at epoch `Infinity`. */
export interface NetworkConfig {
  /** Unix time of slot 0, in seconds. */
  readonly genesisTime: number
  /** SECONDS_PER_SLOT; default 12. */
  readonly secondsPerSlot?: number
  /** SLOTS_PER_EPOCH; default 32 (the spec's minimal preset has 8). */
  readonly slotsPerEpoch?: number
  /** The epochs at which the forks begin. Those before Deneb matter to the light client alone; default 0. */
  readonly forkEpochs: {
    readonly altair?: number
    readonly bellatrix?: number
    readonly capella?: number
    readonly deneb: number
    readonly electra: number
    readonly fulu: number
    readonly gloas?: number
    /**
     * A fork after Gloas, by whatever name, also where Gloas has no date yet. This version knows none: from the earliest one's epoch on
     * everything is refused as of an unsupported fork, and nobody is blamed for it.
     */
    readonly [later: string]: number | undefined
  }
  /** MAX_BLOBS_PER_BLOCK and MAX_BLOBS_PER_BLOCK_ELECTRA; default 6 and 9. */
  readonly maxBlobsPerBlock?: { readonly deneb: number; readonly electra: number }
  /** BLOB_SCHEDULE of EIP-7892, in any order. */
  readonly blobSchedule?: readonly { readonly epoch: number; readonly maxBlobsPerBlock: number }[]
  /** What signatures are made under: needed by the light client, for `proposerKey`, and for anchors that are a light client's headers. */
  readonly signing?: {
    /** `genesis_validators_root`: 32 bytes as 0x hex. */
    readonly genesisValidatorsRoot: string
    /** The version of each fork: 4 bytes as 0x hex. One that is never scheduled needs none. */
    readonly forkVersions: { readonly [fork in ForkVersionName]: string } & { readonly gloas?: string }
  }
  /** SYNC_COMMITTEE_SIZE; default 512 (the minimal preset has 32). */
  readonly syncCommitteeSize?: number
  /** EPOCHS_PER_SYNC_COMMITTEE_PERIOD; default 256 (the minimal preset has 8). */
  readonly epochsPerSyncCommitteePeriod?: number
}

/** The forks whose versions each config says, from genesis on. Gloas has one, too, which may be left out where Gloas is not scheduled. */
export type ForkVersionName = 'genesis' | 'altair' | 'bellatrix' | 'capella' | 'deneb' | 'electra' | 'fulu'

/** The forks that change what a blob transaction looks like, by either layer's name. */
export type ForkName = 'deneb' | 'cancun' | 'electra' | 'prague' | 'fulu' | 'osaka'

/**
 * The configs of the networks known by name, to start a config of your own from. Sources: configs/mainnet.yaml of
 * ethereum/consensus-specs, the repositories of eth-clients, and for Plåtaberget, the public test network of Gloas, that of
 * ethpandaops/glamsterdam-devnets. Gloas began on Sepolia at epoch 353024; on mainnet, Hoodi and Holesky it is not scheduled.
 *
 * @example
 * ```ts
 * import { createVerifier, networks } from 'blobcheck'
 *
 * const { blobSchedule = [] } = networks.mainnet
 * const network = { ...networks.mainnet, blobSchedule: [...blobSchedule, { epoch: 500_000, maxBlobsPerBlock: 32 }] }
 * const verifier = await createVerifier({ network })
 * ```
 */
export const networks: Readonly<Record<NetworkName, NetworkConfig>> = {
  mainnet: {
    genesisTime: 1606824023,
    forkEpochs: {
      altair: 74240,
      bellatrix: 144896,
      capella: 194048,
      deneb: 269568,
      electra: 364032,
      fulu: 411392,
    },
    blobSchedule: [
      { epoch: 412672, maxBlobsPerBlock: 15 },
      { epoch: 419072, maxBlobsPerBlock: 21 },
    ],
    signing: {
      genesisValidatorsRoot: '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
      forkVersions: {
        genesis: '0x00000000',
        altair: '0x01000000',
        bellatrix: '0x02000000',
        capella: '0x03000000',
        deneb: '0x04000000',
        electra: '0x05000000',
        fulu: '0x06000000',
        gloas: '0x07000000',
      },
    },
  },
  sepolia: {
    genesisTime: 1655733600,
    forkEpochs: {
      altair: 50,
      bellatrix: 100,
      capella: 56832,
      deneb: 132608,
      electra: 222464,
      fulu: 272640,
      gloas: 353024,
    },
    blobSchedule: [
      { epoch: 274176, maxBlobsPerBlock: 15 },
      { epoch: 275712, maxBlobsPerBlock: 21 },
    ],
    signing: {
      genesisValidatorsRoot: '0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078',
      forkVersions: {
        genesis: '0x90000069',
        altair: '0x90000070',
        bellatrix: '0x90000071',
        capella: '0x90000072',
        deneb: '0x90000073',
        electra: '0x90000074',
        fulu: '0x90000075',
        gloas: '0x90000076',
      },
    },
  },
  hoodi: {
    genesisTime: 1742213400,
    forkEpochs: { altair: 0, bellatrix: 0, capella: 0, deneb: 0, electra: 2048, fulu: 50688 },
    blobSchedule: [
      { epoch: 52480, maxBlobsPerBlock: 15 },
      { epoch: 54016, maxBlobsPerBlock: 21 },
    ],
    signing: {
      genesisValidatorsRoot: '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
      forkVersions: {
        genesis: '0x10000910',
        altair: '0x20000910',
        bellatrix: '0x30000910',
        capella: '0x40000910',
        deneb: '0x50000910',
        electra: '0x60000910',
        fulu: '0x70000910',
        gloas: '0x80000910',
      },
    },
  },
  holesky: {
    genesisTime: 1695902400,
    forkEpochs: { altair: 0, bellatrix: 0, capella: 256, deneb: 29696, electra: 115968, fulu: 165120 },
    blobSchedule: [
      { epoch: 166400, maxBlobsPerBlock: 15 },
      { epoch: 167936, maxBlobsPerBlock: 21 },
    ],
    signing: {
      genesisValidatorsRoot: '0x9143aa7c615a7f7115e2b6aac319c03529df8242ae705fba9df39b79c59fa8b1',
      forkVersions: {
        genesis: '0x01017000',
        altair: '0x02017000',
        bellatrix: '0x03017000',
        capella: '0x04017000',
        deneb: '0x05017000',
        electra: '0x06017000',
        fulu: '0x07017000',
      },
    },
  },
  plataberget: {
    genesisTime: 1786622400,
    forkEpochs: { altair: 0, bellatrix: 0, capella: 0, deneb: 0, electra: 0, fulu: 0, gloas: 1536 },
    blobSchedule: [{ epoch: 0, maxBlobsPerBlock: 21 }],
    signing: {
      genesisValidatorsRoot: '0xbb4a1a9e3f7f4e10edcd734e4acc3b5ffd4f830efe0af2748fa458cfee5d2658',
      forkVersions: {
        genesis: '0x10733183',
        altair: '0x20733183',
        bellatrix: '0x30733183',
        capella: '0x40733183',
        deneb: '0x50733183',
        electra: '0x60733183',
        fulu: '0x70733183',
        gloas: '0x80733183',
      },
    },
  },
}

/** The forks in the order in which they are, each not before the one before it. */
export const FORKS = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu', 'gloas'] as const

/** A fork with light clients, by its name in `Eth-Consensus-Version`. */
export type Fork = (typeof FORKS)[number]

/** A config that has been vetted: each field that has a default is there, and all make sense together. */
export interface VettedNetwork extends Required<Omit<NetworkConfig, 'signing'>> {
  readonly forkEpochs: { readonly [fork in Fork]: number }
  /** The first epoch of a fork that this version does not know; `Infinity` where the config has none. */
  readonly unsupportedForkEpoch: number
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

/** An execution-layer fork as the WASM module numbers it: see `Fork` in crates/execution. */
export type ExecutionFork = 0 | 1 | 2

/** The execution-layer forks by the names of either layer. */
export const executionForks: Readonly<Record<ForkName, ExecutionFork>> = {
  deneb: 0,
  cancun: 0,
  electra: 1,
  prague: 1,
  fulu: 2,
  osaka: 2,
}

/** The fork in force at a Unix time in seconds; null for one that this version does not know, undefined before blobs existed. */
export function forkAtTimestamp(config: VettedNetwork, timestamp: number): ExecutionFork | null | undefined {
  const { forkEpochs, genesisTime, secondsPerSlot, slotsPerEpoch, unsupportedForkEpoch } = config
  // With a part of an epoch, which no comparison with a whole number sees.
  const epoch = (timestamp - genesisTime) / secondsPerSlot / slotsPerEpoch
  if (epoch >= unsupportedForkEpoch) return null
  const { deneb, electra, fulu } = forkEpochs
  return epoch >= fulu ? 2 : epoch >= electra ? 1 : epoch >= deneb ? 0 : undefined
}
