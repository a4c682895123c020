/**
 * The lines of a report, as they are read. A report may be somebody else's: what is used of a line is looked at before, so that what is added up
 * are numbers, and what is printed is text.
 */
import {
  type AuditSummary,
  type RangeCounts,
  serverOutcomes,
  slotOutcomes,
  type SlotResult,
  SLOTS_PER_JOB,
} from '../../audit/index.ts'
import { isBoundedJson } from '../../beacon/json-bounds.ts'
import type { AuditIdentity } from './identity.ts'

/** Of the lines; another one is not gone on with. */
export const VERSION = 1

export interface FirstLine extends AuditIdentity {
  readonly event: 'audit'
  readonly version: typeof VERSION
  /** What the audit is known by to other machines. */
  readonly id: string
}

/** What a line says. Of the first line of another version nothing else is known. */
export type Line =
  | FirstLine
  | { readonly event: 'another-version'; readonly version: number }
  | ({ readonly event: 'slot' } & SlotResult)
  | ({ readonly event: 'range' } & RangeCounts)
  | ({ readonly event: 'summary' } & AuditSummary)

type Fields = Readonly<Record<string, unknown>>

/** Null for what is no line of a report. */
export function readLine(text: string): Line | null {
  if (!isBoundedJson(text)) return null
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(line)) return null
  const { event, version } = line
  if (event === 'audit' && isCount(version) && version !== VERSION)
    return { event: 'another-version', version }
  const isOne = typeof event === 'string' && Object.hasOwn(shapes, event) && shapes[event]!(line)
  return isOne ? (line as unknown as Line) : null
}

/** By event: whether what is used of its line is what it must be. */
const shapes: Readonly<Record<string, (line: Fields) => boolean>> = {
  audit: ({ version, id, from, to, network, trust, servers }) =>
    version === VERSION &&
    [from, to].every(isCount) &&
    [id, network, trust].every(isText) &&
    Array.isArray(servers) &&
    servers.every(isText),
  slot: ({ slot, outcome, blobs, servers }) =>
    isCount(slot) &&
    slotOutcomes.some((name) => name === outcome) &&
    isRecord(blobs) &&
    (blobs['wanted'] === null || isCount(blobs['wanted'])) &&
    isCount(blobs['valid']) &&
    Array.isArray(servers) &&
    servers.every((server) => isRecord(server) && serverOutcomes.some((name) => name === server['outcome'])),
  range: ({ from, to, counts, servers, blobs, bytes }) =>
    isCount(from) &&
    isCount(to) &&
    from <= to &&
    to - from < SLOTS_PER_JOB &&
    hasCounts(counts, slotOutcomes) &&
    isRecord(servers) &&
    Object.values(servers).every((server) => hasCounts(server, serverOutcomes)) &&
    hasCounts(blobs, ['wanted', 'valid']) &&
    isCount(bytes),
  // It is written anew.
  summary: () => true,
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function hasCounts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => isCount(value[name]))
}
