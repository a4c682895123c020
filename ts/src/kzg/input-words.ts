/**
 * What the message of a `KzgInputError` says in words, and which field it means where the module's code does not tell. Both are worked out from
 * what the function was given, once that is known to be wrong.
 */
import { decodeHex, encodeHex } from '../util/hex.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'
import { type Field, FIELD_BYTES, KzgInputError, type KzgInputField } from './input-error.ts'

/** What a function was given, by field: lists, also of the one value that it takes. Bytes may be in hex; a text that is none has been refused. */
export type Given = { readonly [field in KzgInputField]?: ArrayLike<unknown> }

/** What has to be: by code, or by what is behind the kind of value in it. Short, since each of them is downloaded. */
const WORDS: Readonly<Record<string, string>> = {
  'not-bytes': 'bytes are a Uint8Array or 0x hex',
  'bad-hex': 'hex is 0x and an even number of digits',
  'not-an-array': 'a list is an array',
  'array-lengths': 'lists are equally long',
  'cell-index': 'an integer from 0 to 127',
  'commitment-index': 'no commitment has it',
  'cell-count': 'from 64 to 128 cells are wanted',
  'cell-order': 'indices must ascend',
  'cells-inconsistent': 'no blob has all of them; verify each with its proof',
  encoding: 'no point is encoded like this',
  'not-on-curve': 'no point has this x',
  'not-in-subgroup': 'the point is not in G1',
}

/** What has field elements, in the order in which the modules look at it. */
const SCALARS = ['z', 'y', 'blob', 'cell'] as const

/** The order of the group. */
const BLS_MODULUS = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001'

/**
 * The error for the element `index` of a list. `field` where it is known; `given`: what the function was given, or in a word what is wrong of it.
 */
export function inputError(
  code: KzgInputCode,
  index: number,
  field?: KzgInputField,
  given: Given | string = {},
): KzgInputError {
  const lists = given as Given
  const bytesOf = (of: Field): Uint8Array | undefined => {
    const value = lists[of]?.[index]
    return typeof value === 'string' ? decodeHex(value)! : (value as Uint8Array | undefined)
  }
  const [, noun, fault] = /^([a-z]+)-(.+)/.exec(code) as unknown as [string, string, string]
  const isLength = fault === 'length'
  const isWrongLength = ({ length }: Uint8Array): number => (length === 32 ? -1 : 0)
  const [named, element] =
    noun === 'scalar' ? badScalar(bytesOf, isLength ? isWrongLength : firstTooLarge) : [field, -1]
  const kind = (named ?? noun) as Field
  const [bytes, wanted] = [bytesOf(kind), FIELD_BYTES[kind]]
  let words = WORDS[code] ?? WORDS[fault]
  let said: unknown
  if (typeof given === 'string') said = given
  else if (isLength) {
    words = `must have ${wanted} bytes`
    // No more than one byte too many was read.
    said = bytes && (bytes.length > wanted ? 'more' : bytes.length)
  } else if (fault === 'not-canonical') {
    const one = element < 0 ? 'an element' : `element ${element} (from 0)`
    const what = wanted > 32 ? one : kind
    const advice = kind === 'blob' ? '; 31 bytes of data fit into each element, as by viem’s toBlobs' : ''
    words = `${what} is not below BLS_MODULUS${advice}`
  } else if (code === 'array-lengths') {
    // The distinct commitments that indices point to are as many as they are.
    const equal = Object.entries(lists).filter(
      ([name]) => name !== 'commitment' || !lists['commitment-index'],
    )
    said = equal.map(([name, { length }]) => `${name} ${length}`).join(', ')
  } else if (code === 'cell-count') said = lists.cell?.length
  else said = lists[code as 'cell-index']?.[index]
  return new KzgInputError(code, index, named, said === undefined ? words : `${words}; given: ${said}`)
}

/**
 * The field that has a bad scalar, and which element of it that is, as `find` says; −1 where none is. Another thread may have changed shared memory since
 * it was found to be bad: then it is the first field that there is, and no element.
 */
function badScalar(
  bytesOf: (of: Field) => Uint8Array | undefined,
  find: (bytes: Uint8Array) => number,
): readonly [field: Field | undefined, element: number] {
  const given = SCALARS.flatMap((of) => {
    const bytes = bytesOf(of)
    return bytes === undefined ? [] : [[of, find(bytes)] as const]
  })
  return given.find(([, element]) => element >= 0) ?? [given[0]?.[0], -1]
}

/** Which of these field elements is the first that is not below BLS_MODULUS; −1 where all of them are. */
function firstTooLarge(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += 32)
    if (bytes[at]! >= 0x73 && encodeHex(bytes.subarray(at, at + 32)) >= BLS_MODULUS) return at / 32
  return -1
}
