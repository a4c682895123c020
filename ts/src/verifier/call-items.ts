/** The items of one call, on their way to the checks: copied (or taken over) when it is their turn, and apart from who delivered them. */
import { isBytes } from '../util/bytes.ts'
import type { Bytes } from '../util/hex.ts'
import type { JsonObject } from '../util/json-object.ts'
import { copying, type Portable, portable } from '../util/portable.ts'
import type { SidecarName, UncheckedItem } from './checks/protocol.ts'
import { COLUMNS, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../beacon/constants.ts'
import { BLOB_BYTES, blobSidecar, CELL_BYTES, columnBytes } from '../beacon/ssz/layout.ts'
import { splitByOffsets, splitFixed } from '../beacon/ssz/layout.ts'
import { type BufferPool, PooledCopies } from './buffer-pool.ts'
import { type TakenBuffer, TakenItems } from './taken-items.ts'

/**
 * A sidecar with the name of who delivered it, in the caller's words; made by `fromSource`. A class with private fields, so that nothing
 * that was parsed can be taken for it.
 */
export class SourcedSidecar {
  readonly #sidecar: unknown
  readonly #source: string

  constructor(sidecar: unknown, source: string) {
    this.#sidecar = sidecar
    this.#source = source
  }

  /** What is inside, where the value was made by `fromSource`; undefined where it is anything else. */
  static open(value: unknown): { readonly content: unknown; readonly source: string } | undefined {
    return typeof value === 'object' && value !== null && #source in value
      ? { content: value.#sidecar, source: value.#source }
      : undefined
  }
}

/**
 * Says who delivered a sidecar, for `verifyBlobSidecars` and `verifyDataColumnSidecars`: the name comes back in `sources` of a verdict on
 * a bad one. `sidecar` is SSZ (bytes or 0x hex) or Beacon API JSON. Throws `TypeError` where `source` is no string.
 *
 * A record `{ sidecar, source }` is no such value: it might have come from an endpoint that wants somebody else to be blamed.
 *
 * @example
 * ```ts
 * import { createVerifier, fromSource } from 'blobcheck'
 *
 * await using verifier = await createVerifier()
 * const [verdict] = await verifier.verifyBlobSidecars([fromSource('0x00', 'peer 7')])
 * console.log(verdict) // malformed, with sources: ['peer 7']
 * ```
 */
export function fromSource(sidecar: Bytes | JsonObject, source: string): SourcedSidecar {
  if (typeof source !== 'string') throw new TypeError('source must be a string')
  return new SourcedSidecar(sidecar, source)
}

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
  // No rule bounds it; a transaction of the most blobs that ever fitted in a block is a quarter of this.
  transaction: 64 << 20,
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
    if (transfer) this.#taken = new TakenItems(items.map((item) => unwrap(kind, item).content))
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
    const copies = new PooledCopies(buffers, MAX_BYTES[this.#kind])
    const lent = new Set<TakenBuffer>()
    const to = Math.min(from + maxItems, this.#items.length)
    for (let at = from; at < to && (copies.bytes < maxBytes || at === from); at++) {
      items.push({ kind: this.#kind, at, item: this.#readOne(at, copies, lent) })
    }
    return { items, buffer: copies.buffer, disposable: copies.others, taken: [...lent] }
  }

  #readOne(at: number, copies: PooledCopies, lent: Set<TakenBuffer>): Portable {
    const { content, source } = unwrap(this.#kind, this.#items[at])
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
function unwrap(
  kind: UncheckedItem['kind'],
  item: unknown,
): { readonly content: unknown; readonly source: string | undefined } {
  if (kind !== 'blob' && kind !== 'cell')
    return SourcedSidecar.open(item) ?? { content: item, source: undefined }
  if (typeof item !== 'object' || item === null) return { content: item, source: undefined }
  try {
    if (Array.isArray(item) || ArrayBuffer.isView(item)) return { content: item, source: undefined }
    const { source } = item as { source?: unknown }
    return { content: pick(item, FIELDS[kind]), source: typeof source === 'string' ? source : undefined }
  } catch {
    return { content: null, source: undefined }
  }
}

/** What is read of an item; whatever else it has is the caller's own. */
const FIELDS = {
  blob: ['blob', 'commitment', 'proof', 'versionedHash'],
  cell: ['commitment', 'cellIndex', 'cell', 'proof'],
} as const

/** Some fields of an object, its own or of its class. What somebody has put on all objects is none. */
function pick(item: object, names: readonly string[]): object {
  const given = names.filter((name) => Object.hasOwn(item, name) || !(name in Object.prototype))
  return Object.fromEntries(given.map((name) => [name, (item as Record<string, unknown>)[name]]))
}

/**
 * The items of an answer of the Beacon API: an array as it is; the `data` of a JSON answer; the sidecars of an SSZ list. What cannot be
 * split is one item, which the checks will refuse. Throws `TypeError` for what is none of these, or cannot be read.
 *
 * @internal
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
    return Array.isArray(list) ? list : [{}]
  }
  throw new TypeError(
    'sidecars must be an array, a Beacon API answer (its text or { data: [...] }), or the bytes of an SSZ list',
  )
}
