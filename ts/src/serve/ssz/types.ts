/**
 * SSZ as far as a server writes it: a type serialises a value, takes its root, and gives its Beacon API JSON. Nothing is
 * decoded here. Source: ssz/simple-serialize.md of ethereum/consensus-specs.
 */
import { concatAll } from '../../util/bytes.ts'
import type { ByteArray } from '../../util/platform-types.ts'
import {
  activeFields,
  chunksOf,
  depthOf,
  lengthChunk,
  levelsOf,
  merkleize,
  parentOf,
  progressiveTree,
  siblings,
  zeroRoot,
} from './merkle.ts'

type Bytes = ByteArray

/** A type of SSZ, for values of one shape. */
export interface Type<V> {
  /** In bytes; null where it depends on the value. */
  readonly fixedLength: number | null
  serialize(value: V): Bytes
  /** `hash_tree_root`. */
  root(value: V): Bytes
  json(value: V): unknown
}

/** An unsigned integer, little-endian; in JSON a decimal string. */
function uint(length: 8 | 32): Type<number | bigint> {
  const serialize = (value: number | bigint): Bytes => {
    const bytes = new Uint8Array(length)
    const view = new DataView(bytes.buffer)
    let rest = BigInt(value)
    for (let at = 0; at < length; at += 8, rest >>= 64n) view.setBigUint64(at, BigInt.asUintN(64, rest), true)
    return bytes
  }
  return {
    fixedLength: length,
    serialize,
    root: (value) => chunksOf(serialize(value))[0]!,
    json: (value) => value.toString(),
  }
}

export const uint64: Type<number | bigint> = uint(8)
export const uint256: Type<number | bigint> = uint(32)

/** So many bytes: a vector of them, or of bits. */
export function bytes(length: number): Type<Uint8Array> {
  return {
    fixedLength: length,
    serialize(value) {
      if (value.length !== length) throw new RangeError(`${length} bytes, not ${value.length}`)
      return new Uint8Array(value)
    },
    root: (value) => merkleize(chunksOf(value), depthOf(Math.ceil(length / 32))),
    json: (value) => hexOf(value),
  }
}

/** A type whose roots are kept as long as the values are, for those that many blocks share. */
export function remembered<V extends object>(type: Type<V>): Type<V> {
  const roots = new WeakMap<V, Bytes>()
  return {
    ...type,
    root(value) {
      const known = roots.get(value) ?? type.root(value)
      roots.set(value, known)
      return known
    },
  }
}

/** Up to so many bytes. */
export function byteList(limit: number): Type<Uint8Array> {
  const depth = depthOf(Math.ceil(limit / 32))
  return {
    fixedLength: null,
    serialize: (value) => new Uint8Array(value),
    root: (value) => parentOf(merkleize(chunksOf(value), depth), lengthChunk(value.length)),
    json: (value) => hexOf(value),
  }
}

/** So many elements. */
export function vector<V>(type: Type<V>, length: number): Type<readonly V[]> {
  return {
    fixedLength: type.fixedLength === null ? null : type.fixedLength * length,
    serialize: (values) => elements(type, values),
    root: (values) =>
      merkleize(
        values.map((value) => type.root(value)),
        depthOf(length),
      ),
    json: (values) => values.map((value) => type.json(value)),
  }
}

/** Up to so many elements, which are no basic types. */
export function list<V>(type: Type<V>, limit: number): Type<readonly V[]> {
  const depth = depthOf(limit)
  const rootOf = (roots: readonly Uint8Array[]): Bytes =>
    parentOf(merkleize(roots, depth), lengthChunk(roots.length))
  let empty: Bytes | undefined
  return {
    fixedLength: null,
    serialize: (values) => elements(type, values),
    root: (values) =>
      values.length === 0 ? (empty ??= rootOf([])) : rootOf(values.map((value) => type.root(value))),
    json: (values) => values.map((value) => type.json(value)),
  }
}

/** Any number of elements, which are no basic types (EIP-7916): the bytes are those of a list. */
export function progressiveList<V>(type: Type<V>): Type<readonly V[]> {
  const rootOf = (roots: readonly Uint8Array[]): Bytes =>
    parentOf(progressiveTree(roots).root, lengthChunk(roots.length))
  let empty: Bytes | undefined
  return {
    ...list(type, 1),
    root: (values) =>
      values.length === 0 ? (empty ??= rootOf([])) : rootOf(values.map((value) => type.root(value))),
  }
}

/** Any number of bytes (EIP-7916). */
export const progressiveByteList: Type<Uint8Array> = {
  ...byteList(32),
  root: (value) => parentOf(progressiveTree(chunksOf(value)).root, lengthChunk(value.length)),
}

/** A progressive list that nobody here ever fills. */
export const emptyProgressiveList: Type<readonly never[]> = progressiveList<never>(uint64 as Type<never>)

/** A list that nobody here ever fills: its elements need no type. */
export const emptyList = (limit: number): Type<readonly never[]> => list<never>(uint64 as Type<never>, limit)

/** Elements one after the other, behind their offsets where they are of variable length. */
function elements<V>(type: Type<V>, values: readonly V[]): Bytes {
  const parts = values.map((value) => type.serialize(value))
  return type.fixedLength === null ? assemble(parts.map((tail) => ({ tail }))) : concatAll(parts)
}

/** A part that is of fixed length, or one behind an offset. */
type Part = Bytes | { readonly tail: Bytes }

/** The fixed parts, with an offset in the place of each variable one, and then those. */
export function assemble(parts: readonly Part[]): Bytes {
  let tailAt = parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : 4), 0)
  const fixed: Bytes[] = []
  const tails: Bytes[] = []
  for (const part of parts) {
    if (part instanceof Uint8Array) fixed.push(part)
    else {
      const offset = new Uint8Array(4)
      new DataView(offset.buffer).setUint32(0, tailAt, true)
      fixed.push(offset)
      tails.push(part.tail)
      tailAt += part.tail.length
    }
  }
  return concatAll([...fixed, ...tails])
}

/** The type of each field, in the specification's order. */
export type Fields<V> = { readonly [name in keyof V]: Type<V[name]> }

/** The Merkle tree of a container's value. */
export interface Tree<V> {
  readonly root: Bytes
  /** The siblings between a field's root and the container's, the lowest first. */
  branch(field: keyof V & string): Uint8Array[]
}

/** A type whose values have fields, by the specification's names. */
export interface Container<V> extends Type<V> {
  tree(value: V): Tree<V>
}

/** A container of these fields. */
export function container<V extends object>(fields: Fields<V>): Container<V> {
  const names = Object.keys(fields) as (keyof V & string)[]
  const depth = depthOf(names.length)
  const roots = (value: V): Uint8Array[] => names.map((name) => fields[name].root(value[name]))
  const lengths = names.map((name) => fields[name].fixedLength)
  return {
    fixedLength: lengths.includes(null) ? null : lengths.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    serialize: (value) =>
      assemble(
        names.map((name): Part => {
          const part = fields[name].serialize(value[name])
          return fields[name].fixedLength === null ? { tail: part } : part
        }),
      ),
    root: (value) => merkleize(roots(value), depth),
    json: (value) => Object.fromEntries(names.map((name) => [name, fields[name].json(value[name])])),
    tree(value) {
      const levels = levelsOf(roots(value), depth)
      return {
        root: new Uint8Array(levels[depth]?.[0] ?? zeroRoot(depth)),
        branch: (field) => siblings(levels, names.indexOf(field)),
      }
    },
  }
}

/** A progressive container of these fields, all of them active (EIP-7495): the bytes are those of a container. */
export function progressiveContainer<V extends object>(fields: Fields<V>): Container<V> {
  const names = Object.keys(fields) as (keyof V & string)[]
  const active = activeFields(names.length)
  const treeOf = (value: V): ReturnType<typeof progressiveTree> =>
    progressiveTree(names.map((name) => fields[name].root(value[name])))
  return {
    ...container(fields),
    root: (value) => parentOf(treeOf(value).root, active),
    tree(value) {
      const tree = treeOf(value)
      return {
        root: parentOf(tree.root, active),
        branch: (field) => [...tree.branch(names.indexOf(field)), active],
      }
    },
  }
}

const DIGITS: Uint8Array = new TextEncoder().encode('0123456789abcdef')
const ascii = new TextDecoder()

/**
 * Bytes as `0x` and lower-case digits: made as ASCII in one piece, where a string that grows by pairs would take ten times as long.
 */
export function hexOf(bytes: Uint8Array): string {
  const text = new Uint8Array(2 + 2 * bytes.length)
  text[0] = 48
  text[1] = 120
  for (let at = 0, to = 2; at < bytes.length; at++) {
    const byte = bytes[at]!
    text[to++] = DIGITS[byte >> 4]!
    text[to++] = DIGITS[byte & 15]!
  }
  return ascii.decode(text)
}
