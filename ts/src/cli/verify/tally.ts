/** How many items were found to be what, and what that makes of the command. */
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Finding } from './finding.ts'

export interface Tally {
  readonly files: number
  readonly items: number
  readonly valid: number
  readonly invalid: number
  readonly malformed: number
  /** Items that could not be judged, and files that could not be read. */
  readonly undetermined: number
}

export const nothing: Tally = { files: 0, items: 0, valid: 0, invalid: 0, malformed: 0, undetermined: 0 }

/** The column in which a finding is counted. `unchecked` is what no command asks for. */
const columns: Readonly<Record<Finding['status'], 'valid' | 'invalid' | 'malformed' | 'undetermined'>> = {
  valid: 'valid',
  invalid: 'invalid',
  malformed: 'malformed',
  error: 'undetermined',
  unchecked: 'undetermined',
}

/** The tally with a file more. */
export function withFile(tally: Tally, statuses: readonly Finding['status'][]): Tally {
  const next = { ...tally, files: tally.files + 1, items: tally.items + statuses.length }
  for (const status of statuses) next[columns[status]]++
  return next
}

/** The tally with a file more that nothing could be found out about. */
export function withUndetermined(tally: Tally): Tally {
  return { ...tally, files: tally.files + 1, undetermined: tally.undetermined + 1 }
}

/** What is bad outweighs what is not known. */
export function exitCodeOf({ invalid, malformed, undetermined }: Tally): ExitCode {
  return invalid + malformed > 0 ? exitCodes.bad : undetermined > 0 ? exitCodes.unknown : exitCodes.ok
}
