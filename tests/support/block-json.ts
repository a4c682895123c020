/** Blocks as JSON: made at random by a type, and written from SSZ; what the package does the other way round. */
import type { SszType } from '../../ts/src/beacon/block/ssz-type.ts'
import { toHex } from './bytes.ts'

/** A generator of numbers below a bound. */
export type Random = (below: number) => number

/** What a made block has: how many elements of a list, and how many bytes of a string, at most. */
export interface Shape {
  readonly list: (path: string, random: Random) => number
  readonly bytes: (path: string, random: Random) => number
}

/** Some of each, and small: a slot is one that other implementations hold in a number. */
export const small: Shape = {
  list: (_, random) => random(4),
  bytes: (_, random) => random(100),
}

const hexOf = (length: number, random: Random): string =>
  toHex(Uint8Array.from({ length }, () => random(256)))

/** A value of a type, as the Beacon API writes it. */
export function randomJson(type: SszType, random: Random, shape: Shape = small, path = ''): unknown {
  switch (type[0]) {
    case 'uint':
      return String(random(2 ** 31) * (type[1] === 32 ? 2 ** 20 : 2 ** 10))
    case 'boolean':
      return random(2) === 1
    case 'bytes':
      return hexOf(type[1], random)
    case 'bit-vector':
      return hexOf(type[1] / 8, random)
    case 'byte-list':
      return hexOf(Math.min(type[1], shape.bytes(path, random)), random)
    case 'bit-list': {
      const bytes = Uint8Array.from({ length: 1 + random(80) }, () => random(256))
      bytes[bytes.length - 1] = 1 << random(8)
      return toHex(bytes)
    }
    case 'vector':
      return Array.from({ length: type[2] }, () => randomJson(type[1], random, shape, `${path}[]`))
    case 'list': {
      const length = Math.min(type[2], shape.list(path, random))
      return Array.from({ length }, () => randomJson(type[1], random, shape, `${path}[]`))
    }
    case 'container':
      return Object.fromEntries(
        type[1].map(([name, field]) => [name, randomJson(field, random, shape, `${path}.${name}`)]),
      )
  }
}

/** SSZ that is known to be good, as the Beacon API writes it. */
export function sszToJson(type: SszType, ssz: Uint8Array): unknown {
  switch (type[0]) {
    case 'uint':
      return BigInt(toHex(ssz.slice().reverse())).toString()
    case 'boolean':
      return ssz[0] === 1
    case 'vector':
    case 'list': {
      const size = sizeOf(type[1])
      const count = size === null ? (ssz.length === 0 ? 0 : offsetAt(ssz, 0) / 4) : ssz.length / size
      return Array.from({ length: count }, (_, at) => {
        const end = at + 1 < count ? offsetAt(ssz, 4 * at + 4) : ssz.length
        const part =
          size === null ? ssz.subarray(offsetAt(ssz, 4 * at), end) : ssz.subarray(size * at, size * (at + 1))
        return sszToJson(type[1], part)
      })
    }
    case 'container': {
      let at = 0
      const places = type[1].map(([name, field]) => {
        const size = sizeOf(field)
        const from = size === null ? offsetAt(ssz, at) : at
        at += size ?? 4
        return { name, field, from, end: size === null ? ssz.length : at, isOpen: size === null }
      })
      const open = places.filter(({ isOpen }) => isOpen)
      return Object.fromEntries(
        places.map((place) => {
          const next = open[open.indexOf(place) + 1]
          const end = place.isOpen ? (next?.from ?? ssz.length) : place.end
          return [place.name, sszToJson(place.field, ssz.subarray(place.from, end))]
        }),
      )
    }
    default:
      return toHex(ssz)
  }
}

const offsetAt = (ssz: Uint8Array, at: number): number =>
  new DataView(ssz.buffer, ssz.byteOffset).getUint32(at, true)

function sizeOf(type: SszType): number | null {
  switch (type[0]) {
    case 'uint':
    case 'bytes':
      return type[1]
    case 'boolean':
      return 1
    case 'bit-vector':
      return Math.ceil(type[1] / 8)
    case 'vector':
      return sizeOf(type[1])! * type[2]
    case 'container': {
      const sizes = type[1].map(([, field]) => sizeOf(field))
      return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + size!, 0)
    }
    default:
      return null
  }
}
