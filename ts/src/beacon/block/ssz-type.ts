/** Types of SSZ, as the module describes those of blocks, and how many bytes their values have (ssz/simple-serialize.md). */

/** A type of SSZ, as `describe` of crates/block writes it. Progressive types are written like others: so are their values. */
export type SszType =
  | readonly ['uint' | 'bytes' | 'bit-vector' | 'bit-list' | 'byte-list', number]
  | readonly ['boolean']
  | readonly ['vector' | 'list', SszType, number]
  | readonly ['container', readonly (readonly [name: string, type: SszType])[]]

/** Where a part of variable size begins, in the fixed part before it. */
export const OFFSET_BYTES = 4

const sizes = new WeakMap<SszType, { readonly size: number | null }>()

/** How many bytes each value of a type has, or null where that depends on the value. */
export function fixedSize(type: SszType): number | null {
  const known = sizes.get(type)
  if (known !== undefined) return known.size
  const size = measure(type)
  sizes.set(type, { size })
  return size
}

function measure(type: SszType): number | null {
  switch (type[0]) {
    case 'uint':
    case 'bytes':
      return type[1]
    case 'boolean':
      return 1
    case 'bit-vector':
      return Math.ceil(type[1] / 8)
    case 'vector': {
      const element = fixedSize(type[1])
      return element === null ? null : element * type[2]
    }
    case 'container': {
      const isFixed = type[1].every(([, field]) => fixedSize(field) !== null)
      return isFixed ? fixedPart(type[1]) : null
    }
    default:
      return null
  }
}

/** The bytes of a container before its first part of variable size. */
export function fixedPart(fields: readonly (readonly [string, SszType])[]): number {
  return fields.reduce((sum, [, type]) => sum + (fixedSize(type) ?? OFFSET_BYTES), 0)
}
