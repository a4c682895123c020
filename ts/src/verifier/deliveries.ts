/** What callers hand in, as deliveries: copied (or taken over), and apart from who delivered it. */
import { isBytes } from '../util/bytes.ts'
import { type Ownership, type Portable, portable, transferring } from '../util/portable.ts'
import type { Delivery, SidecarName } from './checks/delivery.ts'
import { COLUMNS } from '../beacon/constants.ts'
import { blobSidecar } from '../beacon/ssz/layout.ts'
import { splitByOffsets, splitFixed } from '../beacon/ssz/list.ts'
import { Copies, type Slabs } from './slabs.ts'

/** Some deliveries of a call. */
export interface Reading {
  readonly deliveries: readonly Delivery[]
  /** What their bytes were copied into: to be given away with them, and taken back. */
  readonly slab: ArrayBuffer | null
  /** Other memory that only these deliveries use: it may be given away with them. */
  readonly disposable: readonly ArrayBuffer[]
}

/**
 * The items of one call, read when it is their turn, so that no thread waits until all are copied and memory holds few
 * copies at a time. They must not be changed until the call that hands them in settles: after a worker's crash they are
 * read again.
 */
export class Consignment {
  readonly #kind: Delivery['kind']
  readonly #items: readonly unknown[]
  /** Where the caller's memory is taken over: what was taken, since it cannot be taken again. */
  readonly #taken: Map<number, Portable> | undefined
  readonly #transferring: Ownership | undefined
  readonly #sources: (string | undefined)[] = []

  constructor(kind: Delivery['kind'], items: readonly unknown[], transfer: boolean) {
    this.#kind = kind
    this.#items = items
    if (!transfer) return
    this.#taken = new Map()
    this.#transferring = transferring(items.map((item) => unwrap(kind, item).content))
  }

  get length(): number {
    return this.#items.length
  }

  /** Who delivered an item that has been read. */
  source(at: number): string | undefined {
    return this.#sources[at]
  }

  /** Reads on from an item: one at least, and more while there are fewer than these items and bytes. */
  read(from: number, maxItems: number, maxBytes: number, slabs: Slabs): Reading {
    const deliveries: Delivery[] = []
    const copies = new Copies(slabs)
    const to = Math.min(from + maxItems, this.#items.length)
    for (let at = from; at < to && (copies.bytes < maxBytes || at === from); at++) {
      const { content, source } = unwrap(this.#kind, this.#items[at])
      this.#sources[at] = source
      deliveries.push({ kind: this.#kind, item: this.#take(at, content) ?? portable(content, copies) })
    }
    return { deliveries, slab: copies.slab, disposable: copies.others }
  }

  /** An item in the caller's own memory, or nothing where it is to be copied. */
  #take(at: number, content: unknown): Portable | undefined {
    if (this.#taken === undefined || this.#transferring === undefined) return undefined
    const taken = this.#taken.get(at) ?? portable(content, this.#transferring)
    this.#taken.set(at, taken)
    return taken
  }
}

/** Where the content is, of what may come wrapped. */
const wrappers: { readonly [kind in Delivery['kind']]?: string } = {
  'blob-sidecar': 'sidecar',
  'data-column-sidecar': 'sidecar',
  transaction: 'transaction',
}

/**
 * Sidecars may come bare or wrapped with their source; blobs and cells carry their source themselves. What a bare sidecar says of
 * its source is data, and may be made up to accuse somebody else.
 */
function unwrap(kind: Delivery['kind'], item: unknown): { content: unknown; source: string | undefined } {
  if (typeof item !== 'object' || item === null || isBytes(item)) return { content: item, source: undefined }
  try {
    const wrapper = wrappers[kind]
    if (wrapper !== undefined && !(wrapper in item)) return { content: item, source: undefined }
    const { source } = item as { source?: unknown }
    return {
      content: wrapper === undefined ? item : (item as Record<string, unknown>)[wrapper],
      source: typeof source === 'string' ? source : undefined,
    }
  } catch {
    return { content: null, source: undefined }
  }
}

/** An answer's entries: each is data as a whole, and no wrapper that names a source. */
export const bare = (entries: readonly unknown[]): readonly unknown[] =>
  entries.map((sidecar) => ({ sidecar }))

/**
 * The items of an answer of the Beacon API: an array, which is the caller's, as it is; the `data` of a JSON answer; the sidecars
 * of an SSZ list. What cannot be split is one item, which the checks will refuse.
 */
export function sidecarsOf(kind: SidecarName, answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (isBytes(answer)) {
    const list =
      kind === 'blob-sidecar' ? splitFixed(answer, blobSidecar.end) : splitByOffsets(answer, COLUMNS)
    return list ?? [answer]
  }
  // What JSON can say is an endpoint's fault; the rest is the caller's.
  if (/ (Object|Null|Number|Boolean)/.test(Object.prototype.toString.call(answer))) {
    const list = (answer as { data?: unknown } | null)?.data
    return bare(Array.isArray(list) ? list : [{}])
  }
  throw new TypeError(
    'sidecars must be an array, a Beacon API answer (its text or { data: [...] }), or the bytes of an SSZ list',
  )
}
