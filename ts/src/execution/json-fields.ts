/** Fields of JSON-RPC objects (execution-apis, schemas/base-types.yaml), as the bytes that RLP has for them. */
import { decodeHex } from '../util/hex.ts'
import type { Portable } from '../util/portable.ts'
import { malformed } from './data-error.ts'

/** An object of JSON. */
export type JsonFields = { readonly [field: string]: Portable | undefined }

/** The widest number of the execution layer, in bytes. */
const MAX_NUMBER_BYTES = 32

/** An object. Throws `ExecutionDataError` for anything else. */
export function fieldsOf(value: Portable | undefined, name: string): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array)
    throw malformed(`no ${name}`)
  return value
}

/** A list of at most `maxItems`. Throws `ExecutionDataError` for anything else. */
export function listOf(value: Portable | undefined, name: string, maxItems: number): Portable[] {
  if (!Array.isArray(value)) throw malformed(`no list ${name}`)
  if (value.length > maxItems) throw malformed(`${name} has more than ${maxItems} entries`)
  return value
}

/**
 * A number, as the bytes of it that RLP takes: big-endian without leading zeros, none for zero. Zeros in front of its hex, which some servers
 * write, are left out: whether that was right is for a hash to say. Throws `ExecutionDataError`.
 */
export function numberOf(value: Portable | undefined, name: string): Uint8Array {
  if (typeof value !== 'string' || value.length > 2 + 2 * MAX_NUMBER_BYTES)
    throw malformed(`no number ${name}`)
  const bytes = decodeHex(value.length % 2 === 0 ? value : `0x0${value.slice(2)}`)
  if (bytes === null || !value.startsWith('0x')) throw malformed(`no number ${name}`)
  return withoutLeadingZeros(bytes)
}

/** Bytes, of this length where one is given. Throws `ExecutionDataError`. */
export function bytesOf(value: Portable | undefined, name: string, length?: number): Uint8Array {
  // Of what is too long nothing is decoded.
  const isLong = length !== undefined && typeof value === 'string' && value.length !== 2 + 2 * length
  const bytes = typeof value === 'string' && !isLong ? decodeHex(value) : null
  if (bytes === null)
    throw malformed(length === undefined ? `no bytes ${name}` : `not ${length} bytes: ${name}`)
  return bytes
}

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? new Uint8Array(0) : bytes.subarray(first)
}

/** A place in a list: a number below 2³¹. Throws `ExecutionDataError`. */
export function indexOf(value: Portable | undefined, name: string): number {
  const bytes = numberOf(value, name)
  const index = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  if (index >= 2 ** 31) throw malformed(`no place in a list: ${name}`)
  return index
}
