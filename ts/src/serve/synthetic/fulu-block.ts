/** A block of Fulu: a body with true roots, and its payload in it. */
import type { Encoded, ExecutionBlock } from '../chain.ts'
import { blobSidecarOf, columnOf } from '../sidecars.ts'
import type { BeaconBlockBody, ExecutionPayload, ExecutionRequests, FuluBlockTypes } from '../ssz/block.ts'
import type { BlockHashHeader, PayloadHeader } from '../ssz/light-client.ts'
import type { BlobSidecar, DataColumnSidecar } from '../ssz/sidecars.ts'
import { commonFields, MadeBlock, type MadeBlockOptions } from './block.ts'
import { makePayload, type MadePayload } from './payload.ts'

const noRequests: ExecutionRequests = { deposits: [], withdrawals: [], consolidations: [] }

export class FuluBlock extends MadeBlock {
  readonly version = 'fulu' as const
  readonly gloas = null
  readonly payload: ExecutionPayload
  readonly latestPayload: MadePayload
  readonly #types: FuluBlockTypes
  readonly #body: () => BeaconBlockBody
  readonly #executionBranch: readonly Uint8Array[]
  readonly #commitmentsBranch: readonly Uint8Array[]

  constructor(options: MadeBlockOptions, types: FuluBlockTypes) {
    const { slot, parent, timestamp, blobs, syncAggregate } = options
    const commitments = blobs.map(({ commitment }) => commitment)
    const latestPayload = makePayload({
      ...{ slot, timestamp, commitments, isGloas: false },
      parent: parent?.latestPayload ?? null,
      parentBeaconBlockRoot: parent?.rootBytes ?? new Uint8Array(32),
    })
    const { payload } = latestPayload
    const body = (): BeaconBlockBody => ({
      ...commonFields(syncAggregate),
      execution_payload: payload,
      blob_kzg_commitments: commitments,
      execution_requests: noRequests,
    })
    const tree = types.BeaconBlockBody.tree(body())
    super(options, tree.root)
    this.payload = payload
    this.latestPayload = latestPayload
    this.#types = types
    this.#body = body
    this.#executionBranch = tree.branch('execution_payload')
    this.#commitmentsBranch = tree.branch('blob_kzg_commitments')
  }

  get settledPayload(): MadePayload {
    return this.latestPayload
  }

  get execution(): ExecutionBlock {
    return this.latestPayload.block
  }

  get block(): Encoded {
    return this.encoded(this.#types, this.#body)
  }

  get payloadHeader(): PayloadHeader {
    return {
      beacon: this.message,
      execution: this.#types.headerOfPayload(this.payload),
      execution_branch: this.#executionBranch,
    }
  }

  /** `upgrade_lc_header_to_gloas`: the hash of its own payload, and two zero chunks before the branch. */
  get blockHashHeader(): BlockHashHeader {
    const inner = this.#types.ExecutionPayload.tree(this.payload).branch('block_hash')
    return {
      beacon: this.message,
      execution_block_hash: this.payload.block_hash,
      execution_branch: [new Uint8Array(32), new Uint8Array(32), ...inner, ...this.#executionBranch],
    }
  }

  async blobSidecar(index: number): Promise<BlobSidecar> {
    return await blobSidecarOf(this.frame(this.#commitmentsBranch), index)
  }

  column(index: number): DataColumnSidecar {
    return columnOf(this.frame(this.#commitmentsBranch), index)
  }
}
