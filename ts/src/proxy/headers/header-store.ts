/** Headers by their roots, in few and large pieces of memory: a way back of days has more than a hundred thousand. */
import type { ChainHeader } from '../../beacon/chain-headers.ts'
import { HEADER_BYTES } from '../../beacon/ssz/layout.ts'
import { encodeHex } from '../../util/hex.ts'

/** How many are kept, 290 bytes each with their roots: twenty days. */
const MAX_HEADERS = 150_000
/** Headers in one piece of memory. */
const PAGE = 1_024

/**
 * The headers that were added last. That bytes have a root is all that is known of what is in here; of which chain they are, their children
 * say.
 */
export class HeaderStore {
  readonly #most: number
  readonly #places = new Map<string, number>()
  /** By place: what is taken out where another header comes there. */
  readonly #roots: string[] = []
  readonly #pages: Uint8Array[] = []
  #added = 0

  constructor(most: number = MAX_HEADERS) {
    this.#most = most
  }

  /** How many were added so far, those that are kept no more included. */
  get added(): number {
    return this.#added
  }

  /** The header of a root. */
  get(root: string): ChainHeader | undefined {
    const place = this.#places.get(root)
    if (place === undefined) return undefined
    // A copy: another header may come to this place.
    const ssz = this.#at(place).slice()
    return {
      root,
      slot: Number(new DataView(ssz.buffer).getBigUint64(0, true)),
      parentRoot: `0x${encodeHex(ssz.subarray(16, 48))}`,
      ssz,
    }
  }

  /** Keeps a header whose root was computed here. */
  add({ root, ssz }: ChainHeader): void {
    if (this.#places.has(root)) return
    const place = this.#added++ % this.#most
    const before = this.#roots[place]
    if (before !== undefined) this.#places.delete(before)
    this.#roots[place] = root
    this.#places.set(root, place)
    this.#at(place).set(ssz)
  }

  /** The memory of a place. */
  #at(place: number): Uint8Array {
    const page = Math.floor(place / PAGE)
    const memory = (this.#pages[page] ??= new Uint8Array(PAGE * HEADER_BYTES))
    return memory.subarray((place % PAGE) * HEADER_BYTES, ((place % PAGE) + 1) * HEADER_BYTES)
  }
}
