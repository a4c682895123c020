/**
 * RLP (Yellow Paper, appendix B), read strictly, one level at a time. What is inside an item is read when it is asked for: nothing is copied,
 * nothing recurses, and reading takes time in proportion to the number of items, whatever an endpoint sent.
 */
import { concatAll } from '../util/bytes.ts'
import { encode } from '../vendor/rlp.ts'
import { malformed } from './data-error.ts'
import { readRlpItem, type RlpItem, rlpListHead } from './rlp-item.ts'

export type { RlpItem } from './rlp-item.ts'

/** What can be written as RLP: a string of bytes, or a list. */
export type RlpInput = Uint8Array | RlpInput[]

/** The RLP of a string or of a list; of a number, that of its bytes, big-endian without leading zeros. */
export function encodeRlp(input: RlpInput | number): Uint8Array {
  if (!Array.isArray(input)) return encode(input)
  // The library calls a function with all items of a list: there is no room for those of a long one.
  const items = input.map((item) => encodeRlp(item))
  const length = items.reduce((sum, item) => sum + item.length, 0)
  return concatAll([rlpListHead(length), ...items])
}

/** The items of the list that is all of `bytes`, at most `maxItems`. Throws `ExecutionDataError` for what is no such list. */
export function readList(bytes: Uint8Array, maxItems: number): RlpItem[] {
  const item = readRlpItem(bytes, 0, malformed)
  if (!item.isList) throw malformed('RLP of a string where a list belongs')
  if (item.encoded.length !== bytes.length) throw malformed('bytes after the end of RLP')
  return itemsOf(item, maxItems)
}

/** The items of a list, at most `maxItems`. Throws `ExecutionDataError` where there are more, or where one is no RLP. */
export function itemsOf(list: RlpItem, maxItems: number): RlpItem[] {
  if (!list.isList) throw malformed('RLP of a string where a list belongs')
  const items: RlpItem[] = []
  for (let at = 0; at < list.payload.length;) {
    if (items.length === maxItems) throw malformed(`a list of more than ${maxItems} items`)
    const item = readRlpItem(list.payload, at, malformed)
    items.push(item)
    at += item.encoded.length
  }
  return items
}

/** The bytes of a string. Throws `ExecutionDataError` for a list, and for a string of another length. */
export function stringOf(item: RlpItem, length?: number): Uint8Array {
  if (item.isList) throw malformed('RLP of a list where a string belongs')
  if (length !== undefined && item.payload.length !== length)
    throw malformed(`${item.payload.length} bytes where ${length} belong`)
  return item.payload
}
