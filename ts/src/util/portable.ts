/**
 * What callers give us, as it may travel to a worker: copied byte arrays, strings, numbers, and lists and records of
 * those. Anything else (functions, class instances, cycles) becomes null, for the checks to refuse in its place: a
 * bad item must neither throw here nor make the message that carries its neighbours unclonable. What alone throws is bytes
 * that cannot be copied: for lack of memory, or because they are detached. That is not the fault of whoever delivered them.
 */

import { isBytes } from './bytes.ts'
import type { ByteArray } from './platform-types.ts'

/** A value that can be sent to a worker, and is nobody else's. */
export type Portable =
  | null
  | string
  | number
  | bigint
  | boolean
  | ByteArray
  | Portable[]
  | { [key: string]: Portable }

/** A sidecar is the deepest thing that we take: record → header → message → field. */
const MAX_DEPTH = 5
/** MAX_BLOB_COMMITMENTS_PER_BLOCK: no honest list is longer. */
const MAX_ENTRIES = 4096
/** Values in one item: a sidecar has three such lists and some fields. Lists that hold themselves grow without it. */
const MAX_VALUES = 3 * MAX_ENTRIES + 256

/** How the bytes of one call become ours: by copying, or by taking the caller's buffers over. */
export interface Ownership {
  take(bytes: Uint8Array): ByteArray
  /** What is kept of a string; all of it where this is missing. */
  takeText?(text: string): string
}

/** Copies: the caller's arrays are left as they are. */
export const copying: Ownership = {
  // Not `slice`: Node's Buffer overrides it with a view on the same memory.
  take: (bytes) => new Uint8Array(bytes),
}

/**
 * Copies a value as described above. Throws what the platform throws where bytes cannot be copied, `RangeError` where there is no memory and
 * `TypeError` where they are detached: that says nothing of the value.
 */
export function portable(
  value: unknown,
  ownership: Ownership,
  depth = 0,
  budget: { left: number } = { left: MAX_VALUES },
): Portable {
  if (budget.left-- <= 0) return null
  switch (typeof value) {
    case 'string':
      return ownership.takeText?.(value) ?? value
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
  if (isBytes(value)) return ownership.take(value)
  const parts = partsOf(value)
  if (parts === null) return null
  const copies = parts.values.map((part) => portable(part, ownership, depth + 1, budget))
  if (parts.keys === null) return copies
  // Without a prototype, so that a key `__proto__` is a key like any other.
  const record = Object.create(null) as { [key: string]: Portable }
  for (const [at, key] of parts.keys.entries()) record[key] = copies[at]!
  return record
}

/** The values in a list, or in a record with their keys; null for anything else. Whatever the caller's own code throws here says that the value is bad. */
function partsOf(
  value: object,
): { readonly keys: readonly string[] | null; readonly values: readonly unknown[] } | null {
  try {
    if (Array.isArray(value)) {
      const { length } = value
      // By their places: a list may have an iterator of its own, which need not end.
      // Nor need the length be a number where a proxy says it.
      return Number.isInteger(length) && length <= MAX_ENTRIES
        ? { keys: null, values: Array.from({ length }, (_, at) => value[at] as unknown) }
        : null
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return null
    const entries = Object.keys(value)
      .slice(0, 64)
      .map((key) => [key, (value as Record<string, unknown>)[key]] as const)
      // As if it were not there: callers spread options with undefined in them.
      .filter(([, part]) => part !== undefined)
    return { keys: entries.map(([key]) => key), values: entries.map(([, part]) => part) }
  } catch {
    return null
  }
}
