/**
 * As much of RLP as it takes to change the wrapper of a blob transaction. No library is used, because what is read has one known shape, whose
 * parts are passed on as they lie.
 */
import { readRlpItem, type RlpItem as Item } from '../../execution/rlp-item.ts'
import { TransactionError } from './error.ts'

/** An item where it lies. */
export type RlpItem = Item<ArrayBuffer>

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
    if (this.isEmpty) throw new TransactionError('transaction-fields')
    const item = readRlpItem(this.#rest, 0, () => new TransactionError('rlp'))
    this.#rest = this.#rest.subarray(item.encoded.length)
    return item
  }
}
