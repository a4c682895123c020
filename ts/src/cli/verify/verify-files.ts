/** Files, one after the other: read, recognised, verified, reported and counted. */
import { messageOf } from '../terminal/errors.ts'
import type { Kind } from './contents.ts'
import { type Counts, noCounts, withFile, withUndetermined } from './counts.ts'
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
