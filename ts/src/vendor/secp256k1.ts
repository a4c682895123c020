/** What is used of `@noble/curves` (MIT): the senders of transactions, from their signatures. The build puts it into the package. */
export { secp256k1 } from '@noble/curves/secp256k1'
