/** The block of an anchor, in a worker: decoded, and held against the header that the caller trusts. */
import { instantiate } from '../../beacon/block/module.ts'
import { readBlockParts } from '../../beacon/block/read-block.ts'
import { SszError, type SszErrorReason } from '../../beacon/block/ssz-error.ts'
import { POINT_BYTES, splitFixed } from '../../beacon/ssz/layout.ts'
import type { VettedNetwork } from '../../beacon/networks.ts'
import type { Core } from '../../kzg/module.ts'
import { encodeHex } from '../../util/hex.ts'
import type { HeaderLinks } from '../../verdict/provenance.ts'

/** A block that has not been decoded yet: SSZ, or text; and the header that it must have, where there is one. */
export interface BlockAnchor {
  readonly kind: 'block'
  readonly block: Uint8Array | string
  /** 112 bytes of SSZ header, or the 32 bytes of its root; and what is known of it. */
  readonly header: { readonly header: Uint8Array; readonly links: HeaderLinks } | null
}

/** What a block says that is as it must be. */
export interface ReadBlock {
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly header: Uint8Array
  /** Lower-case hex without prefix. */
  readonly commitments: readonly string[]
  /** The fixed part of the bid, 224 bytes (`ExecutionPayloadBid`, specs/gloas/beacon-chain.md); none before Gloas. */
  readonly bid: Uint8Array
}

/** What a block says; or why it is none, or that it is another. */
export type BlockAnswer =
  | ReadBlock
  | { readonly reason: SszErrorReason; readonly path: string }
  | { readonly blockRoot: string; readonly headerRoot: string }

/** Decodes the block. Its header is compared by root, which is computed here. */
export function readAnchorBlock(
  core: Core,
  module: WebAssembly.Module,
  network: VettedNetwork,
  { block, header }: BlockAnchor,
): BlockAnswer {
  try {
    const parts = readBlockParts(instantiate(module), block, network, undefined)
    const blockRoot = encodeHex(parts.root)
    const headerRoot = header === null ? blockRoot : encodeHex(rootOf(core, header.header))
    if (blockRoot !== headerRoot) return { blockRoot: `0x${blockRoot}`, headerRoot: `0x${headerRoot}` }
    const commitments = splitFixed(parts.commitments, POINT_BYTES)!.map(encodeHex)
    return { header: parts.header, commitments, bid: parts.bid }
  } catch (error) {
    // As data, since errors that come from a worker have lost their class.
    if (error instanceof SszError) return { reason: error.reason, path: error.path }
    throw error
  }
}

const rootOf = (core: Core, header: Uint8Array): Uint8Array =>
  header.length === 32 ? header : core.exports.headerRoot(header)
