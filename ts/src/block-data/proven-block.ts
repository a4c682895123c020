/** A block that was held against its header: what it commits to, and what its data is verified against. */
import { provenanceOf } from '../verdict/provenance.ts'
import { type Links, noLinks } from '../verdict/verdict.ts'
import type { AnchorOption } from '../verifier/options.ts'
import { isVouchedFor } from './header.ts'
import type { SampledHeader } from './options.ts'

/** What the bid in a block of Gloas says of payloads (`ExecutionPayloadBid`, specs/gloas/beacon-chain.md): 32 bytes each, as 0x hex. */
export interface Bid {
  /** The last payload revealed before the block, on which this one's builds. */
  readonly parentBlockHash: string
  /** The block's own payload, which its builder may never reveal. */
  readonly blockHash: string
}

/** A block whose root is that of a header. */
export interface ProvenBlock {
  /** As it came, SSZ or JSON: with the header, the anchor of its data. */
  readonly source: Uint8Array | string
  readonly slot: number
  /** 32 bytes as 0x hex. */
  readonly parentRoot: string
  /** The hash of the execution block in it, 32 bytes as 0x hex; null from Gloas on, whose block has none in it. */
  readonly executionBlockHash: string | null
  /** 0x hex, in the block's order. */
  readonly commitments: readonly string[]
  /** Null before Gloas. */
  readonly bid: Bid | null
}

/** What a block's data is verified against: its header, and the block where it was fetched. */
export function anchorOf(header: SampledHeader, block: Pick<ProvenBlock, 'source'> | null): AnchorOption {
  // The object itself where a light client vouches for it; otherwise the root, which is all that is needed.
  const anchored = isVouchedFor(header) ? header : header.root
  return block === null ? { header: anchored } : { block: block.source, header: anchored }
}

/** What is known of a block that was fetched: that it is of its header, and what is known of that. */
export function blockLinks(header: SampledHeader): Links {
  return {
    ...noLinks,
    ...(provenanceOf(header)?.links ?? { header: 'trusted' }),
    inclusion: 'verified',
  }
}
