/** What is used of `@noble/curves` (MIT): it signs the chains that `blobcheck/serve` makes. The build puts it into the package. */
export { bls12_381 } from '@noble/curves/bls12-381'
