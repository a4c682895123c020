/** Headers of execution blocks, from their RLP. A header is what its hash says: nothing else in an answer counts. */
import { encodeHex } from '../util/hex.ts'
import { malformed } from './data-error.ts'
import type { ExecutionHeader } from './execution.ts'
import { HEADER_FIELDS, LEGACY_FIELDS, type HeaderForm } from './header-fields.ts'
import { keccakHex } from './keccak.ts'
import { readList, type RlpItem, stringOf } from './rlp.ts'

/** Longest header that is read, in bytes: those of today take some 650, and proof-of-authority networks add the keys of their signers. */
export const MAX_HEADER_BYTES = 16_384
/** Fields of a header, those of forks to come included. */
const MAX_FIELDS = 64

/**
 * The header that is all of `rlp`, read strictly: each known field has its length, each number is written in its shortest form. Fields that
 * follow the known ones, which forks to come may add, may be any strings. Throws `ExecutionDataError` for anything else. Whether the block is
 * one of the chain is for the caller to say, by its `hash`.
 */
export function headerFromRlp(rlp: Uint8Array): ExecutionHeader {
  if (rlp.length > MAX_HEADER_BYTES) throw malformed(`a header of more than ${MAX_HEADER_BYTES} bytes`)
  const items = readList(rlp, MAX_FIELDS)
  if (items.length < LEGACY_FIELDS) throw malformed(`a header of ${items.length} fields`)
  const values = new Map<string, Uint8Array>()
  for (const [at, item] of items.entries()) {
    const field = HEADER_FIELDS[at]
    const value = stringOf(item)
    if (field === undefined) continue
    checkForm(item, field.form, field.name)
    values.set(field.name, value)
  }
  const hex = (name: string): string => `0x${encodeHex(values.get(name) ?? new Uint8Array(0))}`
  const number = (name: string): number => safeNumber(values.get(name) ?? new Uint8Array(0), name)
  const has = (name: string): boolean => values.has(name)
  return {
    hash: keccakHex(rlp),
    rlp,
    number: number('number'),
    timestamp: number('timestamp'),
    parentHash: hex('parentHash'),
    transactionsRoot: hex('transactionsRoot'),
    blobGasUsed: has('blobGasUsed') ? number('blobGasUsed') : null,
    parentBeaconBlockRoot: has('parentBeaconBlockRoot') ? hex('parentBeaconBlockRoot') : null,
    slotNumber: has('slotNumber') ? number('slotNumber') : null,
  }
}

function checkForm(item: RlpItem, form: HeaderForm, name: string): void {
  const value = stringOf(item)
  if (form === 'bytes') return
  if (form === 'number') {
    if (value.length > 32 || value[0] === 0) throw malformed(`no number ${name} in a header`)
  } else if (value.length !== form) {
    throw malformed(`${name} of ${value.length} bytes in a header`)
  }
}

/** A number of at most 2⁵³ − 1. What is larger is no number or time of a chain. */
function safeNumber(bytes: Uint8Array, name: string): number {
  let value = 0
  for (const byte of bytes) {
    value = value * 256 + byte
    if (value > Number.MAX_SAFE_INTEGER) throw malformed(`${name} beyond all numbers in a header`)
  }
  return value
}
