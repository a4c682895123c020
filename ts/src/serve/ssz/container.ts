/** Containers of SSZ, and the Merkle branches of their fields. */
import { depthOf, levelsOf, merkleize, siblings, zeroRoot } from './merkle.ts'
import { assemble, type Part, type Type } from './type.ts'

/** The type of each field, in the specification's order. */
export type Fields<V> = { readonly [name in keyof V]: Type<V[name]> }

/** The Merkle tree of a container's value. */
export interface Tree<V> {
  readonly root: Uint8Array<ArrayBuffer>
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
