/** What a made chain is to be like: its options, their defaults, and what is refused in them. */

/** Options of `makeChain`. */
export interface MakeChainOptions {
  /** Slots with blocks that are there at the start, the last of them the head; default 160. */
  readonly slots?: number
  /** The first slot after genesis; default 2 epochs. What is between the two is empty. Rounded up to a whole epoch. */
  readonly firstSlot?: number
  /**
   * Blobs of each block, up to 128; default 6. There are as many different ones as a block has of the slots at the start, and
   * three more: blocks that come later have no more than those.
   */
  readonly blobsPerBlock?: number | ((slot: number) => number)
  /** Slots without a block; default none. The first one has a block, always. */
  readonly isMissed?: (slot: number) => boolean
  /** The limit in the network's blob schedule; default 21, or `blobsPerBlock` where that is a greater number. */
  readonly maxBlobsPerBlock?: number
  /** Seconds of a slot; default 12. */
  readonly secondsPerSlot?: number
  /** Slots of an epoch; default 32. */
  readonly slotsPerEpoch?: number
  /** Epochs of a sync committee period; default 256. */
  readonly epochsPerSyncCommitteePeriod?: number
  /** Members of a sync committee; default 512, the most; a multiple of 8. */
  readonly syncCommitteeSize?: number
  /**
   * `running`: slots come as time goes, from now on. `by-hand`: time stands still but for `advance`. Default `running`.
   */
  readonly clock?: 'running' | 'by-hand'
  /** Whether headers have a proposer's signature, 10 ms each when it is wanted first; default true, else it is zeros. */
  readonly signHeaders?: boolean
  /** The seed that blobs are drawn from: the same seed makes the same blobs. Default 1. */
  readonly seed?: number
  /** Called as proofs are computed, with how many blobs are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
}

export interface ChainSettings {
  readonly slots: number
  readonly firstSlot: number
  readonly blobsAt: (slot: number) => number
  readonly isMissed: (slot: number) => boolean
  readonly maxBlobsPerBlock: number
  readonly secondsPerSlot: number
  readonly slotsPerEpoch: number
  readonly epochsPerSyncCommitteePeriod: number
  readonly syncCommitteeSize: number
  readonly seed: number
}

/** MAX_BLOB_COMMITMENTS_PER_BLOCK is more; nobody has memory for it. */
const MOST_BLOBS = 128

/** Reads the options of `makeChain` with their defaults. Throws `TypeError` for what is no integer in its range. */
export function readSettings(options: MakeChainOptions): ChainSettings {
  const { blobsPerBlock = 6, isMissed = () => false, seed = 1 } = options
  const slotsPerEpoch = integer('slotsPerEpoch', options.slotsPerEpoch ?? 32, 1)
  const firstSlot = integer('firstSlot', options.firstSlot ?? 2 * slotsPerEpoch, 1)
  const most = typeof blobsPerBlock === 'number' ? integer('blobsPerBlock', blobsPerBlock, 0, MOST_BLOBS) : 0
  const maxBlobsPerBlock = integer(
    'maxBlobsPerBlock',
    options.maxBlobsPerBlock ?? Math.max(21, most),
    Math.max(most, 1),
    MOST_BLOBS,
  )
  const syncCommitteeSize = integer('syncCommitteeSize', options.syncCommitteeSize ?? 512, 8, 512)
  if (syncCommitteeSize % 8 !== 0) throw new TypeError('syncCommitteeSize must be a multiple of 8')
  return {
    slots: integer('slots', options.slots ?? 160, 1),
    firstSlot: Math.ceil(firstSlot / slotsPerEpoch) * slotsPerEpoch,
    blobsAt:
      typeof blobsPerBlock === 'number'
        ? () => blobsPerBlock
        : (slot) => integer('blobsPerBlock', blobsPerBlock(slot), 0, maxBlobsPerBlock),
    isMissed,
    maxBlobsPerBlock,
    secondsPerSlot: integer('secondsPerSlot', options.secondsPerSlot ?? 12, 1),
    slotsPerEpoch,
    epochsPerSyncCommitteePeriod: integer(
      'epochsPerSyncCommitteePeriod',
      options.epochsPerSyncCommitteePeriod ?? 256,
      1,
    ),
    syncCommitteeSize,
    seed,
  }
}

function integer(name: string, value: number, least: number, most: number = 2 ** 31): number {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${String(value)}`)
  return value
}
