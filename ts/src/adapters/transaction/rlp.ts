/**
 * As much of RLP (Ethereum yellow paper, appendix B) as it takes to change the wrapper of a blob transaction: a strict reader, and the head of
 * a list. It is here, and no library is, because what is read has one known shape, whose parts are passed on as they lie. Only canonical
 * encodings are accepted: lengths are as short as they can be, and a single byte below 0x80 stands for itself. There is no recursion.
 */
import { TransactionError } from './error.ts'

/** An item where it lies. */
export interface RlpItem {
  readonly kind: 'list' | 'string'
  /** Its encoding, head and all. */
  readonly encoded: Uint8Array<ArrayBuffer>
  /** The bytes of a string, or the encodings of a list's items one after the other. */
  readonly payload: Uint8Array<ArrayBuffer>
}

/** The items of a list's payload, one after the other. */
export class RlpItems {
  #rest: Uint8Array<ArrayBuffer>

  constructor(payload: Uint8Array<ArrayBuffer>) {
    this.#rest = payload
  }

  /** Whether no item is left. */
  get isEmpty(): boolean {
    return this.#rest.length === 0
  }

  /** Takes the next item. Throws `TransactionError`: `rlp` for what is no canonical item, `transaction-fields` where none is left. */
  next(): RlpItem {
    const first = this.#rest[0]
    if (first === undefined) throw new TransactionError('transaction-fields')
    const { from, to } = first < 0x80 ? { from: 0, to: 1 } : this.#reach(first)
    // Of a length that does not fit into the list the reach ends beyond it.
    if (to > this.#rest.length) throw new TransactionError('rlp')
    const item = {
      kind: first < 0xc0 ? 'string' : 'list',
      encoded: this.#rest.subarray(0, to),
      payload: this.#rest.subarray(from, to),
    } as const
    // Such a byte is its own encoding.
    if (first === 0x81 && item.payload[0]! < 0x80) throw new TransactionError('rlp')
    this.#rest = this.#rest.subarray(to)
    return item
  }

  /** Where the payload of an item with a head lies, which may be beyond the end. */
  #reach(first: number): { readonly from: number; readonly to: number } {
    const short = first - (first < 0xc0 ? 0x80 : 0xc0)
    if (short < 56) return { from: 1, to: 1 + short }
    const from = 1 + short - 55
    const digits = this.#rest.subarray(1, from)
    // Beyond 2⁵³ the sum is not exact, and still larger than any length that there can be.
    const length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
    if (digits.length < from - 1 || digits[0] === 0 || length < 56) throw new TransactionError('rlp')
    return { from, to: from + length }
  }
}

/** What stands before the items of a list whose encodings have `length` bytes together. */
export function rlpListHead(length: number): Uint8Array<ArrayBuffer> {
  if (length < 56) return Uint8Array.of(0xc0 + length)
  const digits: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256)
  return Uint8Array.of(0xf7 + digits.length, ...digits)
}
