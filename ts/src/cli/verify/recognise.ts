/**
 * What a file is, found out from its bytes, and what its items say of themselves. A guess is no verdict: whatever is guessed here
 * goes through all the checks of its kind, and what is guessed wrongly is refused by them.
 */
import { isBoundedJson } from '../../beacon/json-bounds.ts'
import type { ForkName } from '../../beacon/execution-forks.ts'
import {
  BLOB_BYTES,
  blobSidecar,
  dataColumnSidecar,
  gloasDataColumnSidecar,
  isColumn,
  isGloasColumn,
  splitFixed,
} from '../../beacon/ssz/layout.ts'
import { isGloasColumnJson } from '../../beacon/ssz/sidecar-json.ts'
import { isBytes } from '../../util/bytes.ts'
import { decodeHex } from '../../util/hex.ts'
import { sidecarsOf } from '../../verifier/sidecar-list.ts'
import {
  type Contents,
  type Form,
  type Kind,
  MAX_ITEMS,
  UndeterminedError,
  type Unrecognised,
} from './input.ts'
import { hexIn, textIn, UNBOUNDED } from '../text.ts'

/** The contents of a file; `as` says what they are where the caller knows. Throws `UndeterminedError`. */
export function recognise(bytes: Uint8Array<ArrayBuffer>, as?: Kind): Contents | Unrecognised {
  const found = bytes.length === 0 ? unrecognised('it is empty') : recogniseText(bytes, as)
  if (found.kind !== null && found.items.length > MAX_ITEMS)
    throw new UndeterminedError(`it holds more than ${MAX_ITEMS} items, which is the most that is looked at`)
  return found
}

function recogniseText(bytes: Uint8Array<ArrayBuffer>, as: Kind | undefined): Contents | Unrecognised {
  const text = textIn(bytes)
  if (text === null) return recogniseBinary(bytes, as, false)
  if (/^[[{"]/.test(text)) {
    if (!isBoundedJson(text)) throw new UndeterminedError(UNBOUNDED)
    return recogniseJson(text, as)
  }
  const decoded = hexIn(text)
  if (decoded !== null) return recogniseBinary(decoded, as, true)
  return as === undefined
    ? unrecognised('it is text, and neither JSON nor hexadecimal digits')
    : recogniseBinary(bytes, as, false)
}

function recogniseBinary(
  bytes: Uint8Array<ArrayBuffer>,
  as: Kind | undefined,
  isHex: boolean,
): Contents | Unrecognised {
  const kind = as ?? kindOfBinary(bytes)
  if (kind === null) return unknownBinary(bytes)
  const form: Form = kind === 'transaction' ? 'rlp' : 'ssz'
  return { kind, form, isHex, items: itemsOf(kind, bytes) }
}

function itemsOf(kind: Kind, bytes: Uint8Array<ArrayBuffer>): readonly unknown[] {
  if (kind === 'blob-sidecars') return sidecarsOf('blob-sidecar', bytes)
  if (kind === 'data-column-sidecars') return sidecarsOf('data-column-sidecar', bytes)
  return (kind === 'blobs' ? splitFixed(bytes, BLOB_BYTES) : null) ?? [bytes]
}

function kindOfBinary(bytes: Uint8Array): Kind | null {
  if (isTransaction(bytes, bytes.length)) return 'transaction'
  if (bytes.length % blobSidecar.end === 0 && isSmallIndex(bytes)) return 'blob-sidecars'
  if (isColumn(bytes) || isColumnList(bytes)) return 'data-column-sidecars'
  if (bytes.length % BLOB_BYTES === 0) return 'blobs'
  return null
}

/** Bytes that show how long a transaction is: its type, and the longest head of a list. */
const TRANSACTION_START = 10

/** How long a transaction is that begins so: type 3, then a list. Null for what is none. */
function transactionLength(start: Uint8Array): number | null {
  const list = start[0] === 3 ? headOf(start, 1) : null
  return list && list.contentsAt + list.length
}

/**
 * Whether so many bytes, which begin so, are a transaction. A sidecar's second byte belongs to an index, and is below 0xc0. Blobs may begin
 * like one: what is as long as blobs are has to be as long as its list says, too.
 */
function isTransaction(start: Uint8Array, length: number): boolean {
  const said = transactionLength(start)
  return said !== null && (said === length || length % BLOB_BYTES !== 0)
}

/** A uint64 below 4,096, the most commitments that a block can ever have. */
function isSmallIndex(bytes: Uint8Array): boolean {
  return bytes[1]! < 16 && bytes.subarray(2, 8).every((byte) => byte === 0)
}

/** A table of offsets, which is as long as its first one says, to columns. */
function isColumnList(bytes: Uint8Array): boolean {
  const first = wordAt(bytes, 0)
  return first !== null && first >= 4 && first % 4 === 0 && isColumn(bytes.subarray(first))
}

/** A little-endian uint32, or null behind the end. */
function wordAt(bytes: Uint8Array, at: number): number | null {
  if (at + 4 > bytes.length) return null
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true)
}

/** First bytes of the framing format of snappy, and a raw block of it that a blob sidecar becomes. */
const SNAPPY_FRAMES = [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]
const SNAPPY_BLOB_SIDECAR = [0xd8, 0x86, 0x08]
const GZIP = [0x1f, 0x8b]

function unknownBinary(bytes: Uint8Array): Unrecognised {
  const startsWith = (start: readonly number[]): boolean => start.every((byte, at) => bytes[at] === byte)
  if (startsWith(SNAPPY_FRAMES) || startsWith(SNAPPY_BLOB_SIDECAR))
    throw new UndeterminedError('it is compressed with snappy: decompress it first')
  if (startsWith(GZIP))
    throw new UndeterminedError(
      'it begins as gzip does, and is no whole gzip file: if it is compressed, decompress it first',
    )
  return unrecognised(
    'its bytes are no sidecar, no list of them, no blob and no blob transaction (--as has them judged as one)',
  )
}

function unrecognised(message: string): Unrecognised {
  return { kind: null, message }
}

/** The contents of JSON text; `as` says what they are where the caller knows. */
function recogniseJson(text: string, as: Kind | undefined): Contents | Unrecognised {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { kind: null, message: `its JSON cannot be read: ${(error as Error).message}` }
  }
  const { data, code, message } = Object(json) as Record<string, unknown>
  if (data === undefined && typeof code === 'number' && typeof message === 'string')
    throw new UndeterminedError(
      `it is what a Beacon API says where it has no answer: ${code}, ${message.slice(0, 200)}`,
    )
  const items = entriesOf(json)
  if (items.length === 0) throw new UndeterminedError('it is an empty list: there is nothing in it to verify')
  const kind = as ?? kindOfList(items)
  if (kind !== null) return { kind, form: 'json', isHex: false, items }
  return { kind: null, message: 'it is JSON, and neither sidecars nor blobs' }
}

/** The `data` of an answer, one sidecar or many; else the value itself. */
function entriesOf(json: unknown): readonly unknown[] {
  const data = isRecord(json) && 'data' in json ? json['data'] : json
  return Array.isArray(data) ? (data as unknown[]) : [data]
}

/**
 * The kind of the first item that has one. What is nothing decides about no other item, and what is a broken blob or a broken transaction
 * only where there is nothing else.
 */
function kindOfList(items: readonly unknown[]): Kind | null {
  for (const kindOf of [kindOfWhole, kindOfBroken])
    for (const item of items) {
      const kind = kindOf(item)
      if (kind !== null) return kind
    }
  return null
}

/** Of a record, told by a field that the other kinds lack; of a string, by its length. */
function kindOfWhole(item: unknown): Kind | null {
  if (typeof item === 'string') {
    const { start, length } = hexStart(item)
    if (transactionLength(start) === length) return 'transaction'
    return length === BLOB_BYTES ? 'blobs' : null
  }
  if (!isRecord(item)) return null
  if ('column' in item) return 'data-column-sidecars'
  return 'blob' in item ? 'blob-sidecars' : null
}

/** Of any string. */
function kindOfBroken(item: unknown): Kind | null {
  if (typeof item !== 'string') return null
  const { start, length } = hexStart(item)
  return isTransaction(start, length) ? 'transaction' : 'blobs'
}

/** How the bytes of a hex string begin, and how many they are; of other strings nothing is there. */
function hexStart(text: string): { readonly start: Uint8Array; readonly length: number } {
  const start = decodeHex(text.slice(0, 2 + 2 * TRANSACTION_START))
  return start === null ? { start: new Uint8Array(0), length: 0 } : { start, length: text.length / 2 - 1 }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What an item says of itself, in decimal digits; null where it does not say. Nothing is concluded from it. */
export interface Place {
  readonly slot: string | null
  /** Of the blob or the column in its block. */
  readonly index: string | null
}

const nowhere: Place = { slot: null, index: null }

/** The place of an item of any form; SSZ has one where it is shaped like a sidecar. */
export function placeOf(kind: Kind, item: unknown): Place {
  if (kind !== 'blob-sidecars' && kind !== 'data-column-sidecars') return nowhere
  const bytes = typeof item === 'string' ? decodeHex(item) : item
  if (isBytes(bytes)) {
    // Of what is none, such as a list that was cut, these bytes are anything at all.
    const isSidecar = kind === 'blob-sidecars' ? bytes.length === blobSidecar.end : isColumn(bytes)
    if (!isSidecar) return nowhere
    return { slot: uint64At(bytes, slotAt(kind, bytes)), index: uint64At(bytes, 0) }
  }
  // A column of Gloas, which has no header, has the slot itself.
  const header = field(field(item, 'signed_block_header'), 'message') ?? item
  return { slot: decimal(field(header, 'slot')), index: decimal(field(item, 'index')) }
}

/** The blob in an item of any form; null where there is none. */
export function blobIn(kind: 'blobs' | 'blob-sidecars', item: unknown): Uint8Array | null {
  const bytes = typeof item === 'string' ? decodeHex(item) : item
  if (isBytes(bytes))
    return kind === 'blobs' ? bytes : bytes.subarray(blobSidecar.blob, blobSidecar.kzg_commitment)
  const blob = field(item, 'blob')
  return typeof blob === 'string' ? decodeHex(blob) : null
}

/** Whether a data column sidecar of any form is of Gloas, and so brings neither commitments nor a header. */
export function isGloasItem(column: unknown): boolean {
  const bytes = typeof column === 'string' ? decodeHex(column) : column
  if (isBytes(bytes)) return isGloasColumn(bytes)
  return isRecord(column) && isGloasColumnJson(column)
}

/** Where a sidecar has its slot: it is the first field of a signed header. */
function slotAt(kind: 'blob-sidecars' | 'data-column-sidecars', ssz: Uint8Array): number {
  if (kind === 'blob-sidecars') return blobSidecar.signed_block_header
  return isGloasColumn(ssz) ? gloasDataColumnSidecar.slot : dataColumnSidecar.signed_block_header
}

function uint64At(bytes: Uint8Array, at: number): string {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true).toString()
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Digits alone: what is printed is no place for what somebody wrote there. */
function decimal(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[0-9]{1,20}$/.test(text) ? text : null
}

/**
 * The newest fork whose transactions look like this one. Since Osaka the transaction is followed by a wrapper version, 1;
 * before it by the list of blobs (EIP-7594). Of anything else nothing is known: the newest rules will refuse it.
 */
export function forkOfWrapper(bytes: Uint8Array): ForkName {
  const list = headOf(bytes, 1)
  const body = list && headOf(bytes, list.contentsAt)
  const second = body && bytes[body.contentsAt + body.length]
  return second !== null && second !== undefined && second >= 0xc0 ? 'prague' : 'osaka'
}

/** Where the contents of an RLP list begin, and how long they are; null where there is no list. */
function headOf(bytes: Uint8Array, at: number): { contentsAt: number; length: number } | null {
  const first = bytes[at]
  if (first === undefined || first < 0xc0) return null
  if (first < 0xf8) return { contentsAt: at + 1, length: first - 0xc0 }
  const contentsAt = at + 1 + (first - 0xf7)
  // Eight bytes at most: less precise than that only where there is nothing to be found.
  const length = bytes.subarray(at + 1, contentsAt).reduce((sum, byte) => sum * 256 + byte, 0)
  return { contentsAt, length }
}
