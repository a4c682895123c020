/**
 * Networks: when their forks are, and how many blobs a block may hold at which epoch.
 * Sources: configs/*.yaml of ethereum/consensus-specs and eth-clients, EIP-7607 and EIP-7892.
 */
/** The networks known by name. */
export type NetworkName = 'mainnet' | 'sepolia' | 'hoodi' | 'holesky' | 'plataberget'

/** What verification needs to know about a network. A fork that is not scheduled is at epoch `Infinity`. */
export interface NetworkConfig {
  /** Unix time of slot 0, in seconds. */
  readonly genesisTime: number
  /** SLOT_DURATION_MS in seconds, a whole number of them (SECONDS_PER_SLOT of older configs); default 12. */
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
  /**
   * For how many epochs nodes must serve the data of a block: MIN_EPOCHS_FOR_DATA_COLUMN_SIDECARS_REQUESTS, which counts from Fulu on, and
   * MIN_EPOCHS_FOR_BLOB_SIDECARS_REQUESTS, which counts before; default 4,096 for both. Where a network has two values, give the lower one: of
   * older blocks nobody is accused of having no data any more.
   */
  readonly dataRetentionEpochs?: number
}

/** The forks whose versions each config says, from genesis on. Gloas has one, too, which may be left out where Gloas is not scheduled. */
export type ForkVersionName = 'genesis' | 'altair' | 'bellatrix' | 'capella' | 'deneb' | 'electra' | 'fulu'

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
