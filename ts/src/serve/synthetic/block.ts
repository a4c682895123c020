/** One block of a made chain: what blocks of Fulu and of Gloas have in common. */
import type { Encoded, ExecutionBlock, GloasParts, MadeChainBlock } from '../chain.ts'
import { type SidecarFrame, type ProvenBlob } from '../sidecars.ts'
import { type BeaconBlockBody, BeaconBlockHeader, type ExecutionPayload } from '../ssz/block.ts'
import type { BlockTypes, SignedBeaconBlock, SignedBeaconBlockHeader, SyncAggregate } from '../ssz/block.ts'
import type { BlockHashHeader, PayloadHeader } from '../ssz/light-client.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import { hexOf } from '../ssz/types.ts'
import type { MadePayload } from './payload.ts'

/** A block's state, as far as light clients see into it: its root, and the branches to what they are served. */
export interface MadeState {
  readonly root: Uint8Array
  /** Of FINALIZED_ROOT_GINDEX: 7 nodes, or 9 in Gloas. */
  readonly finalityBranch: readonly Uint8Array[]
  /** Of CURRENT_SYNC_COMMITTEE_GINDEX: 6 nodes, or 11 in Gloas. */
  readonly currentSyncCommitteeBranch: readonly Uint8Array[]
  /** Of NEXT_SYNC_COMMITTEE_GINDEX: 6 nodes, or 11 in Gloas. */
  readonly nextSyncCommitteeBranch: readonly Uint8Array[]
}

export interface MadeBlockOptions {
  readonly slot: number
  readonly parent: MadeBlock | null
  /** Unix time of the slot, in seconds. */
  readonly timestamp: number
  readonly blobs: readonly ProvenBlob[]
  readonly state: MadeState
  readonly syncAggregate: SyncAggregate
  /** The proposer's signature of a block's root. */
  readonly sign: (root: Uint8Array) => Uint8Array
}

const zeros = (length: number): Uint8Array => new Uint8Array(length)
/** 32 bytes that say nothing. */
const noRoot: Uint8Array = zeros(32)
/** A signature that says nothing. */
export const noSignature: Uint8Array = zeros(96)

export abstract class MadeBlock implements MadeChainBlock {
  abstract readonly version: 'fulu' | 'gloas'
  abstract readonly block: Encoded
  abstract readonly gloas: GloasParts | null
  /** Its own payload; in Gloas the one that its bid promises, whether it is revealed or not. */
  abstract readonly payload: ExecutionPayload
  /** The last payload that was revealed up to this block, its own if that was: the next one builds on it. */
  abstract readonly latestPayload: MadePayload
  /** The last payload that stands if this block does: its own before Gloas, and from Gloas on the one that its own would come after. */
  abstract readonly settledPayload: MadePayload
  /** The execution block that its own payload is; null where that was never revealed. */
  abstract readonly execution: ExecutionBlock | null
  /** How many blocks are before it. */
  readonly index: number
  readonly slot: number
  readonly root: string
  readonly rootBytes: Uint8Array
  readonly blobs: readonly ProvenBlob[]
  readonly state: MadeState
  protected readonly message: BeaconBlockHeader
  readonly #sign: MadeBlockOptions['sign']
  #signature: Uint8Array | null = null

  protected constructor({ slot, parent, blobs, state, sign }: MadeBlockOptions, bodyRoot: Uint8Array) {
    this.#sign = sign
    this.index = parent === null ? 0 : parent.index + 1
    this.slot = slot
    this.blobs = blobs
    this.state = state
    this.message = {
      slot,
      proposer_index: slot % 1000,
      parent_root: parent?.rootBytes ?? zeros(32),
      state_root: state.root,
      body_root: bodyRoot,
    }
    this.rootBytes = BeaconBlockHeader.root(this.message)
    this.root = hexOf(this.rootBytes)
  }

  /** Signed when the signature is read first. */
  get header(): SignedBeaconBlockHeader {
    const signature = (): Uint8Array => (this.#signature ??= this.#sign(this.rootBytes))
    return {
      message: this.message,
      get signature() {
        return signature()
      },
    }
  }

  /** The light client's header in the container of Electra and Fulu. Throws `TypeError` for a block of Gloas. */
  abstract get payloadHeader(): PayloadHeader

  /** The light client's header in the container of Gloas. */
  abstract get blockHashHeader(): BlockHashHeader

  abstract blobSidecar(index: number): Promise<BlobSidecar>

  abstract column(index: number): DataColumnSidecar

  /** The whole block with its body, which is made when the block is asked for. */
  protected encoded<Body>({ SignedBeaconBlock }: BlockTypes<Body>, body: () => Body): Encoded {
    const value = (): SignedBeaconBlock<Body> => {
      const { body_root: _, ...message } = this.message
      return { message: { ...message, body: body() }, signature: this.header.signature }
    }
    return {
      version: this.version,
      ssz: () => SignedBeaconBlock.serialize(value()),
      json: () => SignedBeaconBlock.json(value()),
    }
  }

  /** What sidecars share that bring their header. */
  protected frame(commitmentsBranch: readonly Uint8Array[]): SidecarFrame {
    return { header: this.header, blobs: this.blobs, commitmentsBranch }
  }
}

/** The fields of a body that say the same in each made block, in Fulu and in Gloas. */
export function commonFields(
  syncAggregate: SyncAggregate,
): Omit<BeaconBlockBody, 'execution_payload' | 'blob_kzg_commitments' | 'execution_requests'> {
  const graffiti = zeros(32)
  graffiti.set(new TextEncoder().encode('blobcheck serve'))
  return {
    randao_reveal: noSignature,
    eth1_data: { deposit_root: noRoot, deposit_count: 0, block_hash: noRoot },
    graffiti,
    proposer_slashings: [],
    attester_slashings: [],
    attestations: [],
    deposits: [],
    voluntary_exits: [],
    sync_aggregate: syncAggregate,
    bls_to_execution_changes: [],
  }
}
