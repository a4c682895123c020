/** Where a prover's tables are kept from one session to the next. */
import { tableBytes, type TableShape } from '../precompute.ts'

/**
 * A store of byte strings by key; `FileStorage` of `blobcheck/light-client` is one. It may forget at any time, and what it
 * returns is not believed: see `pinned.ts`.
 */
export interface TableStore {
  /** The value, or null where there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** Replaces the value in one step: a reader sees all of the old one or all of the new one. */
  set(key: string, value: Uint8Array): Promise<void>
}

/** `true`: IndexedDB where there is one, nowhere elsewhere. */
export type Keep = boolean | TableStore

/** The parts that tables are worked out, kept and read back in. */
export const TABLE_PARTS = 16

/** The key of a part. It does not name the shape: the tables of another shape take their places, so that no more is kept. */
export function keyOf(part: number): string {
  return `prover-table-${part}`
}

/** The bytes of one part. */
export function partBytes(shape: TableShape): number {
  return tableBytes(shape) / TABLE_PARTS
}

/** Hex digits of 128 bits. */
const DIGITS = 32

/** What one part must hash to, out of what `pinned.ts` has for its shape. */
export function hashOfPart(hashes: string, part: number): string {
  return hashes.slice(part * DIGITS, (part + 1) * DIGITS)
}
