/** One block of a made chain: a body with true roots, its blob transactions, a header, a state behind it. */
import { versionedHash } from '../../beacon/hashes.ts'
import { concatAll } from '../../util/bytes.ts'
import type { ChainBlock, Encoded } from '../chain.ts'
import { blobSidecarOf, columnOf, type ProvenBlob, type SidecarFrame } from '../sidecars.ts'
import {
  type BeaconBlockBody,
  BeaconBlockHeader,
  type BlockTypes,
  type ExecutionPayload,
  headerOfPayload,
  type SignedBeaconBlockHeader,
  type SyncAggregate,
} from '../ssz/block.ts'
import { hexOf, uint64 } from '../ssz/types.ts'
import type { LightClientHeader } from '../ssz/light-client.ts'
import { hash } from '../ssz/merkle.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'

/** A block's state, as far as light clients see into it: its root, and the branches to what they are served. */
export interface MadeState {
  readonly root: Uint8Array
  /** FINALIZED_ROOT_GINDEX_ELECTRA: 7 nodes. */
  readonly finalityBranch: readonly Uint8Array[]
  /** CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA: 6 nodes. */
  readonly currentSyncCommitteeBranch: readonly Uint8Array[]
  /** NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA: 6 nodes. */
  readonly nextSyncCommitteeBranch: readonly Uint8Array[]
}

interface MadeBlockOptions {
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
  readonly #options: MadeBlockOptions
  readonly #executionBranch: readonly Uint8Array[]
  readonly #commitmentsBranch: readonly Uint8Array[]
  #signature: Uint8Array | null = null

  constructor(options: MadeBlockOptions) {
    const { slot, types, parent, blobs, state } = options
    this.#options = options
    this.slot = slot
    this.blobs = blobs
    this.state = state
    this.payload = payloadOf(options)
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
    const signature = (): Uint8Array => (this.#signature ??= this.#options.sign(this.rootBytes))
    return {
      message: this.#message,
      get signature() {
        return signature()
      },
    }
  }

  get block(): Encoded {
    const { types } = this.#options
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
      sync_aggregate: this.#options.syncAggregate,
      execution_payload: this.payload,
      bls_to_execution_changes: [],
      blob_kzg_commitments: this.blobs.map(({ commitment }) => commitment),
      execution_requests: { deposits: [], withdrawals: [], consolidations: [] },
    }
  }
}

/** A payload whose own hash is made up: nobody has the execution layer's block. */
function payloadOf({ slot, parent, timestamp, blobs }: MadeBlockOptions): ExecutionPayload {
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

type Bytes = Uint8Array<ArrayBuffer>
type Rlp = Uint8Array | readonly Rlp[]

/** Blobs of one transaction, since Osaka. */
const BLOBS_PER_TRANSACTION = 6

/** Transactions whose versioned hashes are those of the commitments, in order. Their signatures are nobody's. */
function transactionsOf(commitments: readonly Uint8Array[], slot: number): Bytes[] {
  const count = Math.ceil(commitments.length / BLOBS_PER_TRANSACTION)
  return Array.from({ length: count }, (_, at) => {
    const own = commitments.slice(at * BLOBS_PER_TRANSACTION, (at + 1) * BLOBS_PER_TRANSACTION)
    return transaction(own.map(versionedHash), slot, at)
  })
}

function transaction(versionedHashes: readonly Bytes[], slot: number, nonce: number): Bytes {
  const [none, one, gas] = [number(0), number(1), number(21_000)]
  const to = new Uint8Array(20).fill(0xbc)
  // chain_id, nonce, max_priority_fee_per_gas, max_fee_per_gas, gas_limit, to, value, data, access_list,
  // max_fee_per_blob_gas, blob_versioned_hashes, y_parity, r, s
  const fields = [one, number(nonce), one, one, gas, to, none, number(slot), [], one, versionedHashes]
  return concatAll([Uint8Array.of(3), rlp([...fields, none, one, one])])
}

/** An integer without leading zeros; 0 is no byte at all. */
function number(value: number): Bytes {
  const digits = value === 0 ? '' : value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from({ length: even.length / 2 }, (_, at) =>
    Number.parseInt(even.slice(2 * at, 2 * at + 2), 16),
  )
}

function rlp(value: Rlp): Bytes {
  const isString = value instanceof Uint8Array
  if (isString && value.length === 1 && value[0]! < 0x80) return new Uint8Array(value)
  const payload = isString ? new Uint8Array(value) : concatAll(value.map(rlp))
  return concatAll([prefix(isString ? 0x80 : 0xc0, payload.length), payload])
}

function prefix(base: number, length: number): Bytes {
  if (length < 56) return Uint8Array.of(base + length)
  const digits = number(length)
  return concatAll([Uint8Array.of(base + 55 + digits.length), digits])
}
