/** Bytes that are to be copied into a module's memory. */
import { getterOf, lengthOf } from './is-bytes.ts'

const memoryOf = getterOf('buffer')
const offsetOf = getterOf('byteOffset')

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
