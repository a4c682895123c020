/** SSZ lists, split into their entries, as views. What is no list is null: whom that accuses is for the caller to say. */

/** Entries of fixed size, one after the other. */
export function splitFixed(bytes: Uint8Array, length: number): Uint8Array[] | null {
  if (bytes.length % length !== 0) return null
  return Array.from({ length: bytes.length / length }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  )
}

/** Entries of any size, `maxCount` at most: a table of offsets, then the entries, without gaps. */
export function splitByOffsets(bytes: Uint8Array, maxCount: number): Uint8Array[] | null {
  if (bytes.length === 0) return []
  if (bytes.length < 4) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tableLength = view.getUint32(0, true)
  const isTable = tableLength > 0 && tableLength % 4 === 0 && tableLength <= 4 * maxCount
  if (!isTable || tableLength > bytes.length) return null
  const offsets = Array.from({ length: tableLength / 4 }, (_, at) => view.getUint32(4 * at, true))
  const ends = [...offsets.slice(1), bytes.length]
  const entries: Uint8Array[] = []
  for (const [at, offset] of offsets.entries()) {
    const end = ends[at] ?? bytes.length
    if (offset > end || end > bytes.length) return null
    entries.push(bytes.subarray(offset, end))
  }
  return entries
}
