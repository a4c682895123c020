/**
 * What few calls of a verifier need: blocks as anchors, and proposers' signatures. `#verifier-parts` (package.json, `imports`) resolves to
 * `lazy.ts`, which loads them when they are needed first, or to `eager.ts`, for hosts where nothing can be loaded later; both export what is
 * declared here.
 */
import type { BlockReader, BlockReaderOptions } from '../../beacon/block-reader.ts'
import type { ProposerOptions, ProposerSignatures } from '../../light-client/proposer.ts'

/** Starts a block reader: see `beacon/block-reader.ts`. */
export declare function startBlockReader(options: BlockReaderOptions): Promise<BlockReader>

/** Starts the verification of proposers' signatures: see `light-client/proposer.ts`. */
export declare function startProposerSignatures(options: ProposerOptions): Promise<ProposerSignatures>
