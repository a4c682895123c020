/**
 * What bytes are: a `Uint8Array` of any realm (frames, `vm`, test environments) and its subclasses, such as Node's
 * Buffer; never a Proxy around one or an object that only claims the prototype, whose properties throw when they are
 * read. `instanceof` has both of these wrong.
 */
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array
const getterOf = (key: PropertyKey): (() => unknown) | undefined =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get
const tagOf = getterOf(Symbol.toStringTag)
const sizeOf = getterOf('length')
const memoryOf = getterOf('buffer')
const offsetOf = getterOf('byteOffset')

export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf?.call(value) === 'Uint8Array'
}

/** How many there are, whatever a subclass says of its own length. */
export function lengthOf(bytes: Uint8Array): number {
  return sizeOf?.call(bytes) as number
}

/**
 * The same bytes, in the same memory, as an array that says of itself what is true. What is copied into a module's memory must
 * be: as much is set aside as it says that it is long, and as much is written as it is.
 */
export function plain(bytes: Uint8Array): Uint8Array {
  const length = lengthOf(bytes)
  // A detached array is empty, and so is what is beyond the end of a buffer that shrank; neither has a place in it.
  if (length === 0) return new Uint8Array(0)
  const [memory, offset] = [memoryOf?.call(bytes), offsetOf?.call(bytes)]
  // With its length, since a view without one grows with memory that can.
  return new Uint8Array(memory as ArrayBufferLike, offset as number, length)
}
