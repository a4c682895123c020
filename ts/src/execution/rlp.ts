/**
 * RLP (Yellow Paper, appendix B), read strictly, one level at a time. What is inside an item is read when it is asked for: nothing is copied,
 * nothing recurses, and reading takes time in proportion to the number of items, whatever an endpoint sent.
 */
import { concatAll } from '../util/bytes.ts'
import { encode } from '../vendor/rlp.ts'
import { malformed } from './data-error.ts'

/** What can be written as RLP: a string of bytes, or a list. */
export type RlpInput = Uint8Array | RlpInput[]

/** The RLP of a string or of a list; of a number, that of its bytes, big-endian without leading zeros. */
export function encodeRlp(input: RlpInput | number): Uint8Array {
  if (!Array.isArray(input)) return encode(input)
  // The library calls a function with all items of a list: there is no room for those of a long one.
  const items = input.map((item) => encodeRlp(item))
  const length = items.reduce((sum, item) => sum + item.length, 0)
  return concatAll([listHead(length), ...items])
}

/** The bytes before the items of a list, which take `length` bytes. */
function listHead(length: number): Uint8Array {
  if (length <= MAX_SHORT) return Uint8Array.of(LIST + length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.of(LIST + MAX_SHORT + digits.length, ...digits)
}

/** An item of RLP. Both arrays are views of the bytes that were read. */
export interface RlpItem {
  readonly isList: boolean
  /** The bytes of a string, or the encodings of a list's items one after the other. */
  readonly payload: Uint8Array
  /** The item as it is encoded. */
  readonly encoded: Uint8Array
}

/** The items of the list that is all of `bytes`, at most `maxItems`. Throws `ExecutionDataError` for what is no such list. */
export function readList(bytes: Uint8Array, maxItems: number): RlpItem[] {
  const item = readItem(bytes, 0)
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
    const item = readItem(list.payload, at)
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

/** First bytes: below `STRING` a byte is itself; `STRING + n` is a string of n bytes, `LIST + n` a list whose items take n bytes; */
const [STRING, LIST] = [0x80, 0xc0]
/** beyond this n is no length: n − 55 is how many bytes the length itself takes, which follow. */
const MAX_SHORT = 55
/** Bytes of a length that can be one of an array: 2⁴⁸ is beyond all memory. */
const MAX_LENGTH_BYTES = 6

function readItem(bytes: Uint8Array, at: number): RlpItem {
  const first = bytes[at]
  if (first === undefined) throw malformed('RLP that ends too early')
  if (first < STRING) {
    const self = bytes.subarray(at, at + 1)
    return { isList: false, payload: self, encoded: self }
  }
  const isList = first >= LIST
  const short = first - (isList ? LIST : STRING)
  const lengthBytes = Math.max(0, short - MAX_SHORT)
  const start = at + 1 + lengthBytes
  const length = lengthBytes === 0 ? short : readLength(bytes, at + 1, lengthBytes)
  if (start + length > bytes.length) throw malformed('RLP that ends too early')
  const payload = bytes.subarray(start, start + length)
  if (!isList && length === 1 && payload[0]! < STRING)
    throw malformed('RLP of a byte that is not the shortest')
  return { isList, payload, encoded: bytes.subarray(at, start + length) }
}

function readLength(bytes: Uint8Array, at: number, lengthBytes: number): number {
  if (lengthBytes > MAX_LENGTH_BYTES || at + lengthBytes > bytes.length)
    throw malformed('RLP that ends too early')
  if (bytes[at] === 0) throw malformed('RLP of a length that is not the shortest')
  let length = 0
  for (let digit = 0; digit < lengthBytes; digit++) length = length * 256 + bytes[at + digit]!
  if (length <= MAX_SHORT) throw malformed('RLP of a length that is not the shortest')
  return length
}
