/** What `chain.mjs` makes, as far as the tests look into it. Values are those of @lodestar/types. */
import type { NetworkConfig } from 'blobcheck'
import type { Oracle } from '../support/beacon-server.ts'

export interface Beacon {
  readonly slot: number
  readonly proposerIndex: number
  readonly stateRoot: Uint8Array
}

export interface LightClientHeader {
  readonly beacon: Beacon
  readonly execution: { readonly blockNumber: number }
}

export interface Block {
  readonly root: Uint8Array
  readonly slot: number
  readonly header: LightClientHeader
  /** A Merkle branch in its state. */
  proof(path: readonly string[]): readonly Uint8Array[]
  /** Of the list of commitments in the body: 4 nodes. */
  readonly commitmentsBranch: readonly Uint8Array[]
  /** Of one commitment in it: 17 nodes. */
  commitmentBranch(index: number): readonly Uint8Array[]
}

export interface SyncAggregate {
  readonly syncCommitteeBits: { clone(): { set(at: number, bit: boolean): void } }
  readonly syncCommitteeSignature: Uint8Array
}

export interface OptimisticUpdate {
  readonly attestedHeader: LightClientHeader
  readonly syncAggregate: SyncAggregate
  readonly signatureSlot: number
}

export interface Update extends OptimisticUpdate {
  readonly finalizedHeader: LightClientHeader
}

export interface Chain {
  readonly network: NetworkConfig
  /** 0x hex. */
  readonly checkpoint: string
  readonly firstPeriod: number
  readonly finalized: Block
  readonly optimistic: Block
  readonly ancestors: readonly Block[]
  readonly headSlot: number
  /** Milliseconds of Unix time at the head. */
  readonly now: () => number
  readonly bootstrap: { readonly header: LightClientHeader }
  readonly updates: readonly Update[]
  readonly finality: Update
  readonly optimisticUpdate: { readonly attested: Block; readonly update: OptimisticUpdate }
  oracle(lies?: object): Oracle
  block(
    slot: number,
    state?: unknown,
    more?: {
      readonly parentRoot?: Uint8Array
      readonly commitments?: readonly Uint8Array[]
      /** As many as the blob gas pays for; default: as many as there are commitments. */
      readonly blobs?: number
    },
  ): Block
  stateOf(slot: number, final?: Block): unknown
  withoutFinality(update: Update): Update
  /** `next`: the committee of the next period; default the real one. */
  nonFinal(slot: number, absentees: readonly number[], next?: object): Update
  sign(attested: Block, final: null, absentees: readonly number[]): { readonly update: OptimisticUpdate }
  sign(attested: Block, final: Block, absentees: readonly number[]): Update
}

/** `bid.parent_block_hash` of the block of Gloas in a slot: 32 bytes. */
export declare function parentHashAt(slot: number): Uint8Array

export declare const SLOTS_PER_PERIOD: number

export declare function makeChain(options?: {
  /** From the checkpoint's to the head's; default 3. */
  readonly periods?: number
  /** Default: all at 0. */
  readonly forkEpochs?: {
    readonly deneb?: number
    readonly electra?: number
    readonly fulu?: number
    readonly gloas?: number
  }
  /** Of the block that is finalized last. */
  readonly commitments?: readonly Uint8Array[]
  readonly secondsPerSlot?: number
  /** Slots before the block that is finalized last whose blocks are kept; default 21. */
  readonly depth?: number
}): Chain
