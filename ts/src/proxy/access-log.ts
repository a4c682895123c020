/** A line for each request, for people with grep and for programs. Nothing in it is a client's own words: no query, no header, no address. */
import { printable } from '../util/printable.ts'

/** What is said of a request that was answered. */
export interface LogEntry {
  /** Milliseconds of Unix time at which its answer began. */
  readonly at: number
  readonly method: string
  /** The route's pattern: `/eth/v1/beacon/blobs/{block_id}`. */
  readonly route: string
  readonly status: number
  /** The block that was asked for, as it was asked for; null where the route is about none. */
  readonly block: string | null
  /** Of the answer's body; 0 for HEAD, whose answer has none. */
  readonly bytes: number
  /** From the request to the beginning of its answer. */
  readonly ms: number
  /** Where blobs came from: `memory`, or `source`; null where there are none. */
  readonly via: string | null
  /** Why there is no answer, in one word; null where there is one. */
  readonly reason: string | null
  /** For people; null where there is nothing to add. */
  readonly detail: string | null
}

/** An entry as `time status method route key=value …`: all but the last part, `detail`, are words without spaces. */
export function logLine({
  at,
  method,
  route,
  status,
  block,
  bytes,
  ms,
  via,
  reason,
  detail,
}: LogEntry): string {
  const parts = [
    new Date(at).toISOString(),
    String(status),
    method,
    route,
    ...(block === null ? [] : [`block=${block}`]),
    `bytes=${bytes}`,
    `ms=${ms.toFixed(1)}`,
    ...(via === null ? [] : [`via=${via}`]),
    ...(reason === null ? [] : [`reason=${reason}`]),
    ...(detail === null ? [] : [`detail=${JSON.stringify(detail)}`]),
  ]
  return printable(parts.join(' '))
}
