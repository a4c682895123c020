/**
 * What callers of the specification's functions hand in, as the modules take it; refused with `KzgInputError`. No element is copied
 * before its length is known to be about right: memory that a module has grown to is its own for good.
 */
import { CELLS_PER_EXT_BLOB } from '../beacon/constants.ts'
import { BLOB_BYTES, CELL_BYTES, POINT_BYTES } from '../beacon/ssz/layout.ts'
import { genuineView, isBytes } from '../util/bytes.ts'
import { type Bytes, decodeHex } from '../util/hex.ts'
import type { ByteArray } from '../util/platform-types.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'

/**
 * Thrown by the functions of `blobcheck/kzg` and `blobcheck/prover` for malformed input, wherever the official vectors say `null`: they answer
 * with booleans and bytes, and have no verdict to say `malformed` in. It is thrown in one case more, by a recovery from more than 64 cells that
 * no single blob has; the specification's function returns the cells of another blob there.
 *
 * @example
 * ```ts
 * import { KzgInputError, loadKzg } from 'blobcheck/kzg'
 *
 * const kzg = await loadKzg()
 * try {
 *   kzg.verifyBlobKzgProofBatch(['0x00'], [commitment], [proof])
 * } catch (error) {
 *   if (error instanceof KzgInputError) console.log(error.code, error.index) // blob-length 0
 * }
 * ```
 */
export class KzgInputError extends Error {
  override readonly name = 'KzgInputError'
  /** What is wrong with the input. */
  readonly code: KzgInputCode
  /**
   * Which element of its array is meant, from 0. It is 0 where the list as a whole is meant: `array-lengths`, `not-an-array`, `cell-count` and
   * `cells-inconsistent`. For single values 0, or 1 for what is wrong with `y` beside `z`.
   */
  readonly index: number
  /** What that element was given as, or the elements of the list, where the code is of every kind: `not-bytes`, `bad-hex` and `not-an-array`. */
  readonly field: KzgInputField | undefined

  constructor(code: KzgInputCode, index = 0, field?: KzgInputField) {
    super(field === undefined ? `${code} (index ${index})` : `${code} (${field}, index ${index})`)
    this.code = code
    this.index = index
    this.field = field
  }
}

/** What has bytes, and with it how many: 131,072 in a blob, 2,048 in a cell, 48 in a commitment or a proof, and 32 in `z` and `y`. */
export type Field = 'blob' | 'cell' | 'commitment' | 'proof' | 'z' | 'y'

/** What a function of KZG is given: something that has bytes, or an index. */
export type KzgInputField = Field | 'cell-index' | 'commitment-index'

const BYTES: Readonly<Record<Field, number>> = {
  ...{ blob: BLOB_BYTES, cell: CELL_BYTES },
  ...{ commitment: POINT_BYTES, proof: POINT_BYTES },
  ...{ z: 32, y: 32 },
}

/**
 * A field as it was handed in, not parsed, cut to one byte more than its kind has where it is longer. That is as wrong a length, which the
 * module refuses in its turn: faults are named in the same order as without the cut.
 */
export function boundedField(field: Field, value: unknown, index = 0): Bytes {
  const bytes = BYTES[field]
  if (isBytes(value)) {
    const view = genuineView(value)
    return view.length > bytes ? view.subarray(0, bytes + 1) : view
  }
  if (typeof value !== 'string') throw new KzgInputError('not-bytes', index, field)
  // A bad digit is to be found in what is a little too long: all texts are cut where a blob's is.
  const most = 2 + 2 * (BLOB_BYTES + 1)
  // An odd number of digits stays odd, and so no hex.
  return value.length > most ? value.slice(0, most - (value.length % 2)) : value
}

/** The bytes of a field; at most one more than its kind has. */
export function readField(field: Field, value: unknown, index = 0): Uint8Array {
  const bounded = boundedField(field, value, index)
  if (typeof bounded !== 'string') return bounded
  const bytes = decodeHex(bounded)
  if (bytes === null) throw new KzgInputError('bad-hex', index, field)
  return bytes.length > BYTES[field] ? bytes.slice(0, BYTES[field] + 1) : bytes
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
      throw new KzgInputError(field, at)
    return index
  })
  return Uint32Array.from(indices)
}

/** The elements of an array, read one by one: a hole is refused like any other element that is none. */
function elementsOf<T>(field: KzgInputField, values: unknown, read: (value: unknown, at: number) => T): T[] {
  if (!Array.isArray(values)) throw new KzgInputError('not-an-array', 0, field)
  return Array.from(values, read)
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
    if (indices.length !== fields.length) throw new KzgInputError('array-lengths')
    const wrong = fields.findIndex(({ length }) => length !== CELL_BYTES)
    throw wrong < 0 ? new KzgInputError('cell-count') : new KzgInputError('cell-length', wrong)
  }
  return { indices, cells: fields }
}

/** Cells of 2,048 bytes out of one piece, each in memory of its own. */
export function splitCells(cells: Uint8Array): ByteArray[] {
  return Array.from({ length: cells.length / CELL_BYTES }, (_, at) =>
    cells.slice(at * CELL_BYTES, (at + 1) * CELL_BYTES),
  )
}
