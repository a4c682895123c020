/**
 * One item of RLP (Yellow Paper, appendix B), read strictly: lengths are as short as they can be, and a single byte below 0x80 stands for itself.
 * Nothing is copied and nothing recurses: what is inside a list is read when it is asked for.
 */

/** An item of RLP. Both arrays are views of the bytes that were read. */
export interface RlpItem<Buffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly isList: boolean
  /** The bytes of a string, or the encodings of a list's items one after the other. */
  readonly payload: Uint8Array<Buffer>
  /** The item as it is encoded. */
  readonly encoded: Uint8Array<Buffer>
}

/** Makes the error for what is no RLP, of what is wrong in words. */
export type RlpFault = (what: string) => Error

/** First bytes: below `STRING` a byte is itself; `STRING + n` is a string of n bytes, `LIST + n` a list whose items take n bytes; */
const [STRING, LIST] = [0x80, 0xc0]
/** beyond this n is no length: n − 55 is how many bytes the length itself takes, which follow. */
const MAX_SHORT = 55

/** The item that begins in a place of the bytes. Throws what `fault` makes where there is none, or not the only encoding of it. */
export function readRlpItem<Buffer extends ArrayBufferLike>(
  bytes: Uint8Array<Buffer>,
  at: number,
  fault: RlpFault,
): RlpItem<Buffer> {
  const first = bytes[at]
  if (first === undefined) throw fault('RLP that ends too early')
  if (first < STRING) {
    const self = bytes.subarray(at, at + 1)
    return { isList: false, payload: self, encoded: self }
  }
  const isList = first >= LIST
  const short = first - (isList ? LIST : STRING)
  const start = at + 1 + Math.max(0, short - MAX_SHORT)
  if (start > bytes.length) throw fault('RLP that ends too early')
  const length = short <= MAX_SHORT ? short : readLength(bytes.subarray(at + 1, start), fault)
  const end = start + length
  if (end > bytes.length) throw fault('RLP that ends too early')
  const payload = bytes.subarray(start, end)
  if (!isList && length === 1 && payload[0]! < STRING) throw fault('RLP of a byte that is not the shortest')
  return { isList, payload, encoded: bytes.subarray(at, end) }
}

/** A length of up to 8 bytes. Beyond 2⁵³ it is not exact, and still larger than any array. */
function readLength(digits: Uint8Array, fault: RlpFault): number {
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  if (digits[0] === 0 || length <= MAX_SHORT) throw fault('RLP of a length that is not the shortest')
  return length
}

/** What stands before the items of a list, whose encodings take `length` bytes together. */
export function rlpListHead(length: number): Uint8Array<ArrayBuffer> {
  if (length <= MAX_SHORT) return Uint8Array.of(LIST + length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.of(LIST + MAX_SHORT + digits.length, ...digits)
}
