/** The memory that byte arrays lie in: each once, in the order in which they are in it. */
export function buffersOf(arrays: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] {
  return [...new Set(arrays.map(({ buffer }) => buffer))]
}
