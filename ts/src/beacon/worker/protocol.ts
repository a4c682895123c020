/** What passes between the calling thread and the worker that decodes blocks. Types alone: everything here can be cloned. */
import type { WorkerBase } from '../../runtime/pool/protocol.ts'
import type { SszErrorReason } from '../block/errors.ts'
import type { VettedNetwork } from '../vetted-network.ts'

/** What a block says that is as it must be. */
export interface ReadBlock {
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly header: Uint8Array
  /** Lower-case hex without prefix. */
  readonly commitments: readonly string[]
  /** `execution_payload.block_hash`, 32 bytes; none in Gloas. */
  readonly blockHash: Uint8Array
  /** The fixed part of the bid, 224 bytes (`ExecutionPayloadBid`, specs/gloas/beacon-chain.md); none before Gloas. */
  readonly bid: Uint8Array
}

/** What a block says; or why it is none; or the two roots, as `0x` hex, where it is another block than the header's. */
export type BlockAnswer =
  | ReadBlock
  | { readonly reason: SszErrorReason; readonly path: string }
  | { readonly blockRoot: string; readonly headerRoot: string }

/** What the worker does. It keeps no state between calls but its WASM instance. */
export interface BlockApi extends WorkerBase {
  /**
   * Decodes a block, given as SSZ or text, and holds it against the header that it must have: 112 bytes of SSZ, or the 32 bytes of its
   * root, or null where there is none. `told`: the consensus version beside it, or null.
   */
  readBlock(
    network: VettedNetwork,
    block: Uint8Array | string,
    header: Uint8Array | null,
    told: string | null,
  ): BlockAnswer
}
