/** What callers of the specification's functions hand in, as the modules take it; refused with `KzgInputError`. */
import { isBytes, pack, type Packed, genuineView } from '../util/bytes.ts'
import { decodeHex } from '../util/hex.ts'
import { KzgInputError } from './errors.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'

/** One value. */
export function bytesOf(value: unknown, index = 0): Uint8Array {
  if (isBytes(value)) return genuineView(value)
  if (typeof value !== 'string') throw new KzgInputError('not-bytes', index)
  const bytes = decodeHex(value)
  if (bytes === null) throw new KzgInputError('bad-hex', index)
  return bytes
}

/** A list, packed. */
export function listOf(values: readonly unknown[]): Packed {
  return pack(elementsOf(values, bytesOf))
}

/** Indices as uint32; those that are none, or are larger, are refused here, since a typed array would wrap them. */
export function indicesOf(values: readonly unknown[], code: KzgInputCode): Uint32Array<ArrayBuffer> {
  const indices = elementsOf(values, (value, at) => {
    const index = typeof value === 'bigint' ? Number(value) : value
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= 2 ** 32)
      throw new KzgInputError(code, at)
    return index
  })
  return Uint32Array.from(indices)
}

/** The elements of an array, read one by one: a hole is refused like any other element that is none. */
export function elementsOf<T>(values: unknown, read: (value: unknown, at: number) => T): T[] {
  if (!Array.isArray(values)) throw new KzgInputError('not-an-array')
  return Array.from(values, read)
}

/** Cells of 2,048 bytes out of one piece, each in memory of its own. */
export function splitCells(cells: Uint8Array): Uint8Array[] {
  return Array.from({ length: cells.length / 2048 }, (_, at) => cells.slice(at * 2048, (at + 1) * 2048))
}
