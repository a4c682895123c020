/**
 * What few verifiers need: blocks as anchors, proposers' signatures, blobs without proofs, and traces. `#verifier-parts` (package.json,
 * `imports`) resolves to `lazy.ts`, which loads them when they are needed first, or to `eager.ts`, for hosts where nothing can be loaded
 * later; both export what is declared here.
 */
import type { BlockReader, BlockReaderOptions } from '../../beacon/block-reader.ts'
import type { ProposerOptions, ProposerSignatures } from '../../light-client/proposer.ts'
import type { CommitmentKernels, CommitmentOptions } from '../batch/commitment-kernels.ts'
import type { TraceEvent, Tracer } from '../trace.ts'

/** Starts a block reader: see `beacon/block-reader.ts`. */
export declare function startBlockReader(options: BlockReaderOptions): Promise<BlockReader>

/** Starts the verification of proposers' signatures: see `light-client/proposer.ts`. */
export declare function startProposerSignatures(options: ProposerOptions): Promise<ProposerSignatures>

/** Makes what blobs without proofs are verified with: see `batch/commitment-kernels.ts`. */
export declare function startCommitmentKernels(options: CommitmentOptions): Promise<CommitmentKernels>

/** Makes what tells a listener of spans: see `trace.ts`. */
export declare function startTracer(listener: (event: TraceEvent) => void): Promise<Tracer>
