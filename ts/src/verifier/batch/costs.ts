/**
 * What the stages of a batch cost, measured: CPU milliseconds of the baseline module under Node 20 (`npm run bench`, table
 * "Stages"). Engines, kernels and machines differ by factors that are much the same for all stages, so that what the
 * planner compares stays comparable; nothing but speed depends on it.
 */

/** Collecting: a blob, a cell, and what each group costs beside them. */
export const COLLECT = { blob: 1.04, cell: 0.23, group: 0.3 } as const

/** Posting a group to another worker and waiting for one more answer. */
export const HOP = 0.4

/** What a unit means to a plan. */
export interface Load {
  /** To collect it, but for what its group costs. */
  readonly ms: number
  readonly bytes: number
}

/** By the kind in byte 0 and, for a column, its number of rows (crates/kzg, `unit`); an extended blob has 128 cells. */
export function loadOf(unit: Uint8Array): Load {
  const [kind = 0, , low = 0, high = 0] = unit
  const ms = kind === 1 ? COLLECT.blob : kind === 2 ? (low + 256 * high) * COLLECT.cell : 128 * COLLECT.cell
  return { ms, bytes: unit.length }
}
