/** Options of a made chain with their defaults, checked. */
import type { MakeChainOptions } from './options.ts'

export interface ChainTerms {
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

/** Throws `TypeError` for what makes no chain. */
export function readTerms(options: MakeChainOptions): ChainTerms {
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
