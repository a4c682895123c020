/** The worker thread’s entry in Node.js (`blobcheck/worker`): the same, bundled apart, for Node’s `#platform` (scripts/bundle-workers.mjs). */
import './entry.ts'
