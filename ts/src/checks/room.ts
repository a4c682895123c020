/**
 * Where units are written: one after the other, into memory that was lent with the deliveries. So they travel in one piece,
 * and their memory can be used again, where a buffer for each would be fresh every time, and garbage after its verdict.
 */
import type { Core } from '../wasm/core.ts'
import { Refused } from './fields.ts'

/** What the WASM checks answer with: a code, or 256 · the length of what they have written or would write if it fitted. */
const CODES = 256

export class Room {
  readonly #size: number
  #left: Uint8Array<ArrayBuffer>

  constructor(lent: ArrayBuffer) {
    this.#size = lent.byteLength
    this.#left = new Uint8Array(lent)
  }

  /** What a check writes; throws the refusal that it may answer with instead. Where the room is full, another is begun. */
  write(core: Core, check: (room: Uint8Array) => number): Uint8Array<ArrayBuffer> {
    let length = this.#ask(core, check)
    if (length > this.#left.length) {
      this.#left = new Uint8Array(Math.max(length, this.#size))
      length = this.#ask(core, check)
    }
    const written = this.#left.subarray(0, length)
    this.#left = this.#left.subarray(length)
    return written
  }

  #ask(core: Core, check: (room: Uint8Array) => number): number {
    const answer = check(this.#left)
    const refusal = core.refusal(answer % CODES)
    if (refusal !== null) throw new Refused(refusal)
    return answer / CODES
  }
}
