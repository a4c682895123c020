/**
 * What callers give us, as it may travel to a worker: copied byte arrays, strings, numbers, and lists and records of
 * those. Anything else (functions, class instances, cycles) becomes null, for the checks to refuse in its place: a
 * bad item must neither throw here nor make the message that carries its neighbours unclonable.
 */

export type Portable = null | string | number | bigint | boolean | Uint8Array<ArrayBuffer> | Portable[] | { [key: string]: Portable }

/** A sidecar is the deepest thing that we take: record → header → message → field. */
const MAX_DEPTH = 5
/** MAX_BLOB_COMMITMENTS_PER_BLOCK: no honest list is longer. */
const MAX_ENTRIES = 4096

/** How the bytes of one call become ours: by copying, or by taking the caller's buffers over. */
export interface Ownership {
  take(bytes: Uint8Array): Uint8Array<ArrayBuffer>
}

/** Copies: the caller's arrays are left as they are. */
export const copying: Ownership = {
  // Not `slice`: Node's Buffer overrides it with a view on the same memory.
  take: (bytes) => new Uint8Array(bytes),
}

/** Takes buffers over, each once: the caller's arrays on it are detached. What cannot be detached is copied. */
export function transferring(): Ownership {
  const taken = new Map<ArrayBufferLike, ArrayBuffer>()
  return {
    take(bytes) {
      const { buffer, byteOffset, byteLength } = bytes
      let mine = taken.get(buffer)
      if (mine === undefined) {
        try {
          mine = structuredClone(buffer as ArrayBuffer, { transfer: [buffer as ArrayBuffer] })
        } catch {
          return copying.take(bytes) // shared memory, Node's pooled buffers, WebAssembly memory
        }
        taken.set(buffer, mine)
        // The view that we were given is detached by now; other views on the buffer were measured before, or not at all.
      }
      return new Uint8Array(mine, byteOffset, byteLength)
    },
  }
}

/** Copies a value as described above. */
export function portable(value: unknown, ownership: Ownership, depth = 0): Portable {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    case 'object':
      break
    default:
      return null
  }
  if (value === null || depth === MAX_DEPTH) return null
  try {
    if (value instanceof Uint8Array) return ownership.take(value)
    if (Array.isArray(value)) {
      return value.length > MAX_ENTRIES ? null : Array.from(value, (entry) => portable(entry, ownership, depth + 1))
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return null
    const record: { [key: string]: Portable } = {}
    for (const key of Object.keys(value).slice(0, 64)) {
      record[key] = portable((value as Record<string, unknown>)[key], ownership, depth + 1)
    }
    return record
  } catch {
    return null // a getter that throws
  }
}
