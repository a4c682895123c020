/** What is used of `@noble/hashes` (MIT): Keccak-256, the hash of the execution layer. The build puts it into the package. */
export { keccak_256 } from '@noble/hashes/sha3'
