/** SSZ out of Beacon API JSON, field by field. */
import type { Portable } from '../../util/portable.ts'
import type { MalformedReason } from '../../verdict/reasons.ts'
import { boundedBytesOf, malformed, recordOf, uint64Of } from './fields.ts'

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
