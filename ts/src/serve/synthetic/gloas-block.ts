/** A block of Gloas: a body with a bid in it, which promises a payload that is revealed, or withheld, apart from it. */
import type { Encoded, ExecutionBlock, GloasParts } from '../chain.ts'
import type { ExecutionPayload } from '../ssz/block.ts'
import {
  type ExecutionPayloadBid,
  ExecutionPayloadBid as Bid,
  type GloasBeaconBlockBody,
  type GloasBlockTypes,
  type GloasDataColumnSidecar,
  GloasExecutionRequests,
  SignedExecutionPayloadBid,
  SignedExecutionPayloadEnvelope,
} from '../ssz/gloas.ts'
import type { BlockHashHeader, PayloadHeader } from '../ssz/light-client.ts'
import { commonFields, MadeBlock, type MadeBlockOptions, noSignature } from './block.ts'
import { emptyList, makePayload, type MadePayload } from './payload.ts'

/** The builder index of a proposer who builds the payload himself, unsigned. */
const SELF_BUILT = 2n ** 64n - 1n
/** The point at infinity of G2, which stands for such a signature. */
const unsigned: Uint8Array = Uint8Array.from({ length: 96 }, (_, at) => (at === 0 ? 0xc0 : 0))

const noRequests: GloasExecutionRequests = {
  deposits: [],
  withdrawals: [],
  consolidations: [],
  builder_deposits: [],
  builder_exits: [],
}

export class GloasBlock extends MadeBlock {
  readonly version = 'gloas' as const
  readonly payload: ExecutionPayload
  readonly latestPayload: MadePayload
  readonly settledPayload: MadePayload
  readonly execution: ExecutionBlock | null
  readonly #types: GloasBlockTypes
  readonly #body: () => GloasBeaconBlockBody
  readonly #bid: ExecutionPayloadBid
  readonly #isRevealed: boolean
  readonly #executionBranch: readonly Uint8Array[]

  /** There is a block before each block of Gloas: the chain has blocks of Fulu first. */
  constructor(
    options: MadeBlockOptions & { readonly parent: MadeBlock; readonly isRevealed: boolean },
    types: GloasBlockTypes,
  ) {
    const { slot, parent, timestamp, blobs, syncAggregate, isRevealed } = options
    const commitments = blobs.map(({ commitment }) => commitment)
    const before = parent.latestPayload
    const own = makePayload({
      ...{ slot, timestamp, commitments, isGloas: true },
      parent: before,
      parentBeaconBlockRoot: parent.rootBytes,
    })
    const { payload } = own
    const bid: ExecutionPayloadBid = {
      parent_block_hash: before.payload.block_hash,
      parent_block_root: parent.rootBytes,
      block_hash: payload.block_hash,
      prev_randao: payload.prev_randao,
      fee_recipient: payload.fee_recipient,
      gas_limit: payload.gas_limit,
      builder_index: SELF_BUILT,
      slot,
      value: 0,
      execution_payment: 0,
      blob_kzg_commitments: commitments,
      execution_requests_root: GloasExecutionRequests.root(noRequests),
    }
    const signedBid = { message: bid, signature: unsigned }
    const body = (): GloasBeaconBlockBody => ({
      ...commonFields(syncAggregate),
      signed_execution_payload_bid: signedBid,
      payload_attestations: [],
      parent_execution_requests: noRequests,
    })
    const tree = types.BeaconBlockBody.tree(body())
    super(options, tree.root)
    this.settledPayload = before
    this.latestPayload = isRevealed ? own : before
    this.execution = isRevealed ? own.block : null
    this.#types = types
    this.#body = body
    this.#bid = bid
    this.payload = payload
    this.#isRevealed = isRevealed
    this.#executionBranch = [
      ...Bid.tree(bid).branch('parent_block_hash'),
      ...SignedExecutionPayloadBid.tree(signedBid).branch('message'),
      ...tree.branch('signed_execution_payload_bid'),
    ]
  }

  get block(): Encoded {
    return this.encoded(this.#types, this.#body)
  }

  get gloas(): GloasParts {
    return {
      envelope: this.#isRevealed ? this.#envelope : null,
      column: (index) => this.#column(index),
    }
  }

  get payloadHeader(): PayloadHeader {
    throw new TypeError('a block of Gloas has no payload in it')
  }

  /** The hash is that of the payload before it. */
  get blockHashHeader(): BlockHashHeader {
    return {
      beacon: this.message,
      execution_block_hash: this.#bid.parent_block_hash,
      execution_branch: this.#executionBranch,
    }
  }

  async blobSidecar(): Promise<never> {
    return await Promise.reject(new TypeError('there are no blob sidecars of Gloas'))
  }

  column(): never {
    throw new TypeError('columns of Gloas have another container: see gloas.column')
  }

  #column(index: number): GloasDataColumnSidecar {
    return {
      index,
      column: this.blobs.map(({ cells }) => cells[index]!),
      kzg_proofs: this.blobs.map(({ cellProofs }) => cellProofs[index]!),
      slot: this.slot,
      beacon_block_root: this.rootBytes,
    }
  }

  get #envelope(): Encoded {
    const value: SignedExecutionPayloadEnvelope = {
      message: {
        payload: { ...this.payload, block_access_list: emptyList, slot_number: this.slot },
        execution_requests: noRequests,
        builder_index: SELF_BUILT,
        beacon_block_root: this.rootBytes,
        parent_beacon_block_root: this.message.parent_root,
      },
      signature: noSignature,
    }
    return {
      version: this.version,
      ssz: () => SignedExecutionPayloadEnvelope.serialize(value),
      json: () => SignedExecutionPayloadEnvelope.json(value),
    }
  }
}
