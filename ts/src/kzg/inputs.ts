/**
 * What callers of the specification's functions hand in, as the modules take it; refused with `KzgInputError`. No element is copied
 * before its length is known to be about right: memory that a module has grown to is its own for good.
 */
import { CELLS_PER_EXT_BLOB } from '../beacon/constants.ts'
import { BLOB_BYTES, CELL_BYTES } from '../beacon/ssz/layout.ts'
import { genuineView, isBytes } from '../util/bytes.ts'
import { type Bytes, decodeHex } from '../util/hex.ts'
import type { ByteArray } from '../util/platform-types.ts'
import { type Field, FIELD_BYTES, type KzgInputField } from './input-error.ts'
import { inputError } from './input-words.ts'

/**
 * A field as it was handed in, not parsed, cut to one byte more than its kind has where it is longer. That is as wrong a length, which the
 * module refuses in its turn: faults are named in the same order as without the cut.
 */
export function boundedField(field: Field, value: unknown, index = 0): Bytes {
  const bytes = FIELD_BYTES[field]
  if (isBytes(value)) {
    const view = genuineView(value)
    return view.length > bytes ? view.subarray(0, bytes + 1) : view
  }
  if (typeof value !== 'string') throw inputError('not-bytes', index, field, kindOf(value))
  // A bad digit is to be found in what is a little too long: all texts are cut where a blob's is.
  const most = 2 + 2 * (BLOB_BYTES + 1)
  // An odd number of digits stays odd, and so no hex.
  return value.length > most ? value.slice(0, most - (value.length % 2)) : value
}

/** Of a proxy that was revoked, the platform's own function throws. */
function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** What a value is, in a word: whatever else is read of it may be code of the caller's. */
const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** The bytes of a field that is bounded; at most one more than its kind has. Null for a text that is no hex. */
export function decodeField(field: Field, bounded: Bytes): Uint8Array | null {
  if (typeof bounded !== 'string') return bounded
  const bytes = decodeHex(bounded)
  return bytes !== null && bytes.length > FIELD_BYTES[field] ? bytes.slice(0, FIELD_BYTES[field] + 1) : bytes
}

/** The bytes of a field; at most one more than its kind has. */
export function readField(field: Field, value: unknown, index = 0): Uint8Array {
  const bytes = decodeField(field, boundedField(field, value, index))
  if (bytes === null) throw inputError('bad-hex', index, field)
  return bytes
}

/** The bytes of each field of a list. */
export function readFields(field: Field, values: unknown): Uint8Array[] {
  return elementsOf(field, values, (value, at) => readField(field, value, at))
}

/**
 * Indices as uint32; those that are none, or are larger, are refused here, since a typed array would wrap them.
 *
 * @internal
 */
export function indicesOf(
  field: 'cell-index' | 'commitment-index',
  values: unknown,
): Uint32Array<ArrayBuffer> {
  const indices = elementsOf(field, values, (value, at) => {
    const index = typeof value === 'bigint' ? Number(value) : value
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= 2 ** 32)
      throw inputError(field, at, undefined, typeof index === 'number' ? `${index}` : kindOf(value))
    return index
  })
  return Uint32Array.from(indices)
}

/**
 * The elements of an array, read one by one by their places, whatever its iterator gives: a hole is refused like any other element that is
 * none. What a Proxy says of its length is looked at once, and must be a length that an array can have.
 */
function elementsOf<T>(field: KzgInputField, values: unknown, read: (value: unknown, at: number) => T): T[] {
  if (!isArray(values)) throw inputError('not-an-array', 0, field, kindOf(values))
  const { length } = values
  if (length !== length >>> 0) throw inputError('not-an-array', 0, field, 'a proxy')
  const elements: T[] = []
  for (let at = 0; at < length; at++) elements.push(read(values[at], at))
  return elements
}

/**
 * What a recovery is given. Throws where there are more cells than a blob has, before they are copied.
 *
 * @internal
 */
export function readRecovery(
  cellIndices: unknown,
  cells: unknown,
): { readonly indices: Uint32Array<ArrayBuffer>; readonly cells: readonly Uint8Array[] } {
  const indices = indicesOf('cell-index', cellIndices)
  const fields = readFields('cell', cells)
  if (fields.length > CELLS_PER_EXT_BLOB) {
    // As crates/kzg has them, in this order.
    const given = { 'cell-index': indices, cell: fields }
    if (indices.length !== fields.length) throw inputError('array-lengths', 0, undefined, given)
    const wrong = fields.findIndex(({ length }) => length !== CELL_BYTES)
    throw wrong < 0
      ? inputError('cell-count', 0, undefined, given)
      : inputError('cell-length', wrong, undefined, given)
  }
  return { indices, cells: fields }
}

/** Cells of 2,048 bytes out of one piece, each in memory of its own. */
export function splitCells(cells: Uint8Array): ByteArray[] {
  return Array.from({ length: cells.length / CELL_BYTES }, (_, at) =>
    cells.slice(at * CELL_BYTES, (at + 1) * CELL_BYTES),
  )
}
