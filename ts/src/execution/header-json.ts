/** Headers of execution blocks, from the JSON of `eth_getBlockByHash`: written as RLP, and held against the hash that was asked for. */
import type { Portable } from '../util/portable.ts'
import { ExecutionDataError, invalid, malformed } from './data-error.ts'
import type { ExecutionHeader } from './execution.ts'
import { headerFromRlp, MAX_HEADER_BYTES } from './header.ts'
import { HEADER_FIELDS, LEGACY_FIELDS } from './header-fields.ts'
import { bytesOf, fieldsOf, type JsonFields, numberOf } from './json-fields.ts'
import { keccakHex } from './keccak.ts'
import { encodeRlp } from './rlp.ts'

/** Fields of a block that are in no header: the rest of the block, and what servers add. */
const NO_HEADER_FIELDS: ReadonlySet<string> = new Set([
  ...['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals', 'author', 'sealFields'],
  ...['blockAccessList', 'prevRandao'],
])

/** More fields of unknown names are not tried in each order: four have 65 of them. */
const MAX_UNKNOWN_FIELDS = 4

/**
 * The header in a block of JSON-RPC, whose hash is `hash`. Fields of unknown names, which a fork to come may have added, are tried behind the
 * known ones, in each order, until the hash comes out. Throws `ExecutionDataError`: `malformed` where a field is missing or is not what it
 * claims to be, and where the hash is another, `invalid`, or `unsupported` if there were fields of unknown names.
 */
export function headerFromJson(block: Portable | undefined, hash: string): ExecutionHeader {
  const fields = fieldsOf(block, 'block')
  const { known, others, isComplete } = headerValues(fields)
  for (const extra of arrangements(others)) {
    const rlp = encodeRlp([...known, ...extra])
    if (rlp.length <= MAX_HEADER_BYTES && keccakHex(rlp) === hash.toLowerCase()) return headerFromRlp(rlp)
  }
  if (isComplete) throw invalid('a header whose hash is another')
  throw new ExecutionDataError('unsupported', 'a header whose hash is another, with fields of unknown names')
}

/** The values of the known fields up to the first that is missing, and of whatever else may be a field of a header. */
function headerValues(fields: JsonFields): {
  known: Uint8Array[]
  others: Uint8Array[]
  /** Whether no field has an unknown name. */
  isComplete: boolean
} {
  const isThere = (name: string): boolean => fields[name] !== undefined && fields[name] !== null
  const firstMissing = HEADER_FIELDS.findIndex(({ name }) => !isThere(name))
  const count = firstMissing === -1 ? HEADER_FIELDS.length : firstMissing
  if (count < LEGACY_FIELDS) throw malformed(`a block without ${HEADER_FIELDS[count]?.name}`)
  const known = HEADER_FIELDS.slice(0, count)
  const names = new Set(known.map(({ name }) => name))
  const others = Object.entries(fields)
    .filter(([name]) => !names.has(name) && !NO_HEADER_FIELDS.has(name))
    .flatMap(([, value]) => unknownValue(value) ?? [])
  return {
    known: known.map(({ name, form }) => {
      const value = fields[name]
      if (form === 'number') return numberOf(value, name)
      return form === 'bytes' ? bytesOf(value, name) : bytesOf(value, name, form)
    }),
    others: others.length > MAX_UNKNOWN_FIELDS ? [] : others,
    isComplete: others.length === 0,
  }
}

/** A field of which nothing is known: numbers are written without leading zeros, so that an odd count of digits is one, and zero is `0x0`. */
function unknownValue(value: Portable | undefined): Uint8Array | null {
  if (typeof value !== 'string' || value.length > 2 * MAX_HEADER_BYTES) return null
  try {
    return value.length % 2 === 0 ? bytesOf(value, 'field') : numberOf(value, 'field')
  } catch (error) {
    if (error instanceof ExecutionDataError) return null
    throw error
  }
}

/** Each choice of these values in each order, the longest first, beginning with all of them in their own order. */
function arrangements(values: readonly Uint8Array[]): Uint8Array[][] {
  const all = (left: readonly Uint8Array[]): Uint8Array[][] => [
    ...left.flatMap((value) => all(left.filter((other) => other !== value)).map((rest) => [value, ...rest])),
    [],
  ]
  return all(values).sort((one, other) => other.length - one.length)
}
