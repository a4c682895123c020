/**
 * How a batch is split over workers: into as many groups as give the first answer to all of it, by predicted time. Splitting
 * costs a message and what each group costs; it gains the time that the others would have waited. The pairing is shared by
 * all groups in any case.
 */

import { BLOB, COLUMN, isBare } from '../checks/protocol.ts'

/*
 * The costs are CPU milliseconds of the baseline module under Node 20, measured (`npm run bench`, table "Stages"). Engines, kernels and
 * machines differ by factors that are much the same for all stages, so that what is compared stays comparable; nothing but speed
 * depends on it.
 */

/** Collecting: a blob, a cell, a blob without a proof, and what each group costs beside them. */
export const COLLECT = { blob: 1.04, cell: 0.23, bare: 0.6, group: 0.3 } as const

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
  return { ms: msOf(), bytes: unit.length }

  function msOf(): number {
    if (kind === BLOB) return COLLECT.blob
    if (isBare(kind)) return COLLECT.bare
    return (kind === COLUMN ? low + 256 * high : 128) * COLLECT.cell
  }
}

/** Bytes of units in one group: bounds the memory of a worker, and how long it can be silent. */
const MAX_GROUP_BYTES = 9 << 20

/**
 * Splits consecutive units into groups that take about the same time; the answer is the number of units in each. None is
 * above the limit but for a unit that is above it by itself.
 */
export function plan(
  loads: readonly Load[],
  workers: number,
  maxGroupBytes: number = MAX_GROUP_BYTES,
): number[] {
  const total = loads.reduce((sum, { ms }) => sum + ms, 0)
  const bytes = loads.reduce((sum, load) => sum + load.bytes, 0)
  const runners = Math.max(workers, 1)
  // Whole rounds: three groups on two workers would leave one of them idle for half of the time. Where units do not fill their groups, it
  // takes a round more than their bytes say.
  for (let rounds = Math.max(Math.ceil(bytes / maxGroupBytes / runners), 1); ; rounds++) {
    const most = Math.min(rounds * runners, loads.length)
    const groups = split(loads, total, rounds > 1 ? most : fastest(loads, total, most), maxGroupBytes)
    if (groups.length <= most || most === loads.length) return groups
  }
}

/** Predicted time until as many groups, one on each worker, are collected. */
function predicted(total: number, largestMs: number, groups: number): number {
  return Math.max(total / groups, largestMs) + COLLECT.group + (groups > 1 ? HOP : 0)
}

/** The number of groups up to `most` that is done first; the smallest of equals. */
function fastest(loads: readonly Load[], total: number, most: number): number {
  const largestMs = largest(loads)
  let best = 1
  for (let groups = 2; groups <= most; groups++) {
    if (predicted(total, largestMs, groups) < predicted(total, largestMs, best)) best = groups
  }
  return best
}

/** Not by spreading them: a call has no room for as many arguments. */
const largest = (loads: readonly Load[]): number => loads.reduce((most, { ms }) => Math.max(most, ms), 0)

function split(loads: readonly Load[], total: number, wanted: number, maxGroupBytes: number): number[] {
  const groups: number[] = []
  let taken = 0
  let before = 0
  let [ms, bytes, count] = [0, 0, 0]
  loads.forEach((load, at) => {
    const left = loads.length - at // units not yet taken, this one included
    const groupsLeft = wanted - groups.length
    const isFull =
      count > 0 &&
      (bytes + load.bytes > maxGroupBytes || ms + load.ms / 2 > (total - before) / Math.max(groupsLeft, 1))
    const mustLeave = count > 0 && left < groupsLeft
    if (isFull || mustLeave) {
      groups.push(count)
      taken += count
      before += ms
      ;[ms, bytes, count] = [0, 0, 0]
    }
    ms += load.ms
    bytes += load.bytes
    count++
  })
  if (loads.length > taken) groups.push(loads.length - taken)
  return groups
}
