/**
 * What bytes are: a `Uint8Array` of any realm (frames, `vm`, test environments) and its subclasses, such as Node's
 * Buffer; never a Proxy around one or an object that only claims the prototype, whose properties throw when they are
 * read. `instanceof` has both of these wrong.
 */
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array
/** What typed arrays are by themselves: a subclass may say otherwise. */
export const getterOf = (key: PropertyKey): (() => unknown) | undefined =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get
const tagOf = getterOf(Symbol.toStringTag)
const sizeOf = getterOf('length')

export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf?.call(value) === 'Uint8Array'
}

/** How many there are, whatever a subclass says of its own length. */
export function lengthOf(bytes: Uint8Array): number {
  return sizeOf?.call(bytes) as number
}
