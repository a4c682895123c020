/**
 * What a file holds, found out from its bytes. A guess is no verdict: whatever is guessed here goes through all the checks of the verifier,
 * and what is guessed wrongly is refused by them. It runs in a worker, since it grows with the file.
 */
import type { BlobItem } from 'blobcheck'
import { fromHex, hexByte, toHex } from '../../shared/bytes.ts'
import { errorMessage } from '../../shared/error-message.ts'
import { printable } from '../../shared/printable.ts'
import { BLOB_BYTES, CELL_BYTES } from '../../shared/sizes.ts'
import { integer } from '../../shared/words.ts'

export type Kind = 'blob-sidecars' | 'data-column-sidecars' | 'blobs' | 'transaction'

/** How the file is written. */
export type Form = 'JSON' | 'SSZ' | 'RLP' | 'bytes'

/** How text is encoded that begins with a byte order mark. */
export type MarkedEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The items of a file, not looked into yet. */
export interface Contents {
  readonly kind: Kind
  readonly form: Form
  /** Of text that begins with a byte order mark; null for all else: text is UTF-8 then. */
  readonly marked: MarkedEncoding | null
  /** Whether the bytes were written as hexadecimal digits. */
  readonly isHex: boolean
  /**
   * Blob sidecars and data column sidecars: JSON as it came, or SSZ bytes. Blobs: `BlobItem`, whose fields may be anything. Transactions: bytes
   * or `0x` digits.
   */
  readonly items: readonly unknown[]
}

/** The file is nothing that is known here, or cannot be looked at; `message` says so in whole sentences. */
export class ContentsError extends Error {
  override readonly name = 'ContentsError'
}

/** The most items of a file that are looked at; a block has 128 columns, or fewer blobs. */
export const MAX_ITEMS = 4_096

const KNOWN =
  'Known are blob sidecars, data column sidecars and blobs, as JSON of the Beacon API or as SSZ; blobs with 48 bytes of commitment and 48 of proof behind each; and blob transactions in network form. Bytes may be written as hexadecimal digits.'

/** Of 32 bytes, or 64 digits: what people copy from an explorer. */
const HASH =
  'It is 32 bytes, as a hash is: the name of a block, of a transaction or of a blob, and not its data, which is what this page verifies. A node gives the data by that name. Write a block root or a versioned hash beside “It must belong to” to hold a file against it; Live takes the root of a finalized block as its checkpoint.'

/** The contents of a file. Throws `ContentsError`. */
export function contentsOf(bytes: Uint8Array<ArrayBuffer>): Contents {
  if (bytes.length === 0) throw new ContentsError('It is empty.')
  const marked = markOf(bytes)
  const isText = looksLikeText(bytes, marked)
  const found = isText ? textContents(decoded(bytes, marked)) : binaryContents(bytes, false)
  const { length } = found.items
  if (length === 0) throw new ContentsError('It is an empty list: there is nothing in it to verify.')
  if (length > MAX_ITEMS)
    throw new ContentsError(
      `It holds ${integer(length)} items; ${integer(MAX_ITEMS)} are the most that this page looks at.`,
    )
  return { ...found, marked: isText ? marked : null }
}

/** As the command line reads text: the byte order mark of UTF-16 is what PowerShell's `>` writes. */
function markOf(bytes: Uint8Array): MarkedEncoding | null {
  const start = toHex(bytes.subarray(0, 3))
  if (start.startsWith('0xfffe')) return 'utf-16le'
  if (start.startsWith('0xfeff')) return 'utf-16be'
  return start === '0xefbbbf' ? 'utf-8' : null
}

/** Without the mark. */
function decoded(bytes: Uint8Array, marked: MarkedEncoding | null): string {
  return new TextDecoder(marked ?? 'utf-8').decode(bytes)
}

/** Nothing but ASCII, and no control characters but white space, at its beginning. SSZ and RLP begin with numbers, which are full of zeros. */
function looksLikeText(bytes: Uint8Array, marked: MarkedEncoding | null): boolean {
  return /^[\t\n\r -~]*$/.test(decoded(bytes.subarray(0, 64), marked))
}

/** What is found, before it is said how text was encoded. */
type Found = Omit<Contents, 'marked'>

function textContents(whole: string): Found {
  const text = whole.trim()
  if (/^[[{"]/.test(text)) return jsonContents(text)
  // In lines, as `xxd -p` writes them, or in one.
  const digits = text.replaceAll(/\s+/g, '')
  const hex = digits.startsWith('0x') ? digits : `0x${digits}`
  if (isHex(hex)) return binaryContents(fromHex(hex), true)
  throw new ContentsError(`It is text that is neither JSON nor hexadecimal digits. ${KNOWN}`)
}

function isHex(text: string): boolean {
  return text.length > 2 && text.length % 2 === 0 && /^0x[0-9a-f]+$/i.test(text)
}

/** 128 columns of 72 blobs have 30,000 values. */
const MAX_VALUES = 2 ** 20

/** Whether JSON has few enough values to be parsed: a parser needs far more memory for brackets than they take in a file. */
function isBounded(text: string): boolean {
  // Strings are passed over where it is certain where they end. No honest file has a backslash.
  const skipsStrings = !text.includes('\\')
  let values = 0
  for (let at = 0; at < text.length && values <= MAX_VALUES; at++) {
    const sign = text[at]
    if (sign === '[' || sign === '{' || sign === ',') values++
    else if (sign === '"' && skipsStrings) {
      const end = text.indexOf('"', at + 1)
      if (end === -1) break // the parser says that it is no JSON
      at = end
    }
  }
  return values <= MAX_VALUES
}

function jsonContents(text: string): Found {
  if (!isBounded(text)) throw new ContentsError('Its JSON has more values than any list of sidecars has.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ContentsError(`It begins as JSON does, and is none: ${printable(errorMessage(error))}.`)
  }
  const data = isRecord(json) && 'data' in json ? json['data'] : json
  if (typeof data === 'string' && /^0x[0-9a-f]{64}$/i.test(data)) throw new ContentsError(HASH)
  const entries: readonly unknown[] = Array.isArray(data) ? data : [data]
  const kind = entries.length === 0 ? 'blobs' : kindOfEntry(entries[0])
  if (kind === null) throw new ContentsError(`It is JSON of something else. ${KNOWN}`)
  const items = kind === 'blobs' ? entries.map(blobOfEntry) : entries
  return { kind, form: 'JSON', isHex: false, items }
}

/** Told by a field that the other kinds lack. */
function kindOfEntry(entry: unknown): Kind | null {
  if (typeof entry === 'string') return /^0x03[c-f]/i.test(entry) ? 'transaction' : 'blobs'
  if (!isRecord(entry)) return null
  if ('column' in entry) return 'data-column-sidecars'
  if (!('blob' in entry)) return null
  return 'signed_block_header' in entry || 'kzg_commitment_inclusion_proof' in entry
    ? 'blob-sidecars'
    : 'blobs'
}

/** A blob of `/eth/v1/beacon/blobs`, or one with its commitment and proof. */
function blobOfEntry(entry: unknown): BlobItem {
  if (!isRecord(entry)) return { blob: entry as string }
  const commitment = entry['commitment'] ?? entry['kzg_commitment']
  const proof = entry['proof'] ?? entry['kzg_proof']
  return {
    blob: entry['blob'] as string,
    ...(commitment !== undefined && { commitment: commitment as string }),
    ...(proof !== undefined && { proof: proof as string }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Bytes of a blob sidecar in SSZ (specs/deneb/p2p-interface.md): index, blob, commitment, proof, signed header, branch. */
const BLOB_SIDECAR_BYTES = 8 + BLOB_BYTES + 48 + 48 + 208 + 17 * 32
/** Of the SSZ of a data column sidecar the fixed part, to which its first offset points: of Fulu, and of Gloas. */
export const COLUMN_FIXED_BYTES = { fulu: 8 + 3 * 4 + 208 + 4 * 32, gloas: 8 + 2 * 4 + 8 + 32 } as const
/** Of a commitment, and of a proof. */
const POINT_BYTES = 48
const HASH_BYTES = 32

function binaryContents(bytes: Uint8Array<ArrayBuffer>, isHex: boolean): Found {
  // Type 3, then a list. A sidecar's third byte belongs to an index, and is 0.
  if (bytes[0] === 3 && (bytes[1] ?? 0) >= 0xc0)
    return { kind: 'transaction', form: 'RLP', isHex, items: [bytes] }
  if (bytes.length % BLOB_SIDECAR_BYTES === 0 && isSmallIndex(bytes))
    return { kind: 'blob-sidecars', form: 'SSZ', isHex, items: split(bytes, BLOB_SIDECAR_BYTES) }
  const columns = isColumn(bytes) ? columnsInARow(bytes) : columnsOfList(bytes)
  if (columns !== null) return { kind: 'data-column-sidecars', form: 'SSZ', isHex, items: columns }
  for (const points of [0, 1, 2]) {
    const length = BLOB_BYTES + points * POINT_BYTES
    if (bytes.length % length === 0)
      return { kind: 'blobs', form: 'bytes', isHex, items: split(bytes, length).map(blobOfBytes) }
  }
  throw new ContentsError(unknownBytes(bytes))
}

/** A blob, with the commitment and the proof that may follow. */
function blobOfBytes(bytes: Uint8Array): BlobItem {
  const point = (at: number): Uint8Array =>
    bytes.subarray(BLOB_BYTES + at * POINT_BYTES, BLOB_BYTES + (at + 1) * POINT_BYTES)
  return {
    blob: bytes.subarray(0, BLOB_BYTES),
    ...(point(0).length > 0 && { commitment: point(0) }),
    ...(point(1).length > 0 && { proof: point(1) }),
  }
}

/** A uint64 below 4,096, the most commitments that a block can ever have. */
function isSmallIndex(bytes: Uint8Array): boolean {
  return bytes[1]! < 16 && bytes.subarray(2, 8).every((byte) => byte === 0)
}

function isColumn(bytes: Uint8Array): boolean {
  return fixedBytesOf(bytes) !== null && isSmallIndex(bytes)
}

/** How long the fixed part of a column is, by its first offset; null where that is not one of the two that there are. */
function fixedBytesOf(bytes: Uint8Array): number | null {
  const first = wordAt(bytes, 8)
  const isKnown = first === COLUMN_FIXED_BYTES.fulu || first === COLUMN_FIXED_BYTES.gloas
  return isKnown && bytes.length >= first ? first : null
}

/** One column, or more of them without a table of offsets, as Teku answers: each as long as its own offsets say, and the last one what is left. */
function columnsInARow(bytes: Uint8Array): Uint8Array[] {
  const columns: Uint8Array[] = []
  // One more than may be looked at is enough to be refused for it.
  for (let rest = bytes; rest.length > 0 && columns.length <= MAX_ITEMS;) {
    const length = columnLength(rest)
    columns.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return columns
}

/** As many commitments, which those of Gloas lack, and proofs as cells; all that is there where the offsets say anything else. */
function columnLength(bytes: Uint8Array): number {
  const fixed = fixedBytesOf(bytes)
  if (fixed === null) return bytes.length
  const behindCells = wordAt(bytes, 12)!
  const cells = (behindCells - fixed) / CELL_BYTES
  const points = cells * POINT_BYTES
  const proofs = fixed === COLUMN_FIXED_BYTES.gloas ? behindCells : behindCells + points
  const isRight = fixed === COLUMN_FIXED_BYTES.gloas || wordAt(bytes, 16) === proofs
  return isRight && Number.isInteger(cells) ? proofs + points : bytes.length
}

/** `List[DataColumnSidecar]`: a table of offsets, then the columns. Null where the bytes are no such list. */
function columnsOfList(bytes: Uint8Array): Uint8Array[] | null {
  const table = wordAt(bytes, 0)
  if (table === null || table < 4 || table % 4 !== 0 || table > 4 * MAX_ITEMS) return null
  const offsets = Array.from({ length: table / 4 }, (_, at) => wordAt(bytes, 4 * at) ?? 0)
  if (!isColumn(bytes.subarray(table))) return null
  return offsets.map((from, at) => bytes.subarray(from, offsets[at + 1] ?? bytes.length))
}

/** A little-endian uint32; null behind the end. */
export function wordAt(bytes: Uint8Array, at: number): number | null {
  if (at + 4 > bytes.length) return null
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true)
}

function split(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: bytes.length / length }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  )
}

/** The first bytes of what people may well have at hand, and cannot be verified as it is. */
const others: readonly (readonly [start: string, sentence: string])[] = [
  ['1f8b', 'It is compressed with gzip: decompress it first.'],
  // The framing format of snappy, and a raw block of it that a blob sidecar becomes.
  ['ff060000734e61507059', 'It is compressed with snappy: decompress it first.'],
  ['d88608', 'It is compressed with snappy: decompress it first.'],
  ['504b0304', 'It is a ZIP archive: unpack it first.'],
]

function unknownBytes(bytes: Uint8Array): string {
  const start = toHex(bytes.subarray(0, 16)).slice(2)
  const other = others.find(([first]) => start.startsWith(first))
  if (other !== undefined) return other[1]
  if (bytes.length === HASH_BYTES) return HASH
  const shown = Array.from(bytes.subarray(0, 4), hexByte).join(' ')
  return `Its ${integer(bytes.length)} bytes, which begin with ${shown}, are nothing that is known here. ${KNOWN}`
}

const kindWords: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  'blob-sidecars': ['blob sidecar', 'blob sidecars'],
  'data-column-sidecars': ['data column sidecar', 'data column sidecars'],
  blobs: ['blob', 'blobs'],
  transaction: ['blob transaction', 'blob transactions'],
}

/** For example `6 blob sidecars, JSON`; `forms`: of each file that they are from, at least one. */
export function contentsWords(
  kind: Kind,
  count: number,
  forms: readonly Pick<Contents, 'form' | 'isHex'>[],
): string {
  const [one, many] = kindWords[kind]
  const words = new Set(forms.map(({ form, isHex }) => `${form}${isHex ? ' in hexadecimal digits' : ''}`))
  return `${integer(count)} ${count === 1 ? one : many}, ${[...words].join(' and ')}`
}

/** For example `blob sidecars`. */
export function kindName(kind: Kind): string {
  return kindWords[kind][1]
}
