/**
 * `blobcheck/inline`: all of `blobcheck` as one file, with the verifier's module and its worker's script inside. For hosts that can fetch
 * or copy no other file of the package: sandboxes (MetaMask Snaps), service workers, pages that take it from a CDN, bundlers without assets.
 */
export * from '../index.ts'
export { createVerifier } from './create.ts'
