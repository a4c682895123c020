/** One block of a made chain: a body with true roots, a header, a state behind it. */
import type { ChainBlock, Encoded } from '../chain.ts'
import type { ProvenBlob } from '../data/proven-blob.ts'
import { blobSidecarOf, columnOf, type SidecarFrame } from '../data/sidecars.ts'
import type { BeaconBlockBody, BlockTypes } from '../ssz/block.ts'
import { type ExecutionPayload, headerOfPayload } from '../ssz/execution.ts'
import { BeaconBlockHeader, type SignedBeaconBlockHeader } from '../ssz/header.ts'
import { hexOf } from '../ssz/hex.ts'
import type { LightClientHeader } from '../ssz/light-client.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import type { SyncAggregate } from '../ssz/sync-committee.ts'
import { hash } from '../ssz/merkle.ts'
import { uint64 } from '../ssz/type.ts'
import type { MadeState } from './state.ts'
import { transactionsOf } from './transactions.ts'

export interface BlockTerms {
  readonly slot: number
  readonly types: BlockTypes
  readonly parent: MadeBlock | null
  /** Unix time of the slot, in seconds. */
  readonly timestamp: number
  readonly blobs: readonly ProvenBlob[]
  readonly state: MadeState
  readonly syncAggregate: SyncAggregate
  /** The proposer's signature of a block's root. */
  readonly sign: (root: Uint8Array) => Uint8Array
}

/** GAS_PER_BLOB. */
const GAS_PER_BLOB = 2 ** 17
const zeros = (length: number): Uint8Array => new Uint8Array(length)
const nothing = { bloom: zeros(256), root: zeros(32), address: zeros(20), signature: zeros(96) }

export class MadeBlock implements ChainBlock {
  readonly version = 'fulu' as const
  readonly slot: number
  readonly root: string
  readonly rootBytes: Uint8Array
  readonly blobs: readonly ProvenBlob[]
  readonly state: MadeState
  readonly payload: ExecutionPayload
  readonly #message: BeaconBlockHeader
  readonly #terms: BlockTerms
  readonly #executionBranch: readonly Uint8Array[]
  readonly #commitmentsBranch: readonly Uint8Array[]
  #signature: Uint8Array | null = null

  constructor(terms: BlockTerms) {
    const { slot, types, parent, blobs, state } = terms
    this.#terms = terms
    this.slot = slot
    this.blobs = blobs
    this.state = state
    this.payload = payloadOf(terms)
    const tree = types.BeaconBlockBody.tree(this.#body())
    this.#executionBranch = tree.branch('execution_payload')
    this.#commitmentsBranch = tree.branch('blob_kzg_commitments')
    this.#message = {
      slot,
      proposer_index: slot % 1000,
      parent_root: parent?.rootBytes ?? zeros(32),
      state_root: state.root,
      body_root: tree.root,
    }
    this.rootBytes = BeaconBlockHeader.root(this.#message)
    this.root = hexOf(this.rootBytes)
  }

  /** Signed when the signature is read first. */
  get header(): SignedBeaconBlockHeader {
    const signature = (): Uint8Array => (this.#signature ??= this.#terms.sign(this.rootBytes))
    return {
      message: this.#message,
      get signature() {
        return signature()
      },
    }
  }

  get block(): Encoded {
    const { types } = this.#terms
    const value = (): Parameters<typeof types.SignedBeaconBlock.json>[0] => {
      const { body_root: _, ...message } = this.#message
      return { message: { ...message, body: this.#body() }, signature: this.header.signature }
    }
    return {
      version: this.version,
      ssz: () => types.SignedBeaconBlock.serialize(value()),
      json: () => types.SignedBeaconBlock.json(value()),
    }
  }

  get lightClientHeader(): LightClientHeader {
    return {
      beacon: this.#message,
      execution: headerOfPayload(this.payload),
      execution_branch: this.#executionBranch,
    }
  }

  async blobSidecar(index: number): Promise<BlobSidecar> {
    return await blobSidecarOf(this.#frame(), index)
  }

  column(index: number): DataColumnSidecar {
    return columnOf(this.#frame(), index)
  }

  #frame(): SidecarFrame {
    return { header: this.header, blobs: this.blobs, commitmentsBranch: this.#commitmentsBranch }
  }

  #body(): BeaconBlockBody {
    const graffiti = zeros(32)
    graffiti.set(new TextEncoder().encode('blobcheck serve'))
    return {
      randao_reveal: nothing.signature,
      eth1_data: { deposit_root: nothing.root, deposit_count: 0, block_hash: nothing.root },
      graffiti,
      proposer_slashings: [],
      attester_slashings: [],
      attestations: [],
      deposits: [],
      voluntary_exits: [],
      sync_aggregate: this.#terms.syncAggregate,
      execution_payload: this.payload,
      bls_to_execution_changes: [],
      blob_kzg_commitments: this.blobs.map(({ commitment }) => commitment),
      execution_requests: { deposits: [], withdrawals: [], consolidations: [] },
    }
  }
}

/** A payload whose own hash is made up: nobody has the execution layer's block. */
function payloadOf({ slot, parent, timestamp, blobs }: BlockTerms): ExecutionPayload {
  const commitments = blobs.map(({ commitment }) => commitment)
  return {
    parent_hash: parent?.payload.block_hash ?? nothing.root,
    fee_recipient: nothing.address,
    state_root: nothing.root,
    receipts_root: nothing.root,
    logs_bloom: nothing.bloom,
    prev_randao: nothing.root,
    block_number: parent === null ? 0 : parent.payload.block_number + 1,
    gas_limit: 30_000_000,
    gas_used: 21_000 * Math.ceil(blobs.length / 6),
    timestamp,
    extra_data: zeros(0),
    base_fee_per_gas: 7n,
    block_hash: hash(uint64.serialize(slot)),
    transactions: transactionsOf(commitments, slot),
    withdrawals: [],
    blob_gas_used: GAS_PER_BLOB * blobs.length,
    excess_blob_gas: 0,
  }
}
