/** Byte arrays: what counts as one, views that can be trusted, and many packed into one. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array
/** A typed array's own getter: a subclass may define a property of the same name that says otherwise. */
const getterOf = (key: PropertyKey): (() => unknown) | undefined =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get
const tagOf = getterOf(Symbol.toStringTag)
const sizeOf = getterOf('length')
const bufferOf = getterOf('buffer')
const offsetOf = getterOf('byteOffset')

/**
 * Whether a value is a `Uint8Array` of any realm (frames, `vm`, test environments) or of a subclass, such as Node's Buffer. Never a
 * Proxy around one, nor an object that only claims the prototype and whose properties throw when they are read: `instanceof` has both
 * of these wrong.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf?.call(value) === 'Uint8Array'
}

/** Whether a value is an `ArrayBuffer`, of any realm. */
export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return tagged(value) === '[object ArrayBuffer]'
}

/** What a value is by its tag, in every realm: `[object Map]`. */
export const tagged = (value: unknown): string => Object.prototype.toString.call(value)

/** How many bytes there are, whatever a subclass says of its own length. */
export function lengthOf(bytes: Uint8Array): number {
  return sizeOf?.call(bytes) as number
}

/**
 * A genuine `Uint8Array` on the same memory: one whose properties are true, whatever a subclass says of its own. Only such a view may
 * be copied into a module's memory: as much is set aside there as its length says, and as much is written as it holds.
 */
export function genuineView(bytes: Uint8Array): Uint8Array {
  const length = lengthOf(bytes)
  // A detached array is empty, and so is one beyond the end of a buffer that shrank; neither has a place in its memory.
  if (length === 0) return new Uint8Array(0)
  const [memory, offset] = [bufferOf?.call(bytes), offsetOf?.call(bytes)]
  // With its length, since a view without one grows with memory that can.
  return new Uint8Array(memory as ArrayBufferLike, offset as number, length)
}

/**
 * `genuineView` of an array that may not be detached: for that it throws the platform's `TypeError`. What was handed over before is neither
 * empty data nor anybody's fault but the caller's.
 */
export function attachedView(bytes: Uint8Array): Uint8Array {
  return lengthOf(bytes) === 0 ? new Uint8Array(bytes) : genuineView(bytes)
}

/** The buffers that byte arrays lie in, each once, in the order in which they first occur: what is to be transferred with them. */
export function buffersOf(arrays: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] {
  return [...new Set(arrays.map(({ buffer }) => buffer))]
}

/** Many byte strings as one. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
