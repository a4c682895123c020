/**
 * Where units are written: one after the other, into memory that was lent with the items, each with the hash of its body
 * behind it. So they travel in one piece, and their memory can be used again, where a buffer for each would be fresh every
 * time, and garbage after its verdict.
 */
import type { Core } from '../../kzg/module.ts'
import { HASH_BYTES } from './protocol.ts'
import { Refused } from '../../beacon/ssz/fields.ts'

/** What the WASM checks answer with: a code, or 256 · the length of what they have written or would write if it fitted. */
const CODES = 256

export class UnitWriter {
  readonly #size: number
  #left: Uint8Array<ArrayBuffer>

  constructor(lent: ArrayBuffer) {
    this.#size = lent.byteLength
    this.#left = new Uint8Array(lent)
  }

  /**
   * What a check writes; behind it there is space for a hash. Throws the refusal that it may answer with instead. Where the
   * buffer is full, another is begun.
   */
  write(core: Core, check: (into: Uint8Array) => number): Uint8Array<ArrayBuffer> {
    let length = this.#ask(core, check)
    if (length + HASH_BYTES > this.#left.length) {
      this.#left = new Uint8Array(Math.max(length + HASH_BYTES, this.#size))
      length = this.#ask(core, check)
    }
    const written = this.#left.subarray(0, length)
    this.#left = this.#left.subarray(length + HASH_BYTES)
    return written
  }

  #ask(core: Core, check: (into: Uint8Array) => number): number {
    // What is not written because the buffer is full is only measured.
    const answer = check(this.#left.subarray(0, Math.max(this.#left.length - HASH_BYTES, 0)))
    const refusal = core.refusal(answer % CODES)
    if (refusal !== null) throw new Refused(refusal)
    return answer / CODES
  }
}
