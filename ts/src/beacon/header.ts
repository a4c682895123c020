/** Headers of beacon blocks, in each of the forms in which a caller may hand one in. */
import { type Bytes, decodeHex } from '../util/hex.ts'
import { genuineView, isBytes } from '../util/bytes.ts'
import { readUint64 } from '../util/uint64.ts'

/** A header as Beacon API JSON, bare or signed; or 112 (208 if signed) bytes of SSZ; or the 32 bytes of its root. */
export type Header =
  | Bytes
  | BeaconBlockHeader
  | { readonly message: BeaconBlockHeader; readonly signature?: string }

/** BeaconBlockHeader of the spec, as the Beacon API writes it. */
export interface BeaconBlockHeader {
  readonly slot: string | number | bigint
  readonly proposer_index: string | number | bigint
  readonly parent_root: Bytes
  readonly state_root: Bytes
  readonly body_root: Bytes
}

/** The 112 bytes of a header in any of its forms, or the 32 of its root; throws `TypeError`, which calls it by `name`. */
export function headerBytes(header: Header, name = 'header'): Uint8Array {
  if (typeof header === 'string' || isBytes(header)) {
    const bytes = genuineBytes(header)
    // If it is signed, the signature is not looked at.
    if (bytes !== null && [32, 112, 208].includes(bytes.length)) return bytes.slice(0, 112)
    throw new TypeError(`${name} must be a root of 32 bytes, or 112 bytes of SSZ (208 if signed)`)
  }
  if (typeof header !== 'object' || header === null)
    throw new TypeError(`${name} must be a header or its root`)
  if ('data' in header || 'header' in header)
    throw new TypeError(`${name} must be data.header of an answer, not the answer`)
  const message: Partial<BeaconBlockHeader> = 'message' in header ? header.message : header
  if (typeof message !== 'object' || message === null) throw new TypeError(`${name}.message must be a header`)
  const ssz = new Uint8Array(112)
  const view = new DataView(ssz.buffer)
  view.setBigUint64(0, readUint64(message.slot, `${name}.slot`), true)
  view.setBigUint64(8, readUint64(message.proposer_index, `${name}.proposer_index`), true)
  ssz.set(readBytes(message.parent_root, 32, `${name}.parent_root`), 16)
  ssz.set(readBytes(message.state_root, 32, `${name}.state_root`), 48)
  ssz.set(readBytes(message.body_root, 32, `${name}.body_root`), 80)
  return ssz
}

/** Bytes of this length, which may be the caller's own; throws `TypeError`, which names them. */
export function readBytes(value: unknown, length: number, name: string): Uint8Array {
  const bytes = genuineBytes(value)
  if (bytes?.length !== length)
    throw new TypeError(`${name} must be ${length} bytes, as a Uint8Array or 0x hex`)
  return bytes
}

/** Bytes given as a `Uint8Array` or as hex, as many as there are, whatever a subclass says; null for what is neither. */
function genuineBytes(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? decodeHex(value) : isBytes(value) ? genuineView(value) : null
}
