/** `blobcheck/beacon`: beacon blocks, decoded strictly, and their roots. See the reference. */
export { loadBeacon } from './block/beacon.ts'
export { SszError } from './block/errors.ts'
export { WasmUnavailableError } from '../runtime/errors.ts'
export type { Beacon, BeaconOptions, ReadBlockOptions } from './block/beacon.ts'
export type { BlockBid, DecodedBlock } from './block/read-block.ts'
export type { BlockSource } from './block/source.ts'
export type { BlockFork } from './block/fork.ts'
export type { SszErrorReason } from './block/errors.ts'
