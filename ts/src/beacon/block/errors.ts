/** What is thrown about a block that is none, or not the one that is meant. */

/**
 * What is wrong with a block.
 *
 * - `length`: too few bytes, or too many.
 * - `offset`: the first offset is not where the fixed part ends, or one is smaller than the one before it, or beyond the end.
 * - `limit`: more elements, bytes or bits than the type may have; a block of more than 10 MiB.
 * - `bits`: a bit list without the bit that ends it, or bits set behind the end of a bit vector; `boolean`: neither 0 nor 1.
 * - `json`: text that is no JSON, or JSON that would cost far more than it weighs.
 * - `missing-field`, `unknown-field`: an object lacks a field of its container, or has one that the container does not have.
 * - `type`: JSON of another type than the field's: an object, a list, a boolean, `0x` hex, or an unsigned integer as a decimal string.
 * - `unsupported-fork`: the block is of a fork before Deneb, or of one that this version does not know; or the answer's `version` is a fork that
 *   by the network's config has not begun in the block's slot.
 * - `fork-mismatch`: the answer's `version` is an older fork than that of the block's slot, or not the fork that the caller named.
 */
export type SszErrorReason =
  | 'length'
  | 'offset'
  | 'limit'
  | 'bits'
  | 'boolean'
  | 'json'
  | 'missing-field'
  | 'unknown-field'
  | 'type'
  | 'unsupported-fork'
  | 'fork-mismatch'

/**
 * Bytes or JSON that are no beacon block: `reason` says why not, and `path` where.
 *
 * @example
 * ```ts
 * import { loadBeacon, SszError } from 'blobcheck/beacon'
 *
 * const beacon = await loadBeacon()
 * try {
 *   beacon.readBlock(new Uint8Array(3))
 * } catch (error) {
 *   if (error instanceof SszError) console.log('refused:', error.reason, error.path)
 * }
 * ```
 */
export class SszError extends Error {
  override readonly name = 'SszError'
  /** What is wrong. */
  readonly reason: SszErrorReason
  /**
   * Where it is, as in `body.execution_payload.transactions[3]`; empty where it is the whole. The name of an unknown field is made fit for a
   * terminal, and cut to 64 UTF-16 units.
   */
  readonly path: string
  constructor(reason: SszErrorReason, path: string) {
    super(`the block cannot be read: ${path === '' ? '' : `${path}: `}${reason}`)
    this.reason = reason
    this.path = path
  }
}

/**
 * The block of `anchor: { block, header }` is not the block that the header is of. Whoever gave the block gave another one.
 *
 * @example
 * ```ts
 * import { BlockMismatchError } from 'blobcheck'
 *
 * const block = await (await fetch(`${beacon}/eth/v2/beacon/blocks/head`)).text()
 * await verifier.verifyBlobs([{ blob }], { anchor: { block, header } }).catch((error: unknown) => {
 *   console.log(error instanceof BlockMismatchError) // true
 * })
 * ```
 */
export class BlockMismatchError extends Error {
  override readonly name = 'BlockMismatchError'
  /** The root of the block: 32 bytes as 0x hex. */
  readonly blockRoot: string
  /** The root of the header: 32 bytes as 0x hex. */
  readonly headerRoot: string
  constructor(blockRoot: string, headerRoot: string) {
    super(`anchor.block has the root ${blockRoot}, and anchor.header ${headerRoot}`)
    this.blockRoot = blockRoot
    this.headerRoot = headerRoot
  }
}
