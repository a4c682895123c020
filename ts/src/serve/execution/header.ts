/** Headers of the execution layer as the server has them: bytes whose fields are read, written as JSON, and falsified. */
import { HEADER_FIELDS } from '../../execution/header-fields.ts'
import { encodeRlp, readList, stringOf } from '../../execution/rlp.ts'
import { hexOf } from '../ssz/types.ts'
import { quantityOf } from './quantity.ts'

/** More fields than any header has. */
const MAX_FIELDS = 64

/** The fields of a header that is RLP, as many as it has, in the order of `HEADER_FIELDS`. Throws for what is no list of byte strings. */
export function readHeader(rlp: Uint8Array): Uint8Array[] {
  return readList(rlp, MAX_FIELDS).map((item) => stringOf(item))
}

/** The bytes of one field, by its name in the JSON-RPC; null where the header has none. */
export function headerField(rlp: Uint8Array, name: string): Uint8Array | null {
  return readHeader(rlp)[placeOf(name)] ?? null
}

/** The header with one field changed, by its name in the JSON-RPC; as it was, where it has none. */
export function withHeaderField(
  rlp: Uint8Array,
  name: string,
  change: (value: Uint8Array) => Uint8Array,
): Uint8Array {
  const place = placeOf(name)
  return encodeRlp(readHeader(rlp).map((value, at) => (at === place ? change(value) : value)))
}

/** The header’s fields in the JSON of the JSON-RPC: those that it has and that are known. */
export function headerJson(rlp: Uint8Array): Record<string, string> {
  const values = readHeader(rlp)
  const known = HEADER_FIELDS.slice(0, values.length)
  return Object.fromEntries(
    known.map(({ name, form }, at) => [
      name,
      form === 'number' ? quantityOf(values[at]!) : hexOf(values[at]!),
    ]),
  )
}

const placeOf = (name: string): number => HEADER_FIELDS.findIndex((field) => field.name === name)
