/** What callers hand in, as deliveries: copied (or taken over), and apart from who delivered it. */
import { isBytes } from '../bytes/is-bytes.ts'
import { copying, type Ownership, portable, transferring } from '../bytes/portable.ts'
import type { Delivery } from '../checks/delivery.ts'

/** A delivery with its source. */
export interface Consignment {
  readonly delivery: Delivery
  readonly source: string | undefined
}

/** This many bytes are copied in one go; then other work of the thread has its turn. */
const COPY_AT_ONCE = 4 << 20

/** Reads items and gives up the thread now and then. They must not be changed until the call that hands them in settles. */
export async function consign(
  kind: Delivery['kind'],
  items: readonly unknown[],
  transfer: boolean,
): Promise<Consignment[]> {
  const ownership = counting(
    transfer ? transferring(items.map((item) => unwrap(kind, item).content)) : copying,
  )
  const consignments: Consignment[] = []
  for (const item of items) {
    const { content, source } = unwrap(kind, item)
    consignments.push({ delivery: { kind, item: portable(content, ownership) }, source })
    if (ownership.taken >= COPY_AT_ONCE) {
      ownership.taken = 0
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  return consignments
}

function counting(inner: Ownership): Ownership & { taken: number } {
  return {
    taken: 0,
    take(bytes) {
      this.taken += bytes.length
      return inner.take(bytes)
    },
  }
}

/** Where the content is, of what may come wrapped. */
const wrappers: { readonly [kind in Delivery['kind']]?: string } = {
  'blob-sidecar': 'sidecar',
  'data-column-sidecar': 'sidecar',
  transaction: 'transaction',
}

/** Sidecars may come bare or wrapped with their source; blobs and cells carry their source themselves. */
function unwrap(kind: Delivery['kind'], item: unknown): { content: unknown; source: string | undefined } {
  if (typeof item !== 'object' || item === null || isBytes(item)) return { content: item, source: undefined }
  try {
    const { source } = item as { source?: unknown }
    const named = typeof source === 'string' ? source : undefined
    const wrapper = wrappers[kind]
    const isWrapped = wrapper !== undefined && wrapper in item
    return { content: isWrapped ? (item as Record<string, unknown>)[wrapper] : item, source: named }
  } catch {
    return { content: null, source: undefined }
  }
}

const BLOB_SIDECAR_BYTES = 131_928

/**
 * The items of an answer of the Beacon API: an array as it is; the `data` of a JSON answer; the sidecars of an SSZ list.
 * What a list cannot be split into is one item, which the checks will refuse.
 */
export function sidecarsOf(kind: Delivery['kind'], answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (isBytes(answer)) return kind === 'blob-sidecar' ? splitFixed(answer) : splitByOffsets(answer)
  if (typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data))
    return answer.data
  throw new TypeError(
    'sidecars must be an array, a Beacon API answer (its text or { data: [...] }), or the bytes of an SSZ list',
  )
}

/** `List[BlobSidecar]`: entries of fixed size, one after the other. */
function splitFixed(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % BLOB_SIDECAR_BYTES !== 0) return [bytes]
  const count = bytes.length / BLOB_SIDECAR_BYTES
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * BLOB_SIDECAR_BYTES, (at + 1) * BLOB_SIDECAR_BYTES),
  )
}

/** `List[DataColumnSidecar]`: a table of offsets, then the entries. */
function splitByOffsets(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length === 0) return []
  if (bytes.length < 4) return [bytes]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tableLength = view.getUint32(0, true)
  // 128 columns of a block at most, each once.
  if (tableLength === 0 || tableLength % 4 !== 0 || tableLength > 128 * 4 || tableLength > bytes.length)
    return [bytes]
  const offsets = Array.from({ length: tableLength / 4 }, (_, at) => view.getUint32(4 * at, true))
  const ends = [...offsets.slice(1), bytes.length]
  if (offsets.some((offset, at) => offset > ends[at]!)) return [bytes]
  return offsets.map((offset, at) => bytes.subarray(offset, ends[at]))
}
