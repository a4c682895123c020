/** What became of files and of their items, in numbers. */
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { ItemResult } from './verify-items.ts'

/** How many files were read, and how many of their items were found to be what. */
export interface Counts {
  readonly files: number
  readonly items: number
  readonly valid: number
  readonly invalid: number
  readonly malformed: number
  /** Items that could not be verified, and files that could not be read. */
  readonly undetermined: number
}

/** The counts before the first file. */
export const noCounts: Counts = { files: 0, items: 0, valid: 0, invalid: 0, malformed: 0, undetermined: 0 }

/** The column in which a result is counted. `unchecked` is what no command asks for. */
const columns: Readonly<Record<ItemResult['status'], 'valid' | 'invalid' | 'malformed' | 'undetermined'>> = {
  valid: 'valid',
  invalid: 'invalid',
  malformed: 'malformed',
  error: 'undetermined',
  unchecked: 'undetermined',
}

/** The counts with one more file, whose items have these statuses. */
export function withFile(counts: Counts, statuses: readonly ItemResult['status'][]): Counts {
  const next = { ...counts, files: counts.files + 1, items: counts.items + statuses.length }
  for (const status of statuses) next[columns[status]]++
  return next
}

/** The counts with one more file, about which nothing could be found out. */
export function withUndetermined(counts: Counts): Counts {
  return { ...counts, files: counts.files + 1, undetermined: counts.undetermined + 1 }
}

/** The exit code of a command that has counted so much: what is bad outweighs what is not known. */
export function exitCodeOf({ invalid, malformed, undetermined }: Counts): ExitCode {
  return invalid + malformed > 0 ? exitCodes.bad : undetermined > 0 ? exitCodes.unknown : exitCodes.ok
}
