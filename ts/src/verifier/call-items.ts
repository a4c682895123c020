/** The items of one call, on their way to the checks: copied (or taken over) when it is their turn, and apart from who delivered them. */
import { copying, type Portable, portable } from '../util/portable.ts'
import { MAX_TRANSACTION_BYTES, type UncheckedItem } from './checks/protocol.ts'
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../beacon/constants.ts'
import { BLOB_BYTES, blobSidecar, CELL_BYTES, columnBytes } from '../beacon/ssz/layout.ts'
import { type BufferPool, PooledCopies } from './buffer-pool.ts'
import type { BlobItem, CellItem } from './options.ts'
import { SourcedSidecar } from './sourced-sidecar.ts'
import { type TakenBuffer, TakenItems } from './taken-items.ts'

/**
 * Some items of a call, as they are sent to a worker.
 *
 * @internal
 */
export interface ItemChunk {
  readonly items: readonly UncheckedItem[]
  /** What their bytes were copied into: transferred with them, and returned. */
  readonly buffer: ArrayBuffer | null
  /** Other memory that only these items use: transferred with them, and not returned. */
  readonly disposable: readonly ArrayBuffer[]
  /** Memory that was the caller's: transferred with them, and returned. */
  readonly taken: readonly TakenBuffer[]
}

/**
 * The longest byte array that can be good, in bytes. What is longer travels as its beginning, one byte too long, and is refused by the
 * checks for its length: nobody is made to copy what somebody sent to fill memory.
 */
const MAX_BYTES: { readonly [kind in UncheckedItem['kind']]: number } = {
  blob: BLOB_BYTES,
  cell: CELL_BYTES,
  'blob-sidecar': blobSidecar.end,
  'data-column-sidecar': columnBytes(MAX_BLOB_COMMITMENTS_PER_BLOCK),
  transaction: MAX_TRANSACTION_BYTES,
}

/**
 * The items of one call, read when it is their turn, so that no thread waits until all are copied and memory holds few
 * copies at a time. They must not be changed until the call that hands them in settles: after a worker's crash they are
 * read again.
 *
 * @internal
 */
export class CallItems {
  readonly #kind: UncheckedItem['kind']
  readonly #items: readonly unknown[]
  readonly #taken: TakenItems | undefined
  readonly #reload: (() => Promise<readonly unknown[]>) | undefined
  #reloaded: Promise<readonly unknown[]> | undefined
  /** Items whose memory was lost with a worker, as they were had once more. */
  readonly #replaced = new Map<number, Portable>()
  readonly #sources: (string | undefined)[] = []

  /**
   * `transfer`: whether to take the items' memory over. `reload` has them once more where that was lost with a worker; without it, such
   * an item stays lost.
   */
  constructor(
    kind: UncheckedItem['kind'],
    items: readonly unknown[],
    transfer: boolean,
    reload?: () => Promise<readonly unknown[]>,
  ) {
    this.#kind = kind
    this.#items = items
    this.#reload = reload
    if (transfer) this.#taken = new TakenItems(items.map((item) => unwrap(kind, item)[0]))
  }

  get length(): number {
    return this.#items.length
  }

  /** Who delivered an item that has been read. */
  source(at: number): string | undefined {
    return this.#sources[at]
  }

  /** Reads on from an item: one at least, and more while there are fewer than these items and bytes. */
  read(from: number, maxItems: number, maxBytes: number, buffers: BufferPool): ItemChunk {
    const items: UncheckedItem[] = []
    const to = Math.min(from + maxItems, this.#items.length)
    const copies = new PooledCopies(buffers, to - from, MAX_BYTES[this.#kind])
    const lent = new Set<TakenBuffer>()
    for (let at = from; at < to && (copies.bytes < maxBytes || at === from); at++) {
      items.push({ kind: this.#kind, at, item: this.#readOne(at, copies, lent) })
    }
    return { items, buffer: copies.buffer, disposable: copies.others, taken: [...lent] }
  }

  #readOne(at: number, copies: PooledCopies, lent: Set<TakenBuffer>): Portable {
    const [content, source] = unwrap(this.#kind, this.#items[at])
    this.#sources[at] = source
    const replaced = this.#replaced.get(at)
    if (replaced !== undefined) return portable(replaced, copies)
    return this.#taken === undefined ? portable(content, copies) : this.#taken.read(at, copies, lent)
  }

  /** Whether an item can be read: again, after a crash, which may have taken memory that was the caller's. */
  async isThere(at: number): Promise<boolean> {
    if (this.#taken?.recall(at) !== false || this.#replaced.has(at)) return true
    if (this.#reload === undefined) return false
    this.#reloaded ??= this.#reload()
    const items = await this.#reloaded
    if (at >= items.length) return false
    this.#replaced.set(at, portable(items[at], copying))
    return true
  }
}

/**
 * Sidecars come bare or from `fromSource`, and so do transactions within this package; blobs and cells carry their source themselves.
 * What a sidecar says of its own source is data, and may be made up to accuse somebody else.
 */
function unwrap(kind: UncheckedItem['kind'], item: unknown): readonly [content: unknown, source?: string] {
  if (kind !== 'blob' && kind !== 'cell') return SourcedSidecar.open(item) ?? [item]
  if (typeof item !== 'object' || item === null) return [item]
  try {
    if (Array.isArray(item) || ArrayBuffer.isView(item)) return [item]
    const { source, ...content } = pick(item, FIELDS[kind])
    return typeof source === 'string' ? [content, source] : [content]
  } catch {
    return [null]
  }
}

/** What is read of an item, the longest first; whatever else it has is the caller's own. The compiler names a field that is missing here. */
const FIELDS: {
  readonly blob: Readonly<Record<keyof BlobItem, true>>
  readonly cell: Readonly<Record<keyof CellItem, true>>
} = {
  blob: { blob: true, commitment: true, proof: true, versionedHash: true, source: true },
  cell: { cell: true, commitment: true, cellIndex: true, proof: true, source: true },
}

/** Some fields of an object, its own or of its class. What somebody has put on all objects is none. */
function pick(item: object, fields: object): { readonly [name: string]: unknown } {
  const picked = Object.create(null) as { [name: string]: unknown }
  for (const name of Object.keys(fields))
    if (Object.hasOwn(item, name) || !(name in Object.prototype))
      picked[name] = (item as Record<string, unknown>)[name]
  return picked
}
