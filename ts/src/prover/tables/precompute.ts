/**
 * How much memory is given for speed. Proofs of cells are sums of multiples of 8,192 fixed points; a table holds such
 * multiples, so that they need not be worked out for each blob. Commitments and proofs of blobs have no use for it.
 */

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

/**
 * `rows` · 2^(`width` − 2) multiples of each point, 96 bytes each. A wider table has fewer terms to add for a blob, one of
 * more rows fewer doublings (docs/prover.md has the counts). Rows 1 to 129, width 2 to 12, a gigabyte at most.
 */
export interface TableShape {
  readonly rows: number
  readonly width: number
}

/** Tables of these shapes can be kept: what they must be is pinned in the package. */
export interface KeptTables extends TableShape {
  readonly rows: 1 | 2 | 4 | 8
  readonly width: 4 | 5 | 6 | 7 | 8
  /** `true`: in IndexedDB, where there is one. A store of your own anywhere. The shape that was last used takes the others' place. */
  readonly keep: true | TableStore
}

/** The shape of tables; `none`: the multiples are worked out for each blob. */
export type Precompute = 'none' | TableShape

/** `none`, the shape of tables that last as long as the prover, or of tables that are kept from one session to the next. */
export type LastingPrecompute = 'none' | (TableShape & { readonly keep?: false }) | KeptTables

const POINTS = 8192
const BYTES_PER_POINT = 96
const MAX_BYTES = 2 ** 30

/** The bytes of tables of a shape. With several workers, each holds its share. */
export function tableBytes({ rows, width }: TableShape): number {
  return POINTS * BYTES_PER_POINT * rows * 2 ** (width - 2)
}

/** The shape that the option `precompute` asks for, or null for none. Throws `TypeError` where it makes no sense. */
export function readPrecompute(precompute: unknown): TableShape | null {
  if (precompute === undefined || precompute === 'none') return null
  if (typeof precompute !== 'object' || precompute === null)
    throw new TypeError("precompute must be 'none' or { rows, width }")
  const { rows, width } = precompute as Record<string, unknown>
  if (!isBetween(rows, 1, 129) || !isBetween(width, 2, 12))
    throw new TypeError('precompute: rows must be an integer from 1 to 129, width one from 2 to 12')
  if (tableBytes({ rows, width }) > MAX_BYTES)
    throw new TypeError(`precompute: tables of ${tableBytes({ rows, width })} bytes, at most ${MAX_BYTES}`)
  return { rows, width }
}

/** Whether, and where, the tables are to be kept. */
export function readKeep(precompute: unknown): Keep {
  const tables = readPrecompute(precompute)
  if (tables === null) return false
  const { keep = false } = precompute as { readonly keep?: unknown }
  if (keep === false) return false
  if (![1, 2, 4, 8].includes(tables.rows) || !isBetween(tables.width, 4, 8))
    throw new TypeError('precompute: tables can be kept of 1, 2, 4 or 8 rows and a width from 4 to 8')
  if (keep === true || isStore(keep)) return keep
  throw new TypeError('precompute: keep must be a boolean, or an object with get() and set()')
}

function isStore(value: unknown): value is TableStore {
  if (typeof value !== 'object' || value === null) return false
  const { get, set } = value as Record<string, unknown>
  return typeof get === 'function' && typeof set === 'function'
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

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
