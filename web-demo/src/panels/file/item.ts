/** What an item of a file says of itself: which block, which row and columns of the grid, which bytes. Nothing is concluded from it. */
import type { BlobItem } from 'blobcheck'
import { fromHex, type Hex, toHex } from '../../shared/bytes.ts'
import { BLOB_BYTES, CELL_BYTES, CELLS, DATA_CELLS } from '../../shared/sizes.ts'
import { COLUMN_FIXED_BYTES, type Kind, wordAt } from './contents.ts'
import { blobsOfTransaction, forkOf, type TransactionFork } from './transaction.ts'

/** The block that an item says it is of. */
export interface BlockName {
  /** In decimal digits. */
  readonly slot: string
  /** A BeaconBlockHeader in SSZ, 112 bytes in hex, from which the root is computed; null for columns of Gloas, which name it. */
  readonly header: Hex | null
  readonly root: Hex | null
}

export interface ItemView {
  /** Null where the item does not say. */
  readonly block: BlockName | null
  /** Of the blob or of the column in its block; null where the item does not say, or says what cannot be. */
  readonly index: number | null
  /** How many blobs it is about. */
  readonly rows: number
  /** The columns that it is: from the first one up to but not including the last one. */
  readonly columns: readonly [from: number, to: number]
  /** The bytes of a cell, whose row is counted within the item; null where they are not 2,048. */
  cell(row: number, column: number): Uint8Array | null
}

export function viewOf(kind: Kind, item: unknown): ItemView {
  switch (kind) {
    case 'blob-sidecars': {
      const blob = item instanceof Uint8Array ? item.subarray(8, 8 + BLOB_BYTES) : field(item, 'blob')
      const { block, index } = placeOf(item, 8 + BLOB_BYTES + 2 * 48)
      return { ...blobsView([blob]), block, index }
    }
    case 'data-column-sidecars':
      return columnView(item)
    case 'blobs':
      return blobsView([(item as BlobItem).blob])
    case 'transaction':
      return blobsView(blobsOfTransaction(transactionBytes(item)))
  }
}

/** The fork whose rules an entry of a list of transactions follows, whatever it is. */
export function forkOfItem(item: unknown): TransactionFork {
  return forkOf(transactionBytes(item))
}

/** None where the entry is neither bytes nor digits. */
function transactionBytes(item: unknown): Uint8Array {
  return bytesOf(item, 0) ?? new Uint8Array()
}

function blobsView(blobs: readonly unknown[]): ItemView {
  return {
    ...{ block: null, index: null, rows: blobs.length, columns: [0, DATA_CELLS] },
    cell: (row, column) => (column < DATA_CELLS ? cellOf(blobs[row], column * CELL_BYTES) : null),
  }
}

function columnView(item: unknown): ItemView {
  const isGloas = isGloasColumn(item)
  const { block, index } = isGloas ? gloasPlace(item) : placeOf(item, 8 + 3 * 4)
  const cells = item instanceof Uint8Array ? cellsOf(item) : field(item, 'column')
  const list: readonly unknown[] = Array.isArray(cells) ? cells : []
  const isColumn = index !== null && index < CELLS
  return {
    block,
    index,
    rows: list.length,
    columns: isColumn ? [index, index + 1] : [0, 0],
    cell: (row, column) => (column === index ? cellOf(list[row], 0) : null),
  }
}

/** Whether a data column sidecar is of Gloas, whose columns bring no commitments. */
export function isGloasColumn(item: unknown): boolean {
  return item instanceof Uint8Array
    ? wordAt(item, 8) === COLUMN_FIXED_BYTES.gloas
    : field(item, 'beacon_block_root') !== undefined
}

/** Whether some of the items bring no commitments, without which they cannot be verified. */
export function lackCommitments(kind: Kind, items: readonly unknown[]): boolean {
  if (kind === 'blobs') return items.some((item) => (item as BlobItem).commitment === undefined)
  return kind === 'data-column-sidecars' && items.some(isGloasColumn)
}

/** The cells of a column in SSZ: its first list, up to where the second begins. */
function cellsOf(column: Uint8Array): Uint8Array[] {
  const from = wordAt(column, 8) ?? 0
  const to = Math.min(wordAt(column, 12) ?? 0, column.length)
  const count = Math.max(0, Math.ceil((to - from) / CELL_BYTES))
  return Array.from({ length: count }, (_, at) =>
    column.subarray(from + at * CELL_BYTES, Math.min(to, from + (at + 1) * CELL_BYTES)),
  )
}

type Place = Pick<ItemView, 'block' | 'index'>

/** `headerAt`: where the signed header begins in SSZ. */
function placeOf(item: unknown, headerAt: number): Place {
  if (item instanceof Uint8Array) {
    const end = headerAt + HEADER_BYTES
    return {
      block: end <= item.length ? blockOf(item.subarray(headerAt, end)) : null,
      index: indexOf(wordAt(item, 0)),
    }
  }
  const message = field(field(item, 'signed_block_header'), 'message')
  return {
    block: isHeader(message) ? blockOf(serialized(message)) : null,
    index: indexOf(field(item, 'index')),
  }
}

function blockOf(header: Uint8Array): BlockName {
  return { slot: uint64(header, 0), header: toHex(header), root: null }
}

function gloasPlace(item: unknown): Place {
  if (item instanceof Uint8Array) {
    if (item.length < COLUMN_FIXED_BYTES.gloas) return { block: null, index: null }
    const block = { slot: uint64(item, 16), header: null, root: toHex(item.subarray(24, 56)) }
    return { block, index: indexOf(wordAt(item, 0)) }
  }
  const [slot, root] = [field(item, 'slot'), field(item, 'beacon_block_root')]
  const block = isDecimal(slot) && isRoot(root) ? { slot, header: null, root } : null
  return { block, index: indexOf(field(item, 'index')) }
}

const NUMBERS = ['slot', 'proposer_index'] as const
const ROOTS = ['parent_root', 'state_root', 'body_root'] as const
const HEADER_BYTES = 2 * 8 + 3 * 32

/** A BeaconBlockHeader, as the Beacon API writes it. */
type HeaderMessage = Readonly<Record<(typeof NUMBERS)[number], string> & Record<(typeof ROOTS)[number], Hex>>

function isHeader(value: unknown): value is HeaderMessage {
  return (
    NUMBERS.every((name) => isDecimal(field(value, name))) &&
    ROOTS.every((name) => isRoot(field(value, name)))
  )
}

function serialized(message: HeaderMessage): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  NUMBERS.forEach((name, at) => view.setBigUint64(8 * at, BigInt(message[name]), true))
  ROOTS.forEach((name, at) => header.set(fromHex(message[name]), 16 + 32 * at))
  return header
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9]{1,20}$/.test(value) && BigInt(value) < 2n ** 64n
}

function isRoot(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

function indexOf(value: unknown): number | null {
  const index = typeof value === 'number' ? value : isDecimal(value) ? Number(value) : null
  return index !== null && Number.isInteger(index) && index >= 0 && index < 4_096 ? index : null
}

function uint64(bytes: Uint8Array, at: number): string {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true).toString()
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function cellOf(value: unknown, from: number): Uint8Array | null {
  const bytes = bytesOf(value, from, from + CELL_BYTES)
  return bytes?.length === CELL_BYTES ? bytes : null
}

/** A part of bytes, or of `0x` digits; null where there are none. */
function bytesOf(value: unknown, from: number, to = Infinity): Uint8Array | null {
  if (value instanceof Uint8Array) return value.subarray(from, to)
  if (typeof value !== 'string' || !value.startsWith('0x')) return null
  const digits = value.slice(2 + 2 * from, 2 + 2 * to)
  return digits.length % 2 === 0 && /^[0-9a-f]*$/i.test(digits) ? fromHex(`0x${digits}`) : null
}
