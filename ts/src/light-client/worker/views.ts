/** The fixed layouts in which the module says what is in a store or an update: see `view` in crates/wasm-light-client. */
import type { ByteArray } from '../../util/platform-types.ts'

/** A header in a light client's store (`LightClientHeader`), decoded. */
export interface HeaderView {
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly ssz: ByteArray
  /** Its root, which is the block's: 32 bytes. */
  readonly root: ByteArray
  /** The slot of its block. */
  readonly slot: number
  /** The block's own payload: null before Capella, and wherever no more than a hash is known of it, as from Gloas on. */
  readonly execution: {
    /** The block's hash: 32 bytes. */
    readonly blockHash: ByteArray
    /** The block's height. */
    readonly blockNumber: number
    /** Unix time in seconds. */
    readonly timestamp: number
    /** 2¹⁷ for each blob of the block; null before Deneb. */
    readonly blobGasUsed: number | null
  } | null
  /**
   * From Gloas on `bid.parent_block_hash`, 32 bytes: the hash of the last full payload BEFORE this block, and not of its own, which
   * may never be revealed. Null before Gloas.
   */
  readonly parentExecutionBlockHash: ByteArray | null
}

/** What is in a light client's store (`LightClientStore`), decoded: the result of `LightClientSpec.view`. */
export interface StoreView {
  /** The newest header that is final (`finalized_header`). */
  readonly finalized: HeaderView
  /** The newest header that enough of the committee signed (`optimistic_header`). */
  readonly optimistic: HeaderView
  /** The sync committee period of the finalized header. */
  readonly finalizedPeriod: number
  /** The sync committee period of the optimistic header. */
  readonly optimisticPeriod: number
  /** Whether the committee of the period after the finalized header's is known (`next_sync_committee`). */
  readonly nextCommitteeKnown: boolean
  /** The best valid update that is not final, or null. */
  readonly best: { readonly participants: number; readonly attestedSlot: number } | null
  /** How many validators are in a sync committee (SYNC_COMMITTEE_SIZE). */
  readonly committeeSize: number
}

/** The first period of which an update would lead on from a store. */
export function wantedPeriod({ finalizedPeriod, nextCommitteeKnown }: StoreView): number {
  return nextCommitteeKnown ? finalizedPeriod + 1 : finalizedPeriod
}

/** What an update says. */
export interface UpdateView {
  readonly attested: HeaderView
  /** Null where the update has none. */
  readonly finalized: HeaderView | null
  readonly signatureSlot: number
  readonly participants: number
}

const HEADER = 240

/** What a header view knows of the execution layer, at its end: all of the own payload, or a hash from before the block. */
const OWN_PAYLOAD = 1
const PARENT_HASH = 3

function numberAt(bytes: Uint8Array, at: number): number {
  // Beyond 2⁵³ nothing is verified: the value is for the eye.
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(at, true))
}

/** All ones say that there is none. */
function blobGasAt(bytes: Uint8Array, at: number): number | null {
  return bytes.subarray(at, at + 8).every((byte) => byte === 0xff) ? null : numberAt(bytes, at)
}

function headerView(bytes: Uint8Array): HeaderView {
  const blockHash = bytes.slice(176, 208)
  const known = numberAt(bytes, 232)
  return {
    ssz: bytes.slice(0, 112),
    root: bytes.slice(112, 144),
    slot: numberAt(bytes, 0),
    parentExecutionBlockHash: known === PARENT_HASH ? blockHash : null,
    execution:
      known !== OWN_PAYLOAD || blockHash.every((byte) => byte === 0)
        ? null
        : {
            blockHash,
            blockNumber: numberAt(bytes, 208),
            timestamp: numberAt(bytes, 216),
            blobGasUsed: blobGasAt(bytes, 224),
          },
  }
}

/** Reads the 544 bytes of `storeView`. */
export function readStoreView(bytes: Uint8Array): StoreView {
  const participants = numberAt(bytes, 520)
  return {
    finalized: headerView(bytes.subarray(0, HEADER)),
    optimistic: headerView(bytes.subarray(HEADER, 2 * HEADER)),
    finalizedPeriod: numberAt(bytes, 480),
    optimisticPeriod: numberAt(bytes, 488),
    nextCommitteeKnown: numberAt(bytes, 496) === 1,
    best: participants === 0 ? null : { participants, attestedSlot: numberAt(bytes, 528) },
    committeeSize: numberAt(bytes, 536),
  }
}

/** Reads the 520 bytes of `updateView`. */
export function readUpdateView(bytes: Uint8Array): UpdateView {
  return {
    attested: headerView(bytes.subarray(0, HEADER)),
    finalized: numberAt(bytes, 512) === 1 ? headerView(bytes.subarray(HEADER, 2 * HEADER)) : null,
    signatureSlot: numberAt(bytes, 480),
    participants: numberAt(bytes, 488),
  }
}
