/** Fields of JSON-RPC objects (execution-apis, schemas/base-types.yaml), as the bytes that RLP has for them. */
import { decodeHex } from '../util/hex.ts'
import type { Portable } from '../util/portable.ts'
import { malformed } from './data-error.ts'

/** An object of JSON. */
export type JsonFields = { readonly [field: string]: Portable | undefined }

/** The widest number of the execution layer, in bytes. */
const MAX_NUMBER_BYTES = 32

/**
 * MAX_PAYLOAD_SIZE (specs/phase0/p2p-interface.md): what peers of the consensus layer take in one message, in bytes. A beacon block is one
 * message with its execution payload, of any fork that has blobs, so that no block has more in transactions, and no transaction more in input.
 * Since Osaka a block has at most 8 MiB (EIP-7934). Before, gas was the limit: 36 million for 9 MB of zeros, and 60 million for 6 MB since
 * EIP-7623.
 */
export const MAX_PAYLOAD_SIZE: number = 10 * 2 ** 20

/** Throws `ExecutionDataError` where these are together longer than a block is, so that nobody hashes them. */
export function refuseLong(parts: readonly Uint8Array[], name: string): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > MAX_PAYLOAD_SIZE) throw malformed(`${name} of ${length} bytes`)
}

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

/** Bytes, of this length where one is given, else no more than a block has. Throws `ExecutionDataError`. */
export function bytesOf(value: Portable | undefined, name: string, length?: number): Uint8Array {
  // Of what is too long nothing is decoded.
  const digits = typeof value === 'string' ? value.length - 2 : 0
  if (digits > 2 * MAX_PAYLOAD_SIZE) throw malformed(`${name} of more than ${MAX_PAYLOAD_SIZE} bytes`)
  const isOther = length !== undefined && digits !== 2 * length
  const bytes = typeof value === 'string' && !isOther ? decodeHex(value) : null
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
