/**
 * What is used of `@ethereumjs/rlp` (MPL-2.0): its encoder. The build puts it into the package. Its decoder copies what is left of its input
 * at each level, so that 100 kB of nested lists keep it busy for seconds: what endpoints send is read by `execution/rlp.ts`.
 */
export { encode } from '@ethereumjs/rlp'
