/** What a made chain is to be like. */

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
  /** Limit of the network's blob schedule; default 21, or as many as there are in a block. */
  readonly maxBlobsPerBlock?: number
  /** Default 12. */
  readonly secondsPerSlot?: number
  /** Default 32. */
  readonly slotsPerEpoch?: number
  /** Default 256. */
  readonly epochsPerSyncCommitteePeriod?: number
  /** Default 512; a multiple of 8. */
  readonly syncCommitteeSize?: number
  /**
   * `running`: slots come as time goes, from now on. `by-hand`: time stands still but for `advance`. Default `running`.
   */
  readonly clock?: 'running' | 'by-hand'
  /** Whether headers have a proposer's signature, 10 ms each when it is wanted first; default true, else it is zeros. */
  readonly signHeaders?: boolean
  /** What blobs are drawn from; default 1. */
  readonly seed?: number
  /** How far the proofs have come. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
}
