/**
 * Networks: when their forks are, and how many blobs a block may hold at which epoch.
 * Sources: configs/*.yaml of ethereum/consensus-specs and eth-clients, EIP-7607 and EIP-7892.
 */

/** The networks known by name. */
export type NetworkName = 'mainnet' | 'sepolia' | 'hoodi' | 'holesky'

/** What verification needs to know about a network. A fork that is not scheduled is at epoch `Infinity`. */
export interface NetworkConfig {
  /** Unix time of slot 0, in seconds. */
  readonly genesisTime: number
  /** Default 12. */
  readonly secondsPerSlot?: number
  /** Default 32 (the spec's minimal preset has 8). */
  readonly slotsPerEpoch?: number
  /** The epochs at which the forks that matter to blobs begin. */
  readonly forkEpochs: {
    readonly deneb: number
    readonly electra: number
    readonly fulu: number
    readonly gloas?: number
  }
  /** MAX_BLOBS_PER_BLOCK and MAX_BLOBS_PER_BLOCK_ELECTRA; default 6 and 9. */
  readonly maxBlobsPerBlock?: { readonly deneb: number; readonly electra: number }
  /** BLOB_SCHEDULE of EIP-7892, in any order. */
  readonly blobSchedule?: readonly { readonly epoch: number; readonly maxBlobsPerBlock: number }[]
}

/** The forks that change what a blob transaction looks like, by either layer's name. */
export type ForkName = 'deneb' | 'cancun' | 'electra' | 'prague' | 'fulu' | 'osaka'

export const networks: Readonly<Record<NetworkName, NetworkConfig>> = {
  mainnet: {
    genesisTime: 1606824023,
    forkEpochs: { deneb: 269568, electra: 364032, fulu: 411392 },
    blobSchedule: [
      { epoch: 412672, maxBlobsPerBlock: 15 },
      { epoch: 419072, maxBlobsPerBlock: 21 },
    ],
  },
  sepolia: {
    genesisTime: 1655733600,
    forkEpochs: { deneb: 132608, electra: 222464, fulu: 272640 },
    blobSchedule: [
      { epoch: 274176, maxBlobsPerBlock: 15 },
      { epoch: 275712, maxBlobsPerBlock: 21 },
    ],
  },
  hoodi: {
    genesisTime: 1742213400,
    forkEpochs: { deneb: 0, electra: 2048, fulu: 50688 },
    blobSchedule: [
      { epoch: 52480, maxBlobsPerBlock: 15 },
      { epoch: 54016, maxBlobsPerBlock: 21 },
    ],
  },
  holesky: {
    genesisTime: 1695902400,
    forkEpochs: { deneb: 29696, electra: 115968, fulu: 165120 },
    blobSchedule: [
      { epoch: 166400, maxBlobsPerBlock: 15 },
      { epoch: 167936, maxBlobsPerBlock: 21 },
    ],
  },
}

/** The config of a network given by name or as a config; `TypeError` for anything else. */
export function resolveNetwork(network: NetworkName | NetworkConfig = 'mainnet'): NetworkConfig {
  const config =
    typeof network === 'string' ? (Object.hasOwn(networks, network) ? networks[network] : undefined) : network
  if (typeof config !== 'object' || config === null) throw new TypeError(`unknown network ${String(network)}`)
  networkWords(config) // throws for anything that is not a config
  return config
}

const FAR_FUTURE = 2n ** 64n - 1n

function word(value: number, name: string): bigint {
  if (value === Infinity) return FAR_FUTURE
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`${name} must be a non-negative integer, not ${String(value)}`)
  return BigInt(value)
}

/** A config in the form that the WASM module reads: see `NetworkConfig::from_words` in crates/beacon. */
export function networkWords(config: NetworkConfig): BigUint64Array<ArrayBuffer> {
  const { forkEpochs, maxBlobsPerBlock = { deneb: 6, electra: 9 }, blobSchedule = [] } = config
  if (typeof forkEpochs !== 'object' || forkEpochs === null)
    throw new TypeError('a network config needs forkEpochs')
  word(config.genesisTime, 'genesisTime')
  word(config.secondsPerSlot ?? 12, 'secondsPerSlot')
  if (config.secondsPerSlot === 0 || config.slotsPerEpoch === 0)
    throw new TypeError('slots and epochs cannot be of length 0')
  return BigUint64Array.from([
    word(config.slotsPerEpoch ?? 32, 'slotsPerEpoch'),
    word(forkEpochs.deneb, 'forkEpochs.deneb'),
    word(forkEpochs.electra, 'forkEpochs.electra'),
    word(forkEpochs.fulu, 'forkEpochs.fulu'),
    word(forkEpochs.gloas ?? Infinity, 'forkEpochs.gloas'),
    word(maxBlobsPerBlock.deneb, 'maxBlobsPerBlock.deneb'),
    word(maxBlobsPerBlock.electra, 'maxBlobsPerBlock.electra'),
    ...blobSchedule.flatMap((entry) => [
      word(entry.epoch, 'blobSchedule epoch'),
      word(entry.maxBlobsPerBlock, 'blobSchedule maxBlobsPerBlock'),
    ]),
  ])
}

/** The execution-layer forks as the WASM module numbers them: see `Fork` in crates/execution. */
export const executionForks: Readonly<Record<ForkName, 0 | 1 | 2>> = {
  deneb: 0,
  cancun: 0,
  electra: 1,
  prague: 1,
  fulu: 2,
  osaka: 2,
}

/** The fork in force at a Unix time in seconds; undefined before blobs existed. */
export function forkAtTimestamp(config: NetworkConfig, timestamp: number): ForkName | undefined {
  const slot = Math.floor((timestamp - config.genesisTime) / (config.secondsPerSlot ?? 12))
  const epoch = Math.floor(slot / (config.slotsPerEpoch ?? 32))
  const { deneb, electra, fulu } = config.forkEpochs
  return epoch >= fulu ? 'osaka' : epoch >= electra ? 'prague' : epoch >= deneb ? 'cancun' : undefined
}
