/** What is used of `@noble/hashes` (MIT): SHA-256, synchronously and anywhere. The build puts it into the package. */
export { sha256 } from '@noble/hashes/sha2'
