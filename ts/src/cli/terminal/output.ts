/** Where a command writes: a terminal of some width, or a pipe, a file, a log. */
import type { Writable } from 'node:stream'

/** The part of `process.stdout` that is looked at. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Whether what was written can be written over. Screen readers, logs and pipes get plain lines. */
export function isLive(out: Output): boolean {
  return out.isTTY === true && process.env['TERM'] !== 'dumb'
}

/** Cells in a line; boundless where nobody wraps lines but their reader. */
export function columnsOf(out: Output): number {
  return out.isTTY === true ? Math.max(20, out.columns ?? 80) : Number.POSITIVE_INFINITY
}
