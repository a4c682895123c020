/** A block as a caller hands it in, in the two forms in which it can travel: bytes of SSZ, or text. */
import { genuineView, isBytes, lengthOf } from '../../util/bytes.ts'
import type { Bytes } from '../../util/hex.ts'
import type { JsonObject } from '../../util/json-object.ts'
import { reading } from '../../util/options.ts'

/**
 * A beacon block, in any form in which it is had: SSZ (a `Uint8Array` or `0x` hex); the text of a Beacon API answer
 * (`/eth/v2/beacon/blocks/{block_id}`); the answer's JSON, parsed; or its `data`, or the `message` in that.
 */
export type BlockSource = Bytes | JsonObject

const NO_BLOCK = 'a block must be SSZ bytes (a Uint8Array), or an answer of the Beacon API'

/** The longest block that is read, in bytes: `MAX_PAYLOAD_SIZE` (specs/phase0/p2p-interface.md). */
export const MAX_BLOCK_BYTES: number = 10 * 2 ** 20

/** No text of a block is longer: three times its SSZ, as lists of numbers are in decimal digits. */
export const MAX_BLOCK_TEXT: number = 3 * MAX_BLOCK_BYTES

/**
 * The block as SSZ or as text: hex, or JSON. An object is written as text, so that nothing of the caller's (a getter, a Proxy, a cycle) is
 * met further on. Of what is too long, no more is kept than shows that it is. Throws `TypeError`.
 */
export function blockSource(block: unknown): Uint8Array | string {
  if (isBytes(block)) {
    const bytes = genuineView(block)
    return lengthOf(block) > MAX_BLOCK_BYTES ? bytes.subarray(0, MAX_BLOCK_BYTES + 1) : bytes
  }
  if (block === null) throw new TypeError(NO_BLOCK)
  // An `ArrayBuffer` and its other views have no fields, and are none of the JSON that they would be written as.
  const written = (json: object): unknown => ('byteLength' in json ? undefined : JSON.stringify(json))
  const text = typeof block === 'object' ? reading(() => written(block)) : block
  if (typeof text !== 'string') throw new TypeError(NO_BLOCK)
  return text.length > MAX_BLOCK_TEXT ? text.slice(0, MAX_BLOCK_TEXT + 1) : text
}
