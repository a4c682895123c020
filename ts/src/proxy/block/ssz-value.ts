/**
 * SSZ of a known type, read: as the Beacon API's JSON, and as the roots of a container's fields. It is only for what the module has decoded,
 * which refuses what is malformed: nothing is checked a second time. Source: ssz/simple-serialize.md of ethereum/consensus-specs.
 */
import { fixedSize, OFFSET_BYTES, type SszType } from '../../beacon/block/ssz-type.ts'
import { chunksOf, depthOf, lengthChunk, merkleize, parentOf } from '../../serve/ssz/merkle.ts'
import { hexOf } from '../../serve/ssz/types.ts'

type Fields = readonly (readonly [name: string, type: SszType])[]

/** The value as JSON: integers in decimal digits, bytes and bits as 0x hex. */
export function jsonOf(type: SszType, bytes: Uint8Array): unknown {
  switch (type[0]) {
    case 'uint':
      return uintOf(bytes).toString()
    case 'boolean':
      return bytes[0] === 1
    case 'bytes':
    case 'byte-list':
    case 'bit-vector':
    case 'bit-list':
      return hexOf(bytes)
    case 'vector':
    case 'list':
      return elementsOf(type[1], bytes).map((element) => jsonOf(type[1], element))
    case 'container':
      return Object.fromEntries(
        fieldsOf(type[1], bytes).map(([name, field, part]) => [name, jsonOf(field, part)]),
      )
  }
}

/** The bytes of a container's field; throws `TypeError` where it has none of that name. */
export function fieldOf(
  type: SszType,
  bytes: Uint8Array,
  name: string,
): { readonly type: SszType; readonly bytes: Uint8Array } {
  const found = type[0] === 'container' && fieldsOf(type[1], bytes).find(([field]) => field === name)
  if (!found) throw new TypeError(`there is no field ${name}`)
  return { type: found[1], bytes: found[2] }
}

/** The names of a container's fields with their roots, in order. */
export function fieldRoots(type: SszType, bytes: Uint8Array): readonly (readonly [string, Uint8Array])[] {
  if (type[0] !== 'container') throw new TypeError('only containers have fields')
  return fieldsOf(type[1], bytes).map(([name, field, part]) => [name, rootOf(field, part)] as const)
}

/** `hash_tree_root`; not of types that have progressive parts, whose description does not tell them from others. */
function rootOf(type: SszType, bytes: Uint8Array): Uint8Array {
  switch (type[0]) {
    case 'uint':
    case 'boolean':
      return chunksOf(bytes)[0]!
    case 'bytes':
    case 'bit-vector':
      return merkleize(chunksOf(bytes), depthOf(Math.ceil(bytes.length / 32)))
    case 'byte-list':
      return mixed(merkleize(chunksOf(bytes), depthOf(Math.ceil(type[1] / 32))), bytes.length)
    case 'bit-list': {
      const { bits, length } = withoutDelimiter(bytes)
      return mixed(merkleize(chunksOf(bits), depthOf(Math.ceil(type[1] / 256))), length)
    }
    case 'vector':
      return rootOfElements(type[1], bytes, type[2])
    case 'list': {
      const { length } = elementsOf(type[1], bytes)
      return mixed(rootOfElements(type[1], bytes, type[2]), length)
    }
    case 'container': {
      const roots = fieldRoots(type, bytes).map(([, root]) => root)
      return merkleize(roots, depthOf(roots.length))
    }
  }
}

/** Basic values share chunks; of others each has its own. */
function rootOfElements(element: SszType, bytes: Uint8Array, limit: number): Uint8Array {
  if (element[0] === 'uint' || element[0] === 'boolean') {
    const size = fixedSize(element) ?? 1
    return merkleize(chunksOf(bytes), depthOf(Math.ceil((limit * size) / 32)))
  }
  const roots = elementsOf(element, bytes).map((part) => rootOf(element, part))
  return merkleize(roots, depthOf(limit))
}

const mixed = (root: Uint8Array, length: number): Uint8Array => parentOf(root, lengthChunk(length))

/** The bits of a list of bits, and how many they are: the highest bit that is set ends it. */
function withoutDelimiter(bytes: Uint8Array): { readonly bits: Uint8Array; readonly length: number } {
  const bits = bytes.slice()
  const last = bits.length - 1
  const top = 31 - Math.clz32(bits[last] ?? 0)
  bits[last] = (bits[last] ?? 0) ^ (1 << top)
  return { bits: top === 0 ? bits.subarray(0, last) : bits, length: 8 * last + top }
}

function elementsOf(element: SszType, bytes: Uint8Array): Uint8Array[] {
  const size = fixedSize(element)
  if (size !== null)
    return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
  if (bytes.length === 0) return []
  const view = viewOf(bytes)
  const count = view.getUint32(0, true) / OFFSET_BYTES
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(
      view.getUint32(OFFSET_BYTES * at, true),
      at + 1 < count ? view.getUint32(OFFSET_BYTES * (at + 1), true) : bytes.length,
    ),
  )
}

function fieldsOf(fields: Fields, bytes: Uint8Array): (readonly [string, SszType, Uint8Array])[] {
  const view = viewOf(bytes)
  const starts: { readonly from: number; readonly to: number | null }[] = []
  let at = 0
  for (const [, type] of fields) {
    const size = fixedSize(type)
    starts.push(size === null ? { from: view.getUint32(at, true), to: null } : { from: at, to: at + size })
    at += size ?? OFFSET_BYTES
  }
  return fields.map(([name, type], index) => {
    const { from, to } = starts[index]!
    const end = to ?? starts.slice(index + 1).find((next) => next.to === null)?.from ?? bytes.length
    return [name, type, bytes.subarray(from, end)] as const
  })
}

function uintOf(bytes: Uint8Array): bigint {
  let value = 0n
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]!)
  return value
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
