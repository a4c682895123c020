/** Files, one after the other: read, recognised, verified, reported and counted. */
import { UsageError } from '../command.ts'
import { messageOf } from '../terminal/words.ts'
import { type InputContext, type Kind, readInput } from './input.ts'
import type { VerifyPrinter } from './printers.ts'
import { placeOf, recognise } from './recognise.ts'
import {
  type Counts,
  type ItemResult,
  type ItemVerifier,
  noCounts,
  withFile,
  withUndetermined,
} from './verify-items.ts'

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
  context: InputContext,
): Promise<Counts> {
  const { signal } = context
  let counts = noCounts
  for (const file of files) {
    try {
      signal.throwIfAborted()
      counts = withFile(counts, await verifyFile(file, as, verifier, printer, context))
    } catch (error) {
      const isOfOptions = error instanceof UsageError || error instanceof TypeError
      if (!signal.aborted && (!(error instanceof Error) || isOfOptions)) throw error
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
  context: InputContext,
): Promise<ItemResult['status'][]> {
  const bytes = await readInput(file, context)
  const contents = recognise(bytes, as)
  if (contents.kind === null) {
    printer.unrecognised(file, contents.message)
    return ['malformed']
  }
  printer.file(file, bytes.length, contents)
  const verified = await verifier.verify(contents, file, context.signal, (done, total) =>
    printer.progress(done, total),
  )
  const items = verified.map((one, at) => ({ ...one, place: placeOf(contents.kind, contents.items[at]) }))
  printer.items(file, contents, items)
  return items.map(({ result }) => result.status)
}
