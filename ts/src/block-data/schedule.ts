/** What a block's slot decides: in what form its data is there, how much of it there can be, and for how long. */
import { forkAtEpoch } from '../beacon/fork-at-epoch.ts'
import type { Fork } from '../beacon/forks.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'

/**
 * `blobs` since Deneb, `columns` since Fulu; `bid-columns` since Gloas, whose columns are of the commitments in their block's bid; `none` before Deneb,
 * `unsupported` from a fork on that is not known.
 */
export type DataForm = 'none' | 'blobs' | 'columns' | 'bid-columns' | 'unsupported'

const forms: Readonly<Record<Fork | 'phase0', DataForm>> = {
  phase0: 'none',
  altair: 'none',
  bellatrix: 'none',
  capella: 'none',
  deneb: 'blobs',
  electra: 'blobs',
  fulu: 'columns',
  gloas: 'bid-columns',
}

/** The schedule of a network's forks and blobs, asked by slot. */
export class DataSchedule {
  readonly #network: VettedNetwork

  constructor(network: VettedNetwork) {
    this.#network = network
  }

  get secondsPerSlot(): number {
    return this.#network.secondsPerSlot
  }

  /** The first epoch of a fork that is not known; `Infinity` where there is none. */
  get unsupportedEpoch(): number {
    return this.#network.unsupportedForkEpoch
  }

  /** In what form a block's data is kept. */
  form(slot: number): DataForm {
    const fork = forkAtEpoch(this.#network, this.#epochOf(slot))
    return fork === null ? 'unsupported' : forms[fork]
  }

  /** The most blobs that a block can have (get_blob_parameters, specs/fulu/beacon-chain.md). */
  maxBlobs(slot: number): number {
    const epoch = this.#epochOf(slot)
    const { forkEpochs, blobSchedule, maxBlobsPerBlock } = this.#network
    const scheduled = blobSchedule
      .filter((entry) => entry.epoch <= epoch)
      .reduce<(typeof blobSchedule)[number] | undefined>(
        (last, entry) => (last === undefined || entry.epoch > last.epoch ? entry : last),
        undefined,
      )
    if (epoch >= forkEpochs.fulu && scheduled !== undefined) return scheduled.maxBlobsPerBlock
    return epoch >= forkEpochs.electra ? maxBlobsPerBlock.electra : maxBlobsPerBlock.deneb
  }

  /**
   * Whether nodes may have forgotten a block's data by now, in milliseconds of Unix time: whether it is of before the range of epochs that
   * they must serve (DataColumnSidecarsByRange, specs/fulu/p2p-interface.md).
   */
  isExpired(slot: number, now: number): boolean {
    return this.#epochOf(slot) < this.#epochOf(this.presentSlot(now)) - this.#network.dataRetentionEpochs
  }

  /** The slot that it is at a time in milliseconds of Unix time. */
  presentSlot(now: number): number {
    return Math.floor((now / 1000 - this.#network.genesisTime) / this.secondsPerSlot)
  }

  #epochOf(slot: number): number {
    return Math.floor(slot / this.#network.slotsPerEpoch)
  }
}
