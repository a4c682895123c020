/** What few calls of a verifier need, where code cannot be loaded later: service workers forbid `import()`, and so do some sandboxes. */
export { startBlockReader } from '../../beacon/block-reader.ts'
export { startProposerSignatures } from '../../light-client/proposer.ts'
export { startCommitmentKernels } from '../batch/commitment-kernels.ts'
export { startTracer } from '../trace.ts'
