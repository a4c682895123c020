/**
 * What bytes are: a `Uint8Array` of any realm (frames, `vm`, test environments) and its subclasses, such as Node's
 * Buffer; never a Proxy around one or an object that only claims the prototype, whose properties throw when they are
 * read. `instanceof` has both of these wrong.
 */
const tagOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get

export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && tagOf?.call(value) === 'Uint8Array'
}
