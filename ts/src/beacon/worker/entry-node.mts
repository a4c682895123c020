/**
 * The worker thread’s entry in Node.js (`blobcheck/beacon/worker`): the same, bundled apart, for Node’s `#platform` (scripts/bundle-workers.mjs).
 * A module by its own name: Next copies it to where a package.json makes `.js` CommonJS.
 */
import './entry.ts'
