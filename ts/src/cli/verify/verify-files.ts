/** Files, one after the other: read, recognised, verified, reported and counted. */
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { messageOf } from '../terminal/errors.ts'
import type { Kind } from './contents.ts'
import { placeOf } from './describe.ts'
import { readInput } from './input.ts'
import type { VerifyPrinter } from './printers.ts'
import { recognise } from './recognise.ts'
import type { ItemResult, ItemVerifier } from './verify-items.ts'

const INTERRUPTED = 'interrupted, before it was found out'

/**
 * What came of all files. One that cannot be read, or not be verified, does not keep the others from being verified; those that an
 * interruption leaves are not determined. Throws for options that make no sense, whatever the file.
 */
export async function verifyFiles(
  files: readonly string[],
  as: Kind | undefined,
  verifier: ItemVerifier,
  printer: VerifyPrinter,
  signal: AbortSignal,
): Promise<Counts> {
  let counts = noCounts
  for (const file of files) {
    try {
      signal.throwIfAborted()
      counts = withFile(counts, await verifyFile(file, as, verifier, printer, signal))
    } catch (error) {
      if (!signal.aborted && (!(error instanceof Error) || error instanceof TypeError)) throw error
      printer.undetermined(file, signal.aborted ? INTERRUPTED : messageOf(error as Error))
      counts = withUndetermined(counts)
    }
  }
  return counts
}

async function verifyFile(
  file: string,
  as: Kind | undefined,
  verifier: ItemVerifier,
  printer: VerifyPrinter,
  signal: AbortSignal,
): Promise<ItemResult['status'][]> {
  const bytes = await readInput(file, signal)
  const contents = recognise(bytes, as)
  if (contents.kind === null) {
    printer.unrecognised(file, contents.message)
    return ['malformed']
  }
  printer.file(file, bytes.length, contents)
  const verified = await verifier.verify(contents, file, signal, (done, total) =>
    printer.progress(done, total),
  )
  const items = verified.map((one, at) => ({ ...one, place: placeOf(contents.kind, contents.items[at]) }))
  printer.items(file, contents, items)
  return items.map(({ result }) => result.status)
}

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
function withFile(counts: Counts, statuses: readonly ItemResult['status'][]): Counts {
  const next = { ...counts, files: counts.files + 1, items: counts.items + statuses.length }
  for (const status of statuses) next[columns[status]]++
  return next
}

/** The counts with one more file, about which nothing could be found out. */
function withUndetermined(counts: Counts): Counts {
  return { ...counts, files: counts.files + 1, undetermined: counts.undetermined + 1 }
}

/** The exit code of a command that has counted so much: what is bad outweighs what is not known. */
export function exitCodeOf({ invalid, malformed, undetermined }: Counts): ExitCode {
  return invalid + malformed > 0 ? exitCodes.bad : undetermined > 0 ? exitCodes.unknown : exitCodes.ok
}
