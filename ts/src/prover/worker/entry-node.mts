/** The worker thread’s entry in Node.js (`blobcheck/prover/worker`): the same, bundled apart, for Node’s `#platform` (scripts/bundle-workers.mjs). */
import './entry.ts'
