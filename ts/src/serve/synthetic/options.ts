/** What a made chain is to be like: its options, their defaults, and what is refused in them. */
import { CELLS_PER_EXT_BLOB, DATA_RETENTION_EPOCHS } from '../../beacon/constants.ts'
import { CELL_BYTES } from '../../beacon/ssz/layout.ts'
import { refuseNonListener } from '../../util/notify.ts'
import { optionsOf, refuseNonBoolean, refuseUnknown } from '../../util/options.ts'
import { refuseNonSignal } from '../../util/signals.ts'
import type { PlatformSignal } from '../../util/platform-types.ts'
import type { ChainProgress } from '../chain.ts'

/** A blob with its commitment, its cells, and their proofs. */
export interface ProvedBlob {
  /** 48 bytes. */
  readonly commitment: Uint8Array
  /** The 128 cells in order, 2,048 bytes each; the first 64 are the blob itself. */
  readonly cells: readonly Uint8Array[]
  /** The proofs of the 128 cells in order, 48 bytes each. */
  readonly proofs: readonly Uint8Array[]
}

/** Options of `makeChain`. */
export interface MakeChainOptions {
  /** How many slots with blocks there are at the start; the last of them is the head. Default 160. */
  readonly slots?: number
  /** The first slot after genesis that has a block, rounded up to the start of an epoch; default 2 epochs. The slots between are empty. */
  readonly firstSlot?: number
  /**
   * How many blobs each block has, up to 128, or a function that says so of a slot; default 6. The chain has three blobs more than the
   * largest of the blocks at the start, and each block takes some of them. Blocks that come later have no more blobs than there are.
   */
  readonly blobsPerBlock?: number | ((slot: number) => number)
  /** Says of a slot whether it has no block; default: each slot has one. The first slot has a block, whatever is said of it. */
  readonly isMissed?: (slot: number) => boolean
  /** The most blobs of a block by the network’s blob schedule (EIP-7892); default 21, or `blobsPerBlock` where that is a greater number. */
  readonly maxBlobsPerBlock?: number
  /** The epoch in which Gloas begins, after the first slot’s; default never. */
  readonly gloasForkEpoch?: number
  /**
   * Says of a slot of Gloas whether the payload of its block is never revealed; default: each is. Such a block has commitments in its
   * bid, and neither envelope, nor columns, nor blobs are served of it.
   */
  readonly isPayloadWithheld?: (slot: number) => boolean
  /** The length of a slot, in whole seconds; default 12. */
  readonly secondsPerSlot?: number
  /**
   * The time of slot 0, in whole seconds of Unix time; default: so long ago that the last of `slots` begins now (with a clock `by-hand`,
   * 1,700,000,000). Equal options and equal genesis times make equal chains, however often, and wherever. The last of `slots` must have begun;
   * with a clock that runs, the slots since then are made, too.
   */
  readonly genesisTime?: number
  /** How many slots an epoch has; default 32. */
  readonly slotsPerEpoch?: number
  /** How many epochs a sync committee period has; default 256. */
  readonly epochsPerSyncCommitteePeriod?: number
  /**
   * How many members a sync committee has: a multiple of 8, up to 512, which is the default. With 32 the blocks are those of the minimal preset.
   * A light client follows any such chain; its blocks can be read with 32 and 512 alone, since each preset has one size.
   */
  readonly syncCommitteeSize?: number
  /**
   * For how many epochs the nodes of its network must serve the data of a block, by its network config; default 4,096. The chain itself keeps all of it.
   */
  readonly dataRetentionEpochs?: number
  /**
   * How time goes on the chain. With `running`, the default, slots come by this machine’s clock, and the head is of the present slot.
   * With `by-hand` time stands still until `chain.advance(slots)` is called.
   */
  readonly clock?: 'running' | 'by-hand'
  /**
   * Whether headers are signed by their proposer; default true. A signature takes 10 ms when its header is asked for first. With false
   * there are 96 zeros in its place.
   */
  readonly signHeaders?: boolean
  /** The seed from which blobs are drawn: equal seeds make equal blobs. Default 1. */
  readonly seed?: number
  /**
   * A blob that is proved already, as `computeCellsAndKzgProofs` proves it: the blobs of the chain are its multiples then, and nothing is
   * proved, so that no worker, no module and no setup are needed. Its proofs are taken as they are: false ones make false ones.
   * Default: a blob of random field elements, drawn from `seed`, which is proved.
   */
  readonly firstBlob?: ProvedBlob
  /** Called as proofs are computed, with how many blobs are done, and how many there will be. */
  readonly onProgress?: ((progress: ChainProgress) => void) | undefined
  /** Ends the making of the chain; the promise then rejects with the signal’s reason. */
  readonly signal?: PlatformSignal | undefined
}

/** The options of a made chain, read and complete. */
export interface ChainSettings {
  readonly slots: number
  readonly firstSlot: number
  readonly blobsAt: (slot: number) => number
  readonly isMissed: (slot: number) => boolean
  readonly maxBlobsPerBlock: number
  /** Infinity where it never begins. */
  readonly gloasForkEpoch: number
  readonly isPayloadWithheld: (slot: number) => boolean
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  readonly epochsPerSyncCommitteePeriod: number
  readonly syncCommitteeSize: number
  readonly dataRetentionEpochs: number
  readonly isByHand: boolean
  readonly signHeaders: boolean
  readonly seed: number
  readonly genesisTime: number | undefined
  readonly firstBlob: ProvedBlob | undefined
}

/** MAX_BLOB_COMMITMENTS_PER_BLOCK is more; nobody has memory for it. */
const MOST_BLOBS = 128

/**
 * Reads the options of `makeChain` with their defaults. Throws `TypeError` for what is no integer in its range, of another type, or no option at
 * all.
 */
export function readSettings(options: MakeChainOptions): ChainSettings {
  const {
    slots = 160,
    slotsPerEpoch = 32,
    firstSlot = 2 * slotsPerEpoch,
    blobsPerBlock = 6,
    isMissed = () => false,
    maxBlobsPerBlock = Math.max(21, typeof blobsPerBlock === 'number' ? blobsPerBlock : 0),
    gloasForkEpoch = Infinity,
    isPayloadWithheld = () => false,
    secondsPerSlot = 12,
    genesisTime,
    epochsPerSyncCommitteePeriod = 256,
    syncCommitteeSize = 512,
    dataRetentionEpochs = DATA_RETENTION_EPOCHS,
    clock = 'running',
    signHeaders = true,
    seed = 1,
    firstBlob,
    onProgress,
    signal,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  refuseNonListener(isMissed, 'isMissed')
  refuseNonListener(isPayloadWithheld, 'isPayloadWithheld')
  refuseNonListener(onProgress, 'onProgress')
  refuseNonBoolean(signHeaders, 'signHeaders')
  refuseNonSignal(signal)
  if (clock !== 'running' && clock !== 'by-hand')
    throw new TypeError(`clock must be 'running' or 'by-hand', not ${String(clock)}`)
  integer('slotsPerEpoch', slotsPerEpoch, 1)
  const most =
    typeof blobsPerBlock === 'function' ? 0 : integer('blobsPerBlock', blobsPerBlock, 0, MOST_BLOBS)
  integer('maxBlobsPerBlock', maxBlobsPerBlock, Math.max(most, 1), MOST_BLOBS)
  if (integer('syncCommitteeSize', syncCommitteeSize, 8, 512) % 8 !== 0)
    throw new TypeError('syncCommitteeSize must be a multiple of 8')
  const firstEpoch = Math.ceil(integer('firstSlot', firstSlot, 1) / slotsPerEpoch)
  if (gloasForkEpoch !== Infinity) integer('gloasForkEpoch', gloasForkEpoch, firstEpoch + 1)
  return {
    slots: integer('slots', slots, 1),
    firstSlot: firstEpoch * slotsPerEpoch,
    gloasForkEpoch,
    isPayloadWithheld,
    blobsAt:
      typeof blobsPerBlock === 'function'
        ? (slot) => integer('blobsPerBlock', blobsPerBlock(slot), 0, maxBlobsPerBlock)
        : () => blobsPerBlock,
    isMissed,
    maxBlobsPerBlock,
    secondsPerSlot: integer('secondsPerSlot', secondsPerSlot, 1),
    slotsPerEpoch,
    epochsPerSyncCommitteePeriod: integer('epochsPerSyncCommitteePeriod', epochsPerSyncCommitteePeriod, 1),
    syncCommitteeSize,
    dataRetentionEpochs: integer('dataRetentionEpochs', dataRetentionEpochs, 0),
    isByHand: clock === 'by-hand',
    signHeaders,
    seed: integer('seed', seed, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    genesisTime: genesisTime === undefined ? undefined : integer('genesisTime', genesisTime, 0, 2 ** 40),
    firstBlob: firstBlob && wholeBlob(firstBlob),
  }
}

function wholeBlob(blob: ProvedBlob): ProvedBlob {
  const { commitment, cells, proofs } = blob
  const areBytes = (list: readonly Uint8Array[], count: number, length: number): boolean =>
    list.length === count && list.every((one) => one instanceof Uint8Array && one.length === length)
  const isWhole =
    areBytes([commitment], 1, 48) &&
    areBytes(cells, CELLS_PER_EXT_BLOB, CELL_BYTES) &&
    areBytes(proofs, CELLS_PER_EXT_BLOB, 48)
  if (!isWhole)
    throw new TypeError(
      'firstBlob must have a commitment of 48 bytes, 128 cells of 2,048 bytes and 128 proofs of 48 bytes',
    )
  return blob
}

/** The value, which is an integer in its range. Throws `TypeError` for any other. */
export function integer(name: string, value: number, least: number, most: number = 2 ** 31): number {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${String(value)}`)
  return value
}
