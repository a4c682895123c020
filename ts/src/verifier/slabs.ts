/**
 * Memory in equal pieces that is used again: callers' bytes are copied into a slab on their way to the checks, and units lie
 * in one until their verdicts are there. Fresh memory costs the calling thread more than the copy itself, and its garbage
 * collector, which stops the page, more than both.
 */
import { lengthOf } from '../util/bytes.ts'
import type { Ownership } from '../util/portable.ts'

/** Room for the bytes of a chunk, and for what its last item has beyond them. */
export class Slabs {
  readonly #bytes: number
  readonly #most: number
  readonly #spare: ArrayBuffer[] = []

  /** Slabs of so many bytes; so many at most are kept while they are not needed. */
  constructor(bytes: number, most: number) {
    this.#bytes = bytes
    this.#most = most
  }

  take(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(this.#bytes)
  }

  /** What came home, or was not sent at all. A worker that crashed has taken its slab with it. */
  giveBack(slab: ArrayBuffer | null): void {
    if (slab?.byteLength === this.#bytes && this.#spare.length < this.#most) this.#spare.push(slab)
  }

  /** The same; memory may be named more than once. */
  giveBackAll(slabs: readonly ArrayBuffer[]): void {
    for (const slab of new Set(slabs)) this.giveBack(slab)
  }
}

/** Copies into a slab for as long as there is room in it, and into memory of its own what does not fit. */
export class Copies implements Ownership {
  /** How much was copied. */
  bytes = 0
  /** Null while nothing was. */
  slab: ArrayBuffer | null = null
  /** The memory of its own. */
  readonly others: ArrayBuffer[] = []
  readonly #slabs: Slabs
  #used = 0

  constructor(slabs: Slabs) {
    this.#slabs = slabs
  }

  take(theirs: Uint8Array): Uint8Array<ArrayBuffer> {
    const length = lengthOf(theirs)
    this.slab ??= this.#slabs.take()
    const fits = this.#used + length <= this.slab.byteLength
    const ours = fits ? new Uint8Array(this.slab, this.#used, length) : new Uint8Array(length)
    // May throw, where theirs is detached: then nothing was taken.
    ours.set(theirs)
    if (fits) this.#used += length
    else this.others.push(ours.buffer)
    this.bytes += length
    return ours
  }
}
