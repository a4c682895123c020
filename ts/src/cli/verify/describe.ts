/** Where an item says that it belongs. It is its own word, for people to tell lines apart; nothing is concluded from it. */
import { decodeHex } from '../../util/hex.ts'
import { isBytes } from '../../util/bytes.ts'
import { blobSidecar, dataColumnSidecar } from '../../beacon/ssz/layout.ts'
import type { Kind } from './contents.ts'

/** In decimal digits; null where the item does not say. */
export interface Place {
  readonly slot: string | null
  /** Of the blob or the column in its block. */
  readonly index: string | null
}

const nowhere: Place = { slot: null, index: null }

/** Where the signed header is, which begins with its slot. */
const headerAt: Readonly<Partial<Record<Kind, number>>> = {
  'blob-sidecars': blobSidecar.signed_block_header,
  'data-column-sidecars': dataColumnSidecar.signed_block_header,
}

/** The place of an item of any form. */
export function placeOf(kind: Kind, item: unknown): Place {
  const slotAt = headerAt[kind]
  if (slotAt === undefined) return nowhere
  const bytes = typeof item === 'string' ? decodeHex(item) : item
  if (isBytes(bytes)) return { slot: uint64At(bytes, slotAt), index: uint64At(bytes, 0) }
  const header = field(field(item, 'signed_block_header'), 'message')
  return { slot: decimal(field(header, 'slot')), index: decimal(field(item, 'index')) }
}

function uint64At(bytes: Uint8Array, at: number): string | null {
  if (at + 8 > bytes.length) return null
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
