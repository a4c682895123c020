/** Fields of Beacon API JSON, read one by one, and written as SSZ. What cannot be read throws `Refused`. */
import { decodeHex } from '../../util/hex.ts'
import type { Portable } from '../../util/portable.ts'
import type { Refusal } from '../../verdict/verdict.ts'
import type { MalformedReason } from '../../verdict/reasons.ts'

/** Ends the checks of one delivery; `check` turns it into the delivery's outcome. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

export function malformed(reason: MalformedReason): Refused {
  return new Refused({ status: 'malformed', stage: 'structure', reason })
}

/** Bytes given as a `Uint8Array` or as hex. */
export function bytesOf(value: Portable | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') throw malformed('not-bytes')
  const bytes = decodeHex(value)
  if (bytes === null) throw malformed('bad-hex')
  return bytes
}

/**
 * Bytes given as a `Uint8Array` or as hex, whose length is to be checked against `maxLength`: of what is longer, no more is decoded than
 * shows that it is too long.
 */
export function boundedBytesOf(value: Portable | undefined, maxLength: number): Uint8Array {
  if (value instanceof Uint8Array) return value.subarray(0, maxLength + 1)
  const most = 2 + 2 * (maxLength + 1)
  return bytesOf(typeof value === 'string' && value.length > most ? value.slice(0, most) : value)
}

/** Refuses a list of byte strings where one is not of this length, in bytes, before anything is allocated for them. */
export function requireLengths(list: readonly Portable[], length: number, otherwise: MalformedReason): void {
  for (const entry of list) {
    if (!(entry instanceof Uint8Array) && typeof entry !== 'string') throw malformed('not-bytes')
    const bytes = typeof entry === 'string' ? entry.length / 2 - 1 : entry.length
    // What is no hex at all is refused for that.
    if (bytes !== length)
      throw boundedBytesOf(entry, length).length === length ? malformed('bad-hex') : malformed(otherwise)
  }
}

export type PortableRecord = { [key: string]: Portable }

/** A record, as items and JSON sidecars are. */
export function recordOf(value: Portable | undefined, otherwise: MalformedReason): PortableRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    throw malformed(otherwise)
  }
  return value
}

/** A uint64 of Beacon API JSON: a decimal string without leading zeros; numbers are taken too. */
export function uint64Of(value: Portable | undefined): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? value.toString() : value
  if (typeof text === 'bigint') return checkedUint64(text)
  if (typeof text !== 'string' || !/^(0|[1-9][0-9]{0,19})$/.test(text)) throw malformed('bad-json')
  return checkedUint64(BigInt(text))
}

function checkedUint64(value: bigint): bigint {
  if (value < 0n || value >= 1n << 64n) throw malformed('bad-json')
  return value
}

/** Writes fields one after the other, and refuses those of the wrong length. */
export class SszWriter {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  #at = 0

  constructor(length: number) {
    this.#bytes = new Uint8Array(length)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** A decimal string. */
  uint64(value: Portable | undefined): void {
    this.#view.setBigUint64(this.#at, uint64Of(value), true)
    this.#at += 8
  }

  offset(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  bytes(value: Portable | undefined, length: number, otherwise: MalformedReason): void {
    const bytes = boundedBytesOf(value, length)
    if (bytes.length !== length) throw malformed(otherwise)
    this.#bytes.set(bytes, this.#at)
    this.#at += length
  }

  vector(value: Portable | undefined, count: number, length: number, otherwise: MalformedReason): void {
    if (!Array.isArray(value) || value.length !== count) throw malformed('bad-json')
    for (const entry of value) this.bytes(entry, length, otherwise)
  }

  /** BeaconBlockHeader. */
  header(value: Portable | undefined): void {
    const header = recordOf(value, 'bad-json')
    this.uint64(header['slot'])
    this.uint64(header['proposer_index'])
    this.bytes(header['parent_root'], 32, 'bad-json')
    this.bytes(header['state_root'], 32, 'bad-json')
    this.bytes(header['body_root'], 32, 'bad-json')
  }

  /** SignedBeaconBlockHeader. */
  signedHeader(value: Portable | undefined): void {
    const signed = recordOf(value, 'bad-json')
    this.header(signed['message'])
    this.bytes(signed['signature'], 96, 'bad-json')
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes
  }
}
