/**
 * How much memory is given for speed. Proofs of cells are sums of multiples of 8,192 fixed points; a table holds such
 * multiples, so that they need not be worked out for each blob. Commitments and proofs of blobs have no use for it.
 */

/**
 * `rows` · 2^(`width` − 2) multiples of each point, 96 bytes each. A wider table has fewer terms to add for a blob, one of
 * more rows fewer doublings (docs/prover.md has the counts). Rows 1 to 129, width 2 to 12, a gigabyte at most.
 */
export interface TableShape {
  readonly rows: number
  readonly width: number
}

/** `none`: the multiples are worked out for each blob. */
export type Precompute = 'none' | TableShape

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

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
