/**
 * How much memory is given for speed. Proofs of cells are sums of multiples of 8,192 fixed points; a table holds such
 * multiples, so that they need not be worked out for each blob. Commitments and proofs of blobs have no use for it.
 */
import type { Keep, TableStore } from './tables/store.ts'

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

/** `none`: the multiples are worked out for each blob. */
export type Precompute = 'none' | TableShape

/** The same, and tables that outlive the session. */
export type LastingPrecompute = 'none' | (TableShape & { readonly keep?: false }) | KeptTables

const POINTS = 8192
const BYTES_PER_POINT = 96
const MAX_BYTES = 2 ** 30

/** The bytes of tables of a shape. With several workers, each holds its share. */
export function tableBytes({ rows, width }: TableShape): number {
  return POINTS * BYTES_PER_POINT * rows * 2 ** (width - 2)
}

/** Reads the option. */
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
