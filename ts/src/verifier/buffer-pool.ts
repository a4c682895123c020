/**
 * Memory in equal pieces that is used again: callers' bytes are copied into a buffer on their way to the checks, and units lie
 * in one until their verdicts are there. Fresh memory costs the calling thread more than the copy itself, and its garbage
 * collector, which stops the page, more than both.
 */
import { genuineView, lengthOf } from '../util/bytes.ts'
import type { Ownership } from '../util/portable.ts'

/** So few bytes have memory of their own: a pooled buffer would be mostly empty, and there may be many such chunks and calls. */
const LITTLE = 320 << 10

/** Buffers of one length that are lent, returned and lent again. */
export class BufferPool {
  readonly #bytes: number
  readonly #most: number
  readonly #spare: ArrayBuffer[] = []

  /** Buffers of `bytes` each; `most` of them are kept while they are not needed. */
  constructor(bytes: number, most: number) {
    this.#bytes = bytes
    this.#most = most
  }

  /** A buffer that nobody uses, for so many bytes: one of exactly that length where they are few. */
  take(bytes: number): ArrayBuffer {
    return bytes < LITTLE ? new ArrayBuffer(bytes) : (this.#spare.pop() ?? new ArrayBuffer(this.#bytes))
  }

  /**
   * Takes a buffer back that nobody reads any more. One that is detached, was not from here, or has become another realm's on its way is left to
   * the garbage collector: in Firefox, what a worker of a content script sends is the page's, and bytes of the script cannot be copied there.
   */
  giveBack(buffer: ArrayBuffer | null): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === this.#bytes && this.#spare.length < this.#most)
      this.#spare.push(buffer)
  }

  /** Takes several back; each may be named more than once. */
  giveBackAll(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of new Set(buffers)) this.giveBack(buffer)
  }
}

/** Copies into a buffer for as long as there is room in it, and into memory of its own what does not fit. */
export class PooledCopies implements Ownership {
  /** How much was copied. */
  bytes = 0
  /** Null while nothing was. */
  buffer: ArrayBuffer | null = null
  /** The memory of its own. */
  readonly others: ArrayBuffer[] = []
  readonly #buffers: BufferPool
  readonly #items: number
  readonly #maxLength: number
  #used = 0

  /**
   * Copies of so many items. Of an array that is longer than `maxLength` bytes, no more is copied than shows that it is too long.
   */
  constructor(buffers: BufferPool, items: number, maxLength: number) {
    this.#buffers = buffers
    this.#items = items
    this.#maxLength = maxLength
  }

  take(theirs: Uint8Array): Uint8Array<ArrayBuffer> {
    const whole = lengthOf(theirs)
    const length = Math.min(whole, this.#maxLength + 1)
    // There is room for the rest of an item, and for items that are longer than the first, which begins with its longest array.
    this.buffer ??= this.#buffers.take(2 * this.#items * length)
    const fits = this.#used + length <= this.buffer.byteLength
    const ours = fits ? new Uint8Array(this.buffer, this.#used, length) : new Uint8Array(length)
    // May throw, where theirs is detached: then nothing was taken.
    ours.set(length < whole ? genuineView(theirs).subarray(0, length) : theirs)
    if (fits) this.#used += length
    else this.others.push(ours.buffer)
    this.bytes += length
    return ours
  }

  /** Text, as hex of bytes that are bounded in the same way. */
  takeText(text: string): string {
    return text.slice(0, 2 + 2 * (this.#maxLength + 1))
  }
}
