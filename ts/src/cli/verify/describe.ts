/** What an item says of itself: the slot and index of a sidecar, the fork of a transaction. Nothing is concluded from the first. */
import type { ForkName } from '../../beacon/networks.ts'
import { blobSidecar, dataColumnSidecar } from '../../beacon/ssz/layout.ts'
import { decodeHex } from '../../util/hex.ts'
import { isBytes } from '../../util/bytes.ts'
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

/** Digits alone: what is commanderOutput is no place for what somebody wrote there. */
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
